import TraceModel
import TraceReading

/// The bounds above which a difference between two runs of a program is neither chance nor
/// negligible.
///
/// Two runs of one program never have exactly the same figures. A figure is called worse, or
/// better, only if the difference exceeds all of these bounds that apply to the figure:
///
/// - **Length.** Some things happen once per run, however long the run is. Others happen all the
///   time, and therefore more often in a longer run. Most programs do both. The count of the longer
///   run is therefore expected to lie between the count of the shorter run and that count
///   multiplied by the ratio of the lengths. Only a count outside this range is a difference. Fewer
///   differences are found the more the lengths differ. If more subscriptions of a line are live in
///   the longer run and each of them sends, proportionally more events are expected as well, up to
///   the ratio of the lengths.
/// - **Factor.** The greater figure is at least ``factor`` times the smaller one.
/// - **Chance.** Counts are treated as those of independent events (a Poisson process). If nothing
///   has changed, the later run has its expected share of everything that happened in both runs; a
///   deviation of up to ``deviations`` standard deviations of the binomial distribution is allowed.
///   In runs of equal length, 3 against 5 and 0 against 8 are chance; 0 against 9 and 20 against 45
///   are not. The events of a line are first divided by ``burst``, because one click may send
///   several.
/// - **Size.** Rates differ by at least ``leastRate`` per second.
/// - **Failures.** The share of failures among the ended subscriptions is greater by at least
///   ``leastShare``, and by the factor, and there are more failures than the ratio of the lengths
///   explains. Only ``shareDeviations`` standard deviations are put down to chance, because the
///   same code usually fails each time or never. So 0 of 3 against 3 of 3 is a difference, and so
///   is 0 of 10 against 5 of 10; 0 of 2 against 2 of 2 is not. If no subscription ended in one of
///   the runs, failures are compared with the subscriptions that began.
/// - **Durations.** Lifetimes are known only as powers of two, so they must differ by the factor
///   ``lifetimeFactor``, which is two powers of two, and by ``leastLifetime``. If the lengths of
///   the runs differ by more than a tenth, only lifetimes shorter than half of the shorter run are
///   compared, because that run misses many longer ones. Waits on queues differ by ``waitFactor``
///   and by ``leastWait``; a smaller difference may come from a busy machine. A median needs
///   ``medianCount`` values in both runs. A 99th percentile needs ``longCount`` values, so that it
///   does not depend on one or two of them, and must differ by ten times the minimum for a median.
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

  /// The lengths of the earlier and of the later run, in seconds.
  let lengths: (before: Double, after: Double)

  /// Bounds for runs of these lengths.
  init(before: Duration, after: Duration) {
    lengths = (max(0, before / .seconds(1)), max(0, after / .seconds(1)))
  }

  /// The direction of a difference; nil stands for a difference that is negligible or may be
  /// chance.
  enum Direction: Sendable { case more, less }

  /// The bounds with the runs exchanged.
  private var swapped: RunBounds { RunBounds((lengths.after, lengths.before)) }

  private init(_ lengths: (before: Double, after: Double)) { self.lengths = lengths }

  /// The length of the later run divided by that of the earlier one, but at least 1; nil if exactly
  /// one of them has no length.
  private var growth: Double? {
    switch (lengths.before > 0, lengths.after > 0) {
    case (true, true): max(1, lengths.after / lengths.before)
    case (false, false): 1
    default: nil
    }
  }

  // MARK: Counts

  /// Compares counts that may be higher in a longer run.
  func direction(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard let before, let after else { return nil }
    if hasMore(before, after, 1) { return .more }
    return swapped.hasMore(after, before, 1) ? .less : nil
  }

  /// Compares counts as rates per second.
  func rateDirection(_ before: UInt64?, _ after: UInt64?) -> Direction? {
    guard differsNoticeably(before, after) else { return nil }
    return direction(before, after)
  }

  /// Compares the events of a line, given the live counts at the end of each run.
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

  /// Compares the shares of failures.
  func failures(_ before: RunFigures, _ after: RunFigures) -> Direction? {
    guard let one = Self.failures(before, whereEnded: before.ended != 0 && after.ended != 0),
      let other = Self.failures(after, whereEnded: before.ended != 0 && after.ended != 0)
    else { return nil }
    if fail(one, other, moreThan: growth) { return .more }
    return fail(other, one, moreThan: swapped.growth) ? .less : nil
  }

  /// The numerator and the denominator of the share of failures; nil if either is unknown or there
  /// are no subscriptions.
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

  // MARK: Durations

  /// Compares two medians of lifetimes or, if `isLong`, two 99th percentiles.
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

  /// Compares two medians of waits on queues or, if `isLong`, two 99th percentiles.
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
