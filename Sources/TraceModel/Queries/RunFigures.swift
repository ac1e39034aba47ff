package import TraceReading

/// What one run of a program says of a line of code, to be compared with another run.
///
/// Counts are those of the whole run, nil where its trace cannot tell.
package struct RunFigures: Sendable {
  /// Of the recording.
  package var length = Duration.zero
  /// How many live at the end, as Sites counts the line.
  package var live: UInt64?
  /// How many ever began.
  package var begun: UInt64?
  /// Events ever, or fires where the line has only timers.
  package var events: UInt64?
  /// Subscriptions that have ended, by `EndReason`; empty where unknown.
  package var endedByReason: [UInt64] = []
  /// How many ended subscriptions the lifetimes are of.
  package var lifetimeCount: UInt64?
  /// What half of them did not outlive: a power of two, or the length of the recording.
  package var medianLifetime: Duration?
  /// What 99 of 100 of them did not outlive.
  package var longLifetime: Duration?
  /// How long work for its subscriptions waited on queues; nil where that is not recorded.
  package var waits: Percentiles?

  /// Figures of which nothing is known.
  package init() {}

  /// Those of a row.
  ///
  /// - Parameters:
  ///   - row: The line, at the end of a recording.
  ///   - length: Of the recording.
  ///   - waits: What its records tell of queues; nil where they tell nothing.
  package init(_ row: SiteRow, length: Duration, _ waits: WaitReport?) {
    self.length = length
    (live, begun, events) = (row.liveOfKind, row.everOfKind, row.eventsOfKind)
    endedByReason = row.endedByReason
    lifetimeCount = row.lifetimes.map { $0.reduce(0) { $0.saturatingAdding(UInt64($1)) } }
    (medianLifetime, longLifetime) = (row.medianLifetime, row.longLifetime)
    self.waits = waits.map { $0.sites[row.id] ?? Percentiles() }
  }

  /// How much work the waits are of.
  package var waitCount: UInt64? { waits.map { UInt64($0.count) } }

  /// Subscriptions that have ended; nil where unknown.
  package var ended: UInt64? {
    endedByReason.isEmpty ? nil : endedByReason.reduce(0) { $0.saturatingAdding($1) }
  }

  /// How many ended in one way; nil where unknown.
  package func ended(_ reason: EndReason) -> UInt64? {
    let place = Int(reason.rawValue)
    return endedByReason.indices.contains(place) ? endedByReason[place] : nil
  }

  /// Of those that have ended, the part that ended in one way; nil where unknown, and where none has.
  package func share(_ reason: EndReason) -> Double? {
    guard let count = ended(reason), let ended, ended > 0 else { return nil }
    return Double(count) / Double(ended)
  }

  /// Begun in a second of the run; nil where unknown, and for a run of no length.
  package var begunRate: Double? { rate(begun) }

  /// Events in a second of the run.
  package var eventRate: Double? { rate(events) }

  private func rate(_ count: UInt64?) -> Double? {
    guard let count, length > .zero else { return nil }
    return Double(count) / (length / .seconds(1))
  }
}

/// Something in which one run differs from another by more than chance, and more than their lengths explain.
package struct RunChange: Sendable {
  /// What differs.
  package enum Aspect: String, Sendable, CaseIterable {
    case finding, failures, live, begun, events, wait, longWait, lifetime, longLifetime

    /// What tables and lists call it.
    package var title: String {
      switch self {
      case .finding: "finding"
      case .failures: "failures"
      case .live: "live"
      case .begun: "begun/s"
      case .events: "events/s"
      case .wait: "wait"
      case .longWait: "long wait"
      case .lifetime: "lifetime"
      case .longLifetime: "long lifetime"
      }
    }
  }

  /// What differs.
  package var aspect: Aspect
  /// Row of the site in the later run; nil for a line that only the earlier one has.
  package var site: UInt32?
  /// The operator, unfiltered.
  package var name: String
  /// `File.swift:88`.
  package var location: String
  /// Of a finding, its level in the later run, or where it is gone, in the earlier one.
  package var level: FindingLevel?
  /// Of a finding, what it is recognised by.
  package var fingerprint: String?
  /// A count, a share of 1, a number per second, or nanoseconds; nil of findings.
  package var before: Double?
  /// The same in the later run.
  package var after: Double?
  /// What changed, with figures.
  package var text: String

  /// One that is about a line of code.
  package init(
    _ aspect: Aspect,
    _ site: UInt32?,
    _ name: String,
    _ location: String,
    _ text: String
  ) {
    self.aspect = aspect
    (self.site, self.name, self.location, self.text) = (site, name, location, text)
  }

  /// How many times as much there is; nil from nothing, and of findings.
  package var factor: Double? {
    guard let before, let after, before > 0 else { return nil }
    return after / before
  }
}
