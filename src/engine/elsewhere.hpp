// Would the unit fit on nodes of another kind? A plain first fit over the nodes: the seats it finds exist,
// but it may miss some, so "yes" is certain and "no" is not. Selectors of node names, topology and spread
// stay.
#pragma once

#include <string>

#include "engine/what_if.hpp"

namespace muster {

/// The selector to leave out, and the only value of it to take instead. No key: all but node names are left
/// out. No value: any will do.
struct Instead {
  std::string key{};
  std::string value{};
};

/// Seats on what is free now, limits of users and queues left out. False for best-effort work.
bool fits_instead(WhatIf& what_if, const Instead& instead);

}  // namespace muster
