import TraceModel

/// The latest answer about the records of a running program, asked for again at each look.
///
/// Never more than one second in forty goes into the same question about another moment.
struct StudyCache: Sendable {
  private var last: (study: Study, answer: StudyAnswer)?
  private var madeAt = ContinuousClock.now
  private var cost = Duration.zero

  /// Times the cost of an answer that has to pass before a new one is made.
  private static let patience = 40.0

  /// An answer that will do: to the same question, or to it of another moment, if it was dear and is new.
  func recent(_ study: Study) -> StudyAnswer? {
    guard let last, study.isAlike(last.study), ContinuousClock.now - madeAt < cost * Self.patience
    else { return nil }
    return last.answer
  }

  /// The answer to the very same question about a trace that changes no more.
  func same(_ study: Study) -> StudyAnswer? { last?.study == study ? last?.answer : nil }

  mutating func keep(_ answer: StudyAnswer, to study: Study, since start: ContinuousClock.Instant) {
    last = (study, answer)
    madeAt = .now
    cost = madeAt - start
  }
}

extension Study {
  /// Whether both ask the same, though not of the same moment.
  fileprivate func isAlike(_ other: Study) -> Bool {
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
    default: return self == other
    }
  }

  private static func isSoon(_ moment: Duration, after other: Duration) -> Bool {
    moment >= other && moment - other < .seconds(10)
  }
}
