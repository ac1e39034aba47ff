import TraceModel

/// The latest answers about the records of a running program, asked for again at each look.
///
/// Never more than one second in forty goes into the same question about another moment.
struct QueryCache: Sendable {
  private struct Kept {
    let query: TraceQuery
    let answer: TraceAnswer
    let madeAt: ContinuousClock.Instant
    let cost: Duration
  }

  /// The latest last.
  private var kept: [Kept] = []

  /// Times the cost of an answer that has to pass before a new one is made.
  private static let patience = 40.0
  /// Questions that a screen asks at once, and that of the screen before.
  private static let limit = 3

  /// An answer that will do: to the same question, or to it of another moment, if it was dear and is new.
  func recent(_ query: TraceQuery) -> TraceAnswer? {
    kept.last { one in
      query.isAlike(one.query) && ContinuousClock.now - one.madeAt < one.cost * Self.patience
    }?.answer
  }

  /// The answer to the very same question about a trace that changes no more.
  func same(_ query: TraceQuery) -> TraceAnswer? { kept.last { $0.query == query }?.answer }

  mutating func keep(
    _ answer: TraceAnswer,
    to query: TraceQuery,
    since start: ContinuousClock.Instant
  ) {
    kept.removeAll { query.isAlike($0.query) }
    let now = ContinuousClock.now
    kept.append(Kept(query: query, answer: answer, madeAt: now, cost: now - start))
    kept.removeFirst(max(0, kept.count - Self.limit))
  }
}

extension TraceQuery {
  /// Whether both ask the same, though not of the same moment.
  fileprivate func isAlike(_ other: TraceQuery) -> Bool {
    switch (self, other) {
    case (.marbles(var one), .marbles(let two)):
      // Scrolled or zoomed by hand is another question; going with the time is not.
      guard one.span == two.span, one.from >= two.from, one.from - two.from < one.span / 2 else {
        return false
      }
      one.from = two.from
      return one == two
    case (.queues(let one), .queues(let two)): return Self.isSoon(one, after: two)
    case (.histograms(let scope, let one), .histograms(let same, let two)):
      return scope == same && Self.isSoon(one, after: two)
    case (.account(let scope, let one), .account(let same, let two)):
      return scope == same && Self.isSoon(one, after: two)
    case (.flow(let from, let to), .flow(let start, let end)):
      return Self.isSoon(from, after: start) && Self.isSoon(to, after: end)
    default: return self == other
    }
  }

  private static func isSoon(_ moment: Duration, after other: Duration) -> Bool {
    moment >= other && moment - other < .seconds(10)
  }
}
