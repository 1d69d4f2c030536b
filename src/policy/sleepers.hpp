// The lists of sleepers a lane can stand in, as bits of Lane::filed.
#pragma once

#include <cstdint>

namespace muster {

inline constexpr std::uint8_t kRoomList = 1;
inline constexpr std::uint8_t kLimitList = 2;
inline constexpr std::uint8_t kUserList = 4;
inline constexpr std::uint8_t kPolicyList = 8;
inline constexpr std::uint8_t kLoneList = 16;

}  // namespace muster
