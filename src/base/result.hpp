// Two of the three kinds of "no": an Error is bad input or failed I/O and says where; a refusal is an
// `Answer` (model/why.hpp). The third kind, a bug, is CHECK. No exception crosses a file of ours.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace muster {

/// Where in an input text something stands; 0 = unknown. Lines and columns count from 1.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Error {
  Location where;
  std::string field;    ///< path of the field in the document, e.g. "jobs[3].each.gpu"; may be empty
  std::string message;  ///< what is wrong, with the offending value
  std::string hint;     ///< what to write instead; may be empty
};

/// "file:12:5: jobs[3].each.gpu: message (hint)"
std::string to_string(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }
inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{.where = {}, .field = {}, .message = std::move(message), .hint = {}});
}

}  // namespace muster
