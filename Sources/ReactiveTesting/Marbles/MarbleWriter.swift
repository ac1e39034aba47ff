import Reactive

/// Turns values into characters by a legend, and assigns unused capital letters to values that the
/// legend does not contain.
struct MarbleWriter {
  private var symbols: [String: Character] = [:]
  /// Characters that must not stand for a value of which they are the whole description.
  private var taken: Set<Character>
  private var unused: [Character]
  private var new: [(symbol: Character, text: String)] = []

  /// - Parameters:
  ///   - legend: What characters stand for.
  ///   - expected: A diagram to compare with: no value that the legend lacks gets one of its
  ///     characters, because the diagrams would then be equal by chance.
  init(_ legend: [Character: String], comparedWith expected: Marbles = Marbles([])) {
    for (symbol, text) in legend { symbols[text] = symbol }
    taken = Set(legend.keys)
    let expected = Set(expected.items.compactMap(\.symbol.first))
    unused = "ZYXWVUTSRQPONMLKJIHGFEDCBA".filter { legend[$0] == nil && !expected.contains($0) }
  }

  private mutating func event<Value, Failure>(
    _ event: Event<Value, Failure>
  ) -> Event<String, MarbleFailure> {
    switch event {
    case .next(let value): .next(String(symbol(for: "\(value)")))
    case .failed: .failed(MarbleFailure())
    case .completed: .completed
    }
  }

  private mutating func symbol(for text: String) -> Character {
    if let known = symbols[text] { return known }
    if text.count == 1, let only = text.first, !taken.contains(only) { return only }
    let made = unused.popLast() ?? "?"
    symbols[text] = made
    taken.insert(made)
    new.append((made, text))
    return made
  }

  /// A diagram of recorded events.
  mutating func marbles<Value, Failure>(
    _ entries: [Recorder<Value, Failure>.Entry],
    frame: Duration
  ) -> Marbles {
    // Values that are one character come first to the letters.
    let characters = entries.compactMap { entry -> Character? in
      guard case .next(let value) = entry.event, case let text = "\(value)", text.count == 1 else {
        return nil
      }
      return text.first
    }
    unused.removeAll(where: Set(characters).contains)
    return Marbles(
      entries.map { entry in
        // The quotient of two durations is rounded.
        let place = Int(entry.time.attoseconds / frame.attoseconds)
        return Marbles.Item(frame: place, event: event(entry.event))
      }
    )
  }

  /// The legend of the assigned characters, one line for each.
  var legendText: String { new.map { "\n\($0.symbol): \($0.text)" }.joined() }
}
