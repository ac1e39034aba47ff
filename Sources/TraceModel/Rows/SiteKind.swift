import TraceReading

/// What is counted for a line of code.
public enum SiteKind: Sendable {
  /// Subscriptions, whether or not they arm timers.
  case subscriptions
  /// Timers, if the line only arms timers.
  case timers
  /// Owners of subscriptions, such as bags of disposables, if the line only makes owners.
  case owners

  /// What is counted for a site.
  ///
  /// The table of sites decides, because it covers the whole recording, whereas the counters of an
  /// instant may be unknown.
  init(_ site: TraceSite) {
    switch (site.subscribed, site.ownersCreated) {
    case (0, 0): self = site.traits.contains(.timer) ? .timers : .subscriptions
    case (0, _): self = .owners
    default: self = .subscriptions
    }
  }
}

extension SiteRow {
  /// The number of live subscriptions, timers or owners, depending on what is counted for the line.
  package var liveOfKind: UInt64? {
    switch kind {
    case .subscriptions: live
    case .timers: timersLive
    case .owners: ownersLive
    }
  }

  /// The number of subscriptions, timers or owners that ever existed, depending on what is counted
  /// for the line.
  package var everOfKind: UInt64? {
    switch kind {
    case .subscriptions: subscribed
    case .timers: timersArmed
    case .owners: ownersCreated
    }
  }

  /// The number of events of its subscriptions; for a line that only arms timers, how often these
  /// fired.
  package var eventsOfKind: UInt64? { kind == .timers ? timerFires : events }
}
