// At most 2000 scopes.
// `Scripts/type-check` reads this limit: how many scopes (attempts) the type checker may open.

import Reactive

func example(words: Signal<String, Never>) {
  _ = words.scan(into: [:]) { counts, word in counts[word, default: 0] += 1 }
    .map { (counts: [String: Int]) in counts.count }
  _ = words.scan(into: [String: Int]()) { $0[$1, default: 0] += 1 }.map { $0.values.max() ?? 0 }
  _ = words.scan(into: Set<String>()) { seen, word in seen.insert(word) }.map(\.count)
  _ = words.reduce(into: [String]()) { $0.append($1) }
  _ = words.scan(into: (0, "")) { state, word in
    state.0 += word.count
    state.1 = word
  }
}
