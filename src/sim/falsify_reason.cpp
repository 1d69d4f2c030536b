// False reasons: every other kind, and names that are no argument of the reason given.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "sim/falsify_parts.hpp"

namespace muster::sim {
namespace {

using scenario::ReasonCheck;

constexpr std::array<std::string_view, 9> kKinds = {
    "held",  "dependency-failed", "dependency", "never-fits", "node", "user-limit",
    "quota", "topology",          "capacity"};

/// Surely not named: the text occurs in no argument and, for resources, not in the sentence either.
bool is_foreign(const Explained& explained, const std::string& word) {
  const std::string text = lower(word);
  if (text.empty() || lower(explained.sentence).find(text) != std::string::npos) return false;
  const auto& names = explained.whys.front().names;
  return std::none_of(names.begin(), names.end(),
                      [&](const WhyName& name) { return lower(name.name).find(text) != std::string::npos; });
}

void add_foreign(const ReasonCheck& check, const Explained& explained, const std::string& word, Bent& bent) {
  if (!is_foreign(explained, word)) return;
  ReasonCheck wrong = check;
  wrong.names = {word};  // alone, so that nothing else can make the check fail
  bent.add(std::move(wrong), "reason of " + check.job + " naming " + word);
}

/// The first of `words` that is no argument.
void add_first_foreign(const ReasonCheck& check, const Explained& explained,
                       const std::vector<std::string>& words, Bent& bent) {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& word) { return is_foreign(explained, word); });
  if (found != words.end()) add_foreign(check, explained, *found, bent);
}

/// Resources may be worded freely in the sentence; all other words there prove nothing.
bool sounds_like_resource(const Facts& facts, const std::string& word) {
  const auto inside = [&](const std::string& name) { return word.find(lower(name)) != std::string::npos; };
  const auto& extended = facts.scenario.levels.extended;
  return inside("cpu") || inside("gpu") || inside("mem") ||
         std::any_of(extended.begin(), extended.end(), inside);
}

/// A word of the sentence that is not an argument: free text must not pass for a name.
void add_sentence_word(const Facts& facts, const ReasonCheck& check, const Explained& explained, Bent& bent) {
  const auto& names = explained.whys.front().names;
  for (const std::string_view part : split(explained.sentence, ' ')) {
    const std::string word = lower(part);
    const bool plain =
        word.size() > 2 && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    const bool argument = std::any_of(names.begin(), names.end(), [&](const WhyName& name) {
      return lower(name.name).find(word) != std::string::npos;
    });
    if (!plain || argument || sounds_like_resource(facts, word)) continue;
    ReasonCheck wrong = check;
    wrong.names = {word};
    bent.add(std::move(wrong), "reason of " + check.job + " naming the mere word " + word);
    return;
  }
}

}  // namespace

void bend(const Facts& facts, const ReasonCheck& check, Bent& bent) {
  const auto& all = facts.tape.explained;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Explained& explained) {
    return explained.job == check.job && explained.at == check.at;
  });
  if (found == all.end()) return;
  for (const std::string_view kind : kKinds) {
    if (kind == found->kind) continue;
    bent.add(ReasonCheck{.job = check.job, .at = check.at, .kind = std::string(kind), .names = {}},
             "reason of " + check.job + " -> " + std::string(kind));
  }
  if (found->whys.empty()) return;
  ReasonCheck right = check;
  right.kind = found->kind;
  for (const char* word : {"no-such-thing", "gpu", "cpu", "mem"}) add_foreign(right, *found, word, bent);
  add_first_foreign(right, *found, facts.tape.node_names, bent);
  add_first_foreign(right, *found, facts.tape.levels, bent);
  std::vector<std::string> queues;
  queues.reserve(facts.scenario.queues.size());
  for (const auto& queue : facts.scenario.queues) queues.push_back(queue.name);
  add_first_foreign(right, *found, queues, bent);
  add_sentence_word(facts, right, *found, bent);
}

}  // namespace muster::sim
