import TraceModel

/// The figures of a line of code that are worse, better or merely lower in the later of two runs.
struct LineChanges {
  private(set) var worse: [RunChange] = []
  private(set) var better: [RunChange] = []
  /// Changes to fewer events or fewer begun subscriptions, which may be good or bad.
  private(set) var less: [RunChange] = []

  private let row: DiffRow

  /// Compares the figures of a line; there are no changes unless both runs have the line.
  init(_ row: DiffRow, _ bounds: RunBounds) {
    self.row = row
    guard let before = row.earlier, let after = row.later else { return }
    failures(before, after, bounds)
    let live = (before.live.map { Double($0) }, after.live.map { Double($0) })
    add(.live, bounds.direction(before.live, after.live), live) {
      "live \(Quantity.count(before.live)) → \(Quantity.count(after.live))"
    }
    add(
      .begun,
      bounds.rateDirection(before.begun, after.begun),
      (before.begunRate, after.begunRate)
    ) {
      Self.rates("begun/s", before.begunRate, after.begunRate)
    }
    add(
      .events,
      bounds.eventDirection(before.events, after.events, live: (before.live, after.live)),
      (before.eventRate, after.eventRate)
    ) {
      Self.rates(row.kind == .timers ? "fires/s" : "events/s", before.eventRate, after.eventRate)
    }
    // Fewer live subscriptions explain fewer events.
    if better.contains(where: { $0.aspect == .live }) { less = [] }
    waits(before, after, bounds)
    lifetimes(before, after, bounds)
  }

  private mutating func add(
    _ aspect: RunChange.Aspect,
    _ direction: RunBounds.Direction?,
    _ values: (before: Double?, after: Double?),
    _ text: () -> String
  ) {
    guard let direction else { return }
    var change = RunChange(aspect, row.site, row.name, row.location, text())
    (change.before, change.after) = values
    switch (direction, aspect) {
    case (.more, _): worse.append(change)
    case (.less, .events), (.less, .begun): less.append(change)
    case (.less, _): better.append(change)
    }
  }

  private mutating func failures(_ before: RunFigures, _ after: RunFigures, _ bounds: RunBounds) {
    let whereEnded = before.ended != 0 && after.ended != 0
    guard let one = RunBounds.failures(before, whereEnded: whereEnded),
      let other = RunBounds.failures(after, whereEnded: whereEnded)
    else { return }
    let shares = (one.count / one.all, other.count / other.all)
    add(.failures, bounds.failures(before, after), shares) {
      // A damaged file may claim any count.
      func count(_ value: Double) -> String { Quantity.count(UInt64(min(value, 1e18))) }
      func text(_ part: (count: Double, all: Double)) -> String {
        "\(count(part.count)) of \(count(part.all))"
      }
      return "failed \(text(one)) → \(text(other))"
    }
  }

  private mutating func waits(_ before: RunFigures, _ after: RunFigures, _ bounds: RunBounds) {
    let count = (before.waitCount, after.waitCount)
    let medians = (before.waits?.median, after.waits?.median)
    lengths(.wait, bounds.waits(medians.0, medians.1, count: count, isLong: false), medians)
    let longs = (before.waits?.p99, after.waits?.p99)
    lengths(.longWait, bounds.waits(longs.0, longs.1, count: count, isLong: true), longs)
  }

  private mutating func lifetimes(_ before: RunFigures, _ after: RunFigures, _ bounds: RunBounds) {
    let count = (before.lifetimeCount, after.lifetimeCount)
    let medians = (before.medianLifetime, after.medianLifetime)
    lengths(.lifetime, bounds.lifetimes(medians.0, medians.1, count: count, isLong: false), medians)
    let longs = (before.longLifetime, after.longLifetime)
    lengths(.longLifetime, bounds.lifetimes(longs.0, longs.1, count: count, isLong: true), longs)
  }

  private mutating func lengths(
    _ aspect: RunChange.Aspect,
    _ direction: RunBounds.Direction?,
    _ lengths: (before: Duration?, after: Duration?)
  ) {
    let values = (
      lengths.before.map { $0 / .nanoseconds(1) }, lengths.after.map { $0 / .nanoseconds(1) }
    )
    add(aspect, direction, values) {
      let what =
        switch aspect {
        case .wait: "half of the waits on queues last up to"
        case .longWait: "99 % of the waits on queues last up to"
        case .lifetime: "half live up to"
        default: "99 % live up to"
        }
      return "\(what) \(Quantity.duration(lengths.before)) → \(Quantity.duration(lengths.after))"
    }
  }

  private static func rates(_ what: String, _ before: Double?, _ after: Double?) -> String {
    let text = "\(what) \(Quantity.rate(before)) → \(Quantity.rate(after))"
    guard let before, let after, before > 0, after > 0 else { return text }
    return "\(text) (×\(Quantity.rate(after / before)))"
  }
}
