package import TraceReading

/// The figures of a line of code in one run of a program, for comparison with another run.
///
/// Counts cover the whole run, and are nil if its trace does not have them.
package struct RunFigures: Sendable {
  /// The length of the recording.
  package var length = Duration.zero
  /// How many subscriptions are live at the end, or how many timers or owners, if the line makes
  /// only those.
  package var live: UInt64?
  /// How many subscriptions, timers or owners ever began, counted in the same way.
  package var begun: UInt64?
  /// The number of all events; if the line has only timers, how often these fired.
  package var events: UInt64?
  /// The number of ended subscriptions, by `EndReason`; empty if unknown.
  package var endedByReason: [UInt64] = []
  /// The number of ended subscriptions from which the lifetimes are computed.
  package var lifetimeCount: UInt64?
  /// The lifetime that half of them did not exceed: a power of two, or the length of the recording.
  package var medianLifetime: Duration?
  /// The lifetime that 99 of 100 of them did not exceed.
  package var longLifetime: Duration?
  /// How long work for its subscriptions waited on queues; nil if that is not recorded.
  package var waits: Percentiles?

  /// Figures that are all unknown.
  package init() {}

  /// The figures of a row.
  ///
  /// - Parameters:
  ///   - row: The line, at the end of a recording.
  ///   - length: The length of the recording.
  ///   - waits: What the records show about waits on queues; nil if they show nothing.
  package init(_ row: SiteRow, length: Duration, _ waits: WaitReport?) {
    self.length = length
    (live, begun, events) = (row.liveOfKind, row.everOfKind, row.eventsOfKind)
    endedByReason = row.endedByReason
    lifetimeCount = row.lifetimes.map { $0.reduce(0) { $0.saturatingAdding(UInt64($1)) } }
    (medianLifetime, longLifetime) = (row.medianLifetime, row.longLifetime)
    self.waits = waits.map { $0.sites[row.id] ?? Percentiles() }
  }

  /// The number of pieces of work from which the waits are computed.
  package var waitCount: UInt64? { waits.map { UInt64($0.count) } }

  /// The number of ended subscriptions; nil if unknown.
  package var ended: UInt64? {
    endedByReason.isEmpty ? nil : endedByReason.reduce(0) { $0.saturatingAdding($1) }
  }

  /// How many subscriptions ended for a reason; nil if unknown.
  package func ended(_ reason: EndReason) -> UInt64? {
    let place = Int(reason.rawValue)
    return endedByReason.indices.contains(place) ? endedByReason[place] : nil
  }

  /// The share of ended subscriptions that ended for a reason; nil if unknown, or if none has
  /// ended.
  package func share(_ reason: EndReason) -> Double? {
    guard let count = ended(reason), let ended, ended > 0 else { return nil }
    return Double(count) / Double(ended)
  }

  /// ``begun`` per second of the run; nil if unknown, and for a run of no length.
  package var begunRate: Double? { rate(begun) }

  /// ``events`` per second of the run; nil if unknown, and for a run of no length.
  package var eventRate: Double? { rate(events) }

  private func rate(_ count: UInt64?) -> Double? {
    guard let count, length > .zero else { return nil }
    return Double(count) / (length / .seconds(1))
  }
}

/// A difference between two runs that exceeds what chance and the runs' lengths explain.
package struct RunChange: Sendable {
  /// The figure that differs.
  package enum Aspect: String, Sendable, CaseIterable {
    case finding, failures, live, begun, events, wait, longWait, lifetime, longLifetime

    /// The name in tables and lists.
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

  /// The figure that differs.
  package var aspect: Aspect
  /// The row of the site in the later run; nil for a line that only the earlier one has.
  package var site: UInt32?
  /// The operator, as recorded.
  package var name: String
  /// `File.swift:88`.
  package var location: String
  /// The level of a finding in the later run, or in the earlier one if it is no longer found.
  package var level: FindingLevel?
  /// The fingerprint of a finding.
  package var fingerprint: String?
  /// The value in the earlier run: a count, a fraction, a number per second, or nanoseconds; nil
  /// for findings.
  package var before: Double?
  /// The value in the later run.
  package var after: Double?
  /// What changed, with figures.
  package var text: String

  /// A change of a line of code.
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

  /// The ratio of the later value to the earlier one; nil if the earlier one is 0, and for
  /// findings.
  package var factor: Double? {
    guard let before, let after, before > 0 else { return nil }
    return after / before
  }
}
