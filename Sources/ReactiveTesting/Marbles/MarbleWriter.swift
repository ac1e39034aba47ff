import Reactive

/// Turns values into characters by a legend, and assigns unused capital letters to values that the
/// legend does not contain.
struct MarbleWriter {
  private var symbols: [String: Character] = [:]
  private var unused: [Character]
  private var new: [(symbol: Character, text: String)] = []

  init(_ legend: [Character: String]) {
    for (symbol, text) in legend { symbols[text] = symbol }
    unused = "ZYXWVUTSRQPONMLKJIHGFEDCBA".filter { legend[$0] == nil }
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
    if text.count == 1, let only = text.first { return only }
    let made = unused.popLast() ?? "?"
    symbols[text] = made
    new.append((made, text))
    return made
  }

  /// A diagram of recorded events.
  mutating func marbles<Value, Failure>(
    _ entries: [Recorder<Value, Failure>.Entry],
    frame: Duration
  ) -> Marbles {
    Marbles(entries.map { Marbles.Item(frame: Int($0.time / frame), event: event($0.event)) })
  }

  /// The legend of the assigned characters, one line for each.
  var legendText: String { new.map { "\n\($0.symbol): \($0.text)" }.joined() }
}
