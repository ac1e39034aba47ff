import TraceModel
import TraceReading

/// What is more than chance, and matters, where one run of a program differs from another.
///
/// Two runs of one program never have the same figures. Called worse, or better, is only what passes all of these:
///
/// - **Length.** What a program does once comes as often in a run of any length, what it does all the time comes more often in a longer
///   one, and most programs do both. A count of a longer run is therefore expected to lie anywhere between that of the shorter one and as
///   many times of it as it is longer; only what lies outside differs. Where the later run is the shorter one, less is found by this: runs
///   of about the same length tell most. Where more of a line live in the longer run, each of which sends, as many times more events are
///   expected besides, but no more than it is longer.
/// - **Factor.** ``factor``: half as many again.
/// - **Chance.** Counts are taken for those of things that happen independently of one another (Poisson). Of all that happened in both
///   runs, the later one has its expected part, and a binomial deviation is allowed: ``deviations`` of it. So 3 against 5 is chance, and
///   so is 0 against 8; 0 against 9 and 20 against 45 are not. Events come in bursts, for a click sends several: ``burst`` of them count
///   as one.
/// - **Size.** ``leastRate`` in a second for rates.
/// - **Failures.** Of those that ended, a part greater by ``leastShare``, and by the factor, and more of them than length explains.
///   ``shareDeviations``: a program does the same thing again, so that none of three against all three tells enough, and none of ten
///   against five of ten does; none of two against both does not. Where none has ended in the earlier run, those that began are taken.
/// - **Lengths of time.** Lifetimes are known as powers of two: ``lifetimeFactor``, which is two of them, and ``leastLifetime``. Those of
///   runs of different length are compared only where they are shorter than half of the shorter run, for it cannot have shown longer ones.
///   Waits on queues: ``waitFactor`` and ``leastWait``; below that it is the machine that was busy. A median wants ``medianCount`` of both
///   runs, what 99 of 100 do not exceed ``longCount``, so that more than one or two decide, and ten times the least.
struct RunBounds: Sendable {
  static let factor = 1.5
  static let deviations = 3.0
  static let burst: UInt64 = 4
  static let leastRate = 0.1
  static let leastShare = 0.05
  static let shareDeviations = 2.4
  static let lifetimeFactor = 4.0
  static let leastLifetime = Duration.milliseconds(10)
  static let waitFactor = 2.0
  static let leastWait = Duration.milliseconds(10)
  static let medianCount: UInt64 = 20
  static let longCount: UInt64 = 300

  /// Seconds of the earlier run and of the later one.
  let lengths: (before: Double, after: Double)

  /// Bounds for runs of these lengths.
  init(before: Duration, after: Duration) {
    lengths = (max(0, before / .seconds(1)), max(0, after / .seconds(1)))
  }

  /// Whether there is more or less in the later run; nil where what differs may be chance, or does not matter.
  enum Direction: Sendable { case more, less }

  /// The bounds for the runs the other way round.
  private var swapped: RunBounds { RunBounds((lengths.after, lengths.before)) }

  private init(_ lengths: (before: Double, after: Double)) { self.lengths = lengths }

  /// How many times as long the later run is, at least 1; nil where one has no length and the other has.
  private var growth: Double? {
    switch (lengths.before > 0, lengths.after > 0) {
    case (true, true): max(1, lengths.after / lengths.before)
    case (false, false): 1
    default: nil
    }
  }

  // MARK: Counts

  /// How a count differs of which there may be more in a longer run.
  func direction(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard let before, let after else { return nil }
    if hasMore(before, after, 1) { return .more }
    return swapped.hasMore(after, before, 1) ? .less : nil
  }

  /// How one differs that is told per second.
  func rateDirection(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard isMuch(before, after) else { return nil }
    return direction(before, after)
  }

  /// How the events of a line differ, of which so many live at the end of either run.
  func eventDirection(
    _ before: UInt64?,
    _ after: UInt64?,
    live: (before: UInt64?, after: UInt64?)
  ) -> Direction? {
    guard let before, let after, isMuch(before, after), let growth, let shrinkage = swapped.growth
    else { return nil }
    let (one, other) = (Double(max(1, live.before ?? 1)), Double(max(1, live.after ?? 1)))
    if hasMore(before, after, Self.burst, senders: min(growth, max(1, other / one))) {
      return .more
    }
    let senders = min(shrinkage, max(1, one / other))
    return swapped.hasMore(after, before, Self.burst, senders: senders) ? .less : nil
  }

