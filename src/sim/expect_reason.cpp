// Why a job waits. The kind must be the expected one, and each expected name must be an ARGUMENT of the
// first reason, not a word that happens to stand in the sentence: a sentence about rack space must not
// pass for one that names the level `rack`. Resources alone may be worded in the sentence ("4 GPUs short"),
// and only if the reason is about a resource at all.
#include <algorithm>

#include "base/text.hpp"
#include "sim/expect_parts.hpp"

namespace muster::sim {
namespace {

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Names are made of these: "w-1" must not pass for "w", "zone" is a word of "example.com/zone".
bool is_name_char(char c) { return is_alphanumeric(c) || c == '_' || c == '-' || c == '.'; }

/// Whether lower-case `word` stands in lower-case `text` with no character of `inside` next to it.
template <class Inside>
bool has_word(std::string_view text, std::string_view word, Inside inside) {
  if (word.empty()) return false;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !inside(text[at - 1]);
    const bool stops = end == text.size() || !inside(text[end]);
    if (starts && stops) return true;
  }
  return false;
}

bool is_resource(const Watch& watch, const std::string& word) {
  if (word == "cpu" || word == "gpu" || word == "mem" || word == "memory") return true;
  const auto& extended = watch.scenario().levels.extended;
  return std::any_of(extended.begin(), extended.end(), [&](const auto& name) { return lower(name) == word; });
}

bool names_resource(const Explained& explained, const std::string& word) {
  const std::string root = word == "memory" ? "mem" : word;
  bool about_resources = false;
  for (const WhyName& name : explained.whys.front().names) {
    if (name.kind != Named::Resource) continue;
    about_resources = true;
    if (lower(name.name).find(root) != std::string::npos) return true;
  }
  if (!about_resources) return false;
  const std::string sentence = lower(explained.sentence);
  return has_word(sentence, root, is_alphanumeric) || has_word(sentence, root + "s", is_alphanumeric) ||
         (root == "mem" && has_word(sentence, "memory", is_alphanumeric));
}

bool names(const Watch& watch, const Explained& explained, const std::string& expected) {
  if (explained.whys.empty()) return false;
  const std::string word = lower(expected);
  for (const WhyName& name : explained.whys.front().names) {
    if (has_word(lower(name.name), word, is_name_char)) return true;
  }
  return is_resource(watch, word) && names_resource(explained, word);
}

std::string arguments_of(const Explained& explained) {
  std::vector<std::string> arguments;
  if (!explained.whys.empty()) {
    for (const WhyName& name : explained.whys.front().names) arguments.push_back(name.name);
  }
  return "[" + join(arguments, " ") + "]";
}

}  // namespace

Findings unmet(const Watch& watch, const scenario::ReasonCheck& check) {
  Findings findings;
  const auto report = [&](const std::string& expected, std::string seen) {
    findings.push_back({.at = check.at,
                        .job = check.job,
                        .expected = "reason: " + check.job + " " + expected,
                        .seen = std::move(seen)});
  };
  const auto& all = watch.tape().explained;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Explained& explained) {
    return explained.job == check.job && explained.at == check.at;
  });
  if (found == all.end()) {
    report(check.kind, "no explanation");
    return findings;
  }
  if (found->kind != check.kind) report(check.kind, found->kind + ": " + found->sentence);
  for (const auto& name : check.names) {
    if (names(watch, *found, name)) continue;
    report("naming " + name, arguments_of(*found) + " in: " + found->sentence);
  }
  return findings;
}

}  // namespace muster::sim
