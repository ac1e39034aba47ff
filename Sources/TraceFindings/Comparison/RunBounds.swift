import TraceModel
import TraceReading

/// The bounds above which a difference between two runs of a program is neither chance nor
/// negligible.
///
/// Two runs of one program never have the same figures. A figure is called worse, or better, only
/// if it passes all of these bounds:
///
/// - **Length.** What a program does once happens equally often in a run of any length, what it
///   does all the time happens more often in a longer one, and most programs do both. A count of a
///   longer run is therefore expected to lie between that of the shorter one and that count
///   multiplied by the ratio of the lengths; only a count outside this range differs. Where the
///   later run is the shorter one, this finds less: runs of about the same length are the most
///   informative. Where more subscriptions of a line are live in the longer run, each of which
///   sends, proportionally more events are expected as well, up to the ratio of the lengths.
/// - **Factor.** ``factor``: half as many again.
/// - **Chance.** Counts are treated as those of independent events (Poisson). The later run has its
///   expected share of everything that happened in both runs, and a binomial deviation of
///   ``deviations`` is allowed. So 3 against 5 is chance, and so is 0 against 8; 0 against 9 and 20
///   against 45 are not. Events come in bursts, because one click sends several: ``burst`` of them
///   count as one.
/// - **Size.** For rates, at least ``leastRate`` per second.
/// - **Failures.** The share of failures among those that ended has to be greater by
///   ``leastShare``, and by the factor, and their number greater than length explains.
///   ``shareDeviations``: a program repeats what it does, so that none of three against all three
///   suffices, and so does none of ten against five of ten; none of two against both does not.
///   Where none has ended in the earlier run, the share is of those that began.
/// - **Lengths of time.** Lifetimes are known as powers of two: ``lifetimeFactor``, which is two of
///   them, and ``leastLifetime``. Those of runs of different length are compared only where they
///   are shorter than half of the shorter run, because that run cannot have shown longer ones.
///   Waits on queues: ``waitFactor`` and ``leastWait``; a smaller difference may come from a busy
///   machine. A median needs ``medianCount`` values in both runs, a 99th percentile ``longCount``,
///   so that more than one or two decide, and ten times the minimum.
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

  /// The lengths in seconds of the earlier run and of the later one.
  let lengths: (before: Double, after: Double)

  /// Bounds for runs of these lengths.
  init(before: Duration, after: Duration) {
    lengths = (max(0, before / .seconds(1)), max(0, after / .seconds(1)))
  }

  /// Whether the later run has more or less; nil where the difference may be chance, or is
  /// negligible.
  enum Direction: Sendable { case more, less }

  /// The bounds for the runs in reverse order.
  private var swapped: RunBounds { RunBounds((lengths.after, lengths.before)) }

  private init(_ lengths: (before: Double, after: Double)) { self.lengths = lengths }

  /// How many times as long as the earlier run the later one is, at least 1; nil where one has no
  /// length and the other has.
  private var growth: Double? {
    switch (lengths.before > 0, lengths.after > 0) {
    case (true, true): max(1, lengths.after / lengths.before)
    case (false, false): 1
    default: nil
    }
  }

  // MARK: Counts

  /// The direction of a count that may be higher in a longer run.
  func direction(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard let before, let after else { return nil }
    if hasMore(before, after, 1) { return .more }
    return swapped.hasMore(after, before, 1) ? .less : nil
  }

  /// The direction of a count that is compared per second.
  func rateDirection(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard differsNoticeably(before, after) else { return nil }
    return direction(before, after)
  }

  /// The direction of the events of a line, given the live counts at the end of either run.
  func eventDirection(
    _ before: UInt64?,
    _ after: UInt64?,
    live: (before: UInt64?, after: UInt64?)
  ) -> Direction? {
    guard let before, let after, differsNoticeably(before, after), let growth,
      let shrinkage = swapped.growth
    else { return nil }
    let (one, other) = (Double(max(1, live.before ?? 1)), Double(max(1, live.after ?? 1)))
    if hasMore(before, after, Self.burst, senders: min(growth, max(1, other / one))) {
      return .more
    }
    let senders = min(shrinkage, max(1, one / other))
    return swapped.hasMore(after, before, Self.burst, senders: senders) ? .less : nil
  }

  /// Whether a rate differs by more than a negligible amount.
  private func differsNoticeably(_ before: UInt64?, _ after: UInt64?) -> Bool {
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
    // The share of all events that the later run has if nothing has changed.
    let part = growth / (1 + growth)
    let all = before + after
    return after - all * part >= Self.deviations * (all * part * (1 - part)).squareRoot()
  }

  // MARK: Failures

  /// The direction of the share of failures.
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

  /// The direction of lifetimes: of the median, or of the 99th percentile.
  func lifetimes(
    _ before: Duration?,
    _ after: Duration?,
    count: (UInt64?, UInt64?),
    isLong: Bool
  ) -> Direction? {
    guard let before, let after, Self.hasEnoughSamples(count, isLong) else { return nil }
    if abs(lengths.before - lengths.after) > 0.1 * min(lengths.before, lengths.after) {
      let most = max(before, after) / .seconds(1)
      guard most < min(lengths.before, lengths.after) / 2 else { return nil }
    }
    return Self.direction(before, after, Self.lifetimeFactor, Self.leastLifetime, isLong)
  }

  /// The direction of waits on queues.
  func waits(
    _ before: Duration?,
    _ after: Duration?,
    count: (UInt64?, UInt64?),
    isLong: Bool
  ) -> Direction? {
    guard let before, let after, Self.hasEnoughSamples(count, isLong) else { return nil }
    return Self.direction(before, after, Self.waitFactor, Self.leastWait, isLong)
  }

  private static func hasEnoughSamples(_ count: (UInt64?, UInt64?), _ isLong: Bool) -> Bool {
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