  /// Whether what happens in a second differs by more than next to nothing.
  private func isMuch(_ before: UInt64?, _ after: UInt64?) -> Bool {
    guard let before, let after, lengths.before > 0, lengths.after > 0 else { return false }
    let difference = Double(after) / lengths.after - Double(before) / lengths.before
    return abs(difference) >= Self.leastRate
  }

  private func hasMore(
    _ before: UInt64,
    _ after: UInt64,
    _ burst: UInt64,
    senders: Double = 1
  ) -> Bool {
    guard let growth = growth.map({ $0 * senders }) else { return false }
    let (before, after) = (Double(before) / Double(burst), Double(after) / Double(burst))
    guard after > before, after >= Self.factor * growth * before else { return false }
    // Of all of them, the part that falls to the later run if nothing has changed.
    let part = growth / (1 + growth)
    let all = before + after
    return after - all * part >= Self.deviations * (all * part * (1 - part)).squareRoot()
  }

  // MARK: Failures

  /// How the part of failures differs.
  func failures(_ before: RunFigures, _ after: RunFigures) -> Direction? {
    guard let one = Self.failures(before, whereEnded: before.ended != 0 && after.ended != 0),
      let other = Self.failures(after, whereEnded: before.ended != 0 && after.ended != 0)
    else { return nil }
    if fail(one, other, moreThan: growth) { return .more }
    return fail(other, one, moreThan: swapped.growth) ? .less : nil
  }

  /// How many failed of how many; nil where that is unknown, and where there were none.
  static func failures(_ figures: RunFigures, whereEnded: Bool) -> (count: Double, all: Double)? {
    guard let count = figures.ended(.failed), let all = whereEnded ? figures.ended : figures.begun,
      all > 0
    else { return nil }
    return (Double(min(count, all)), Double(all))
  }

  private func fail(
    _ one: (count: Double, all: Double),
    _ other: (count: Double, all: Double),
    moreThan growth: Double?
  ) -> Bool {
    guard let growth, other.count > one.count * growth else { return false }
    let (before, after) = (one.count / one.all, other.count / other.all)
    guard after - before >= Self.leastShare, after >= Self.factor * before else { return false }
    let pooled = (one.count + other.count) / (one.all + other.all)
    let deviation = (pooled * (1 - pooled) * (1 / one.all + 1 / other.all)).squareRoot()
    return after - before >= Self.shareDeviations * deviation
  }

  // MARK: Lengths of time

  /// How lifetimes differ: what half of them did not exceed, or nearly all.
  func lifetimes(
    _ before: Duration?,
    _ after: Duration?,
    count: (UInt64?, UInt64?),
    isLong: Bool
  ) -> Direction? {
    guard let before, let after, Self.isEnough(count, isLong) else { return nil }
    if abs(lengths.before - lengths.after) > 0.1 * min(lengths.before, lengths.after) {
      let most = max(before, after) / .seconds(1)
      guard most < min(lengths.before, lengths.after) / 2 else { return nil }
    }
    return Self.direction(before, after, Self.lifetimeFactor, Self.leastLifetime, isLong)
  }

  /// How waits on queues differ.
  func waits(
    _ before: Duration?,
    _ after: Duration?,
    count: (UInt64?, UInt64?),
    isLong: Bool
  ) -> Direction? {
    guard let before, let after, Self.isEnough(count, isLong) else { return nil }
    return Self.direction(before, after, Self.waitFactor, Self.leastWait, isLong)
  }

  private static func isEnough(_ count: (UInt64?, UInt64?), _ isLong: Bool) -> Bool {
    min(count.0 ?? 0, count.1 ?? 0) >= (isLong ? longCount : medianCount)
  }

  private static func direction(
    _ before: Duration,
    _ after: Duration,
    _ factor: Double,
    _ least: Duration,
    _ isLong: Bool
  ) -> Direction? {
    let (shorter, longer) = (min(before, after), max(before, after))
    guard longer - shorter >= (isLong ? least * 10 : least),
      longer / .nanoseconds(1) >= factor * (shorter / .nanoseconds(1))
    else { return nil }
    return after > before ? .more : .less
  }
}
