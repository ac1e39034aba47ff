import TraceModel

/// Keeps the latest answers to questions about the records, because a screen asks the same
/// questions at each refresh.
///
/// At most one second in forty is spent on answering the same question about a later instant.
struct QueryCache: Sendable {
  private struct Entry {
    let query: TraceQuery
    let answer: TraceAnswer
    let madeAt: ContinuousClock.Instant
    let cost: Duration
  }

  /// The answers, in chronological order.
  private var entries: [Entry] = []

  /// How long an answer is kept, as a multiple of the time that it took to compute it.
  private static let lifetimeFactor = 40.0
  /// The number of questions that one screen asks at once, and one more for the previous screen.
  private static let limit = 3

  /// A recent answer to this question, or to the same question about a slightly earlier instant;
  /// the more expensive an answer was, the longer it is kept.
  func recent(_ query: TraceQuery) -> TraceAnswer? {
    entries.last { one in
      query.isAlike(one.query) && ContinuousClock.now - one.madeAt < one.cost * Self.lifetimeFactor
    }?.answer
  }

  /// The answer to exactly the same question about a trace that no longer changes.
  func same(_ query: TraceQuery) -> TraceAnswer? { entries.last { $0.query == query }?.answer }

  mutating func keep(
    _ answer: TraceAnswer,
    to query: TraceQuery,
    since start: ContinuousClock.Instant
  ) {
    entries.removeAll { query.isAlike($0.query) }
    let now = ContinuousClock.now
    entries.append(Entry(query: query, answer: answer, madeAt: now, cost: now - start))
    entries.removeFirst(max(0, entries.count - Self.limit))
  }
}

extension TraceQuery {
  /// Whether both are the same question, possibly about instants that are close together.
  fileprivate func isAlike(_ other: TraceQuery) -> Bool {
    switch (self, other) {
    case (.marbles(var one), .marbles(let two)):
      // A view that has been scrolled or zoomed asks a new question; a view that only follows the
      // time asks the same one.
      guard one.span == two.span, one.from >= two.from, one.from - two.from < one.span / 2 else {
        return false
      }
      one.from = two.from
      return one == two
    case (.queues(let one), .queues(let two)): return Self.isShortly(one, after: two)
    case (.histograms(let scope, let one), .histograms(let same, let two)):
      return scope == same && Self.isShortly(one, after: two)
    case (.account(let scope, let one), .account(let same, let two)):
      return scope == same && Self.isShortly(one, after: two)
    case (.flow(let from, let to), .flow(let start, let end)):
      return Self.isShortly(from, after: start) && Self.isShortly(to, after: end)
    default: return self == other
    }
  }

  private static func isShortly(_ moment: Duration, after other: Duration) -> Bool {
    moment >= other && moment - other < .seconds(10)
  }
}
