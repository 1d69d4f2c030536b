// `match(variant, lambdas...)`: one arm per alternative, checked by the compiler.
#pragma once

#include <utility>
#include <variant>

namespace muster {

template <class... Arms>
struct Overloaded : Arms... {
  using Arms::operator()...;
};
template <class... Arms>
Overloaded(Arms...) -> Overloaded<Arms...>;

template <class Variant, class... Arms>
decltype(auto) match(Variant&& variant, Arms&&... arms) {
  return std::visit(Overloaded{std::forward<Arms>(arms)...}, std::forward<Variant>(variant));
}

}  // namespace muster
