#include "trace/draw.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "base/check.hpp"
#include "base/quantity.hpp"

namespace muster {
namespace {

// z in millionths where P(Z > z) = 2^-(e+1) (1 - s/16), at index 8 e + s: eight knots each time the tail
// halves, because the mean of a wide lognormal is made out there.
constexpr int kHalvings = 20;
constexpr std::array<std::int64_t, 8 * kHalvings + 1> kQuantile{
    0,       78412,   157311,  237202,  318639,  402250,  488776,  579132,  674490,  724514,  776422,
    830511,  887147,  946782,  1009990, 1077516, 1150349, 1189164, 1229859, 1272699, 1318011, 1366204,
    1417797, 1473468, 1534121, 1566689, 1601009, 1637325, 1675940, 1717228, 1761670, 1809892, 1862732,
    1891229, 1921351, 1953324, 1987428, 2024014, 2063528, 2106554, 2153875, 2179469, 2206575, 2235407,
    2266227, 2299362, 2335233, 2374387, 2417559, 2440956, 2465771, 2492204, 2520502, 2550976, 2584020,
    2620152, 2660067, 2681732, 2704733, 2729260, 2755549, 2783892, 2814665, 2848359, 2885635, 2905889,
    2927411, 2950380, 2975021, 3001611, 3030511, 3062186, 3097269, 3116349, 3136636, 3158301, 3181560,
    3206678, 3233998, 3263969, 3297193, 3315276, 3334512, 3355067, 3377146, 3401005, 3426972, 3455479,
    3487104, 3504327, 3522656, 3542251, 3563308, 3586074, 3610866, 3638099, 3668329, 3684801, 3702336,
    3721091, 3741252, 3763060, 3786819, 3812930, 3841931, 3857739, 3874574, 3892584, 3911953, 3932911,
    3955753, 3980866, 4008773, 4023990, 4040199, 4057546, 4076207, 4096404, 4118426, 4142645, 4169569,
    4184255, 4199903, 4216653, 4234676, 4254189, 4275470, 4298883, 4324919, 4339125, 4354265, 4370473,
    4387918, 4406810, 4427419, 4450099, 4475328, 4489097, 4503774, 4519490, 4536408, 4554733, 4574729,
    4596740, 4621231, 4634600, 4648853, 4664118, 4680553, 4698359, 4717792, 4739188, 4763001, 4776003,
    4789866, 4804715, 4820706, 4838033, 4856947, 4877777, 4900964};

// 2^(i/64) in units of 2^-30.
constexpr std::array<std::int64_t, 65> kPower{
    1073741824, 1085434106, 1097253708, 1109202018, 1121280436, 1133490379, 1145833280, 1158310587,
    1170923762, 1183674286, 1196563654, 1209593378, 1222764986, 1236080024, 1249540052, 1263146652,
    1276901417, 1290805962, 1304861917, 1319070932, 1333434672, 1347954824, 1362633090, 1377471191,
    1392470869, 1407633882, 1422962010, 1438457051, 1454120821, 1469955159, 1485961921, 1502142985,
    1518500250, 1535035634, 1551751076, 1568648537, 1585730000, 1602997467, 1620452965, 1638098541,
    1655936265, 1673968228, 1692196547, 1710623359, 1729250827, 1748081133, 1767116489, 1786359126,
    1805811301, 1825475297, 1845353420, 1865448001, 1885761398, 1906295993, 1927054196, 1948038440,
    1969251188, 1990694927, 2012372174, 2034285470, 2056437387, 2078830522, 2101467502, 2124350982,
    2147483648};

constexpr std::int64_t kOctave = 1'000'000;

/// Between two table entries; `part` of 2^20.
std::int64_t between(std::int64_t low, std::int64_t high, std::uint64_t part) {
  return low + (((high - low) * static_cast<std::int64_t>(part)) >> 20);
}

}  // namespace

std::int64_t draw_normal(Random& random) {
  const std::uint64_t bits = random.next();
  const bool negative = (bits >> 63) != 0;
  // P(Z > z) of the upper half is uniform on [0, 1/2): the other bits. Their leading zeros say how often
  // it was halved, the next three which eighth, the next twenty where between the two knots.
  const std::uint64_t tail = bits << 1;
  const int halved = std::min(std::countl_zero(tail | 1), kHalvings - 1);
  const std::uint64_t mantissa = tail << halved;
  const auto eighth = static_cast<std::size_t>((mantissa >> 60) & 7);
  const std::size_t knot = 8 * static_cast<std::size_t>(halved) + 8 - eighth;
  const std::int64_t z = between(kQuantile[knot], kQuantile[knot - 1], (mantissa >> 40) & 0xFFFFF);
  return negative ? -z : z;
}

std::int64_t scale_by_octaves(std::int64_t value, std::int64_t micro_octaves, std::int64_t most) {
  CHECK(value >= 0 && value <= most && most < std::int64_t{1} << 62);
  std::int64_t whole = micro_octaves / kOctave;
  std::int64_t part = micro_octaves % kOctave;
  if (part < 0) {
    part += kOctave;
    --whole;
  }
  const auto step = static_cast<std::size_t>(part * 64 / kOctave);
  const std::int64_t rest = part * 64 % kOctave;
  const std::int64_t factor = kPower[step] + (kPower[step + 1] - kPower[step]) * rest / kOctave;
  using Wide = __int128;
  if (whole > 62) return value == 0 ? 0 : most;
  if (whole < -62) return 0;
  const Wide scaled = (static_cast<Wide>(value) * factor) >> 30;
  const Wide shifted = whole >= 0 ? scaled << std::min<std::int64_t>(whole, 62) : scaled >> -whole;
  return static_cast<std::int64_t>(std::min<Wide>(shifted, most));
}

Lottery::Lottery(std::span<const std::int64_t> weights) {
  std::int64_t sum = 0;
  for (const std::int64_t weight : weights) {
    CHECK_GE(weight, 0);
    sums_.push_back(sum = checked_add(sum, weight));
  }
  CHECK(sum > 0);
}

std::size_t Lottery::draw(Random& random) const {
  const auto point = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(sums_.back())));
  return static_cast<std::size_t>(std::upper_bound(sums_.begin(), sums_.end(), point) - sums_.begin());
}

}  // namespace muster
