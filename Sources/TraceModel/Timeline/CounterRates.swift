import TraceReading

/// Events per second between two samples of a program that records no events, computed from the
/// counters in its slab (the table of live entities).
package struct CounterRates: Sendable {
  private(set) var entities = IDTable<Double>()
  private(set) var sites: [UInt32: Double] = [:]

  /// The counters of subscriptions at one time.
  package struct Sample: Sendable {
    fileprivate var counts = IDTable<(serial: UInt64, events: UInt64)>()
    fileprivate let time: Duration

    package init(_ moment: Moment) {
      time = moment.instant.time
      for entity in moment.state.entities.values where entity.kind == .subscription {
        guard let events = entity.count else { continue }
        counts.set((entity.key.serial, events), for: entity.key.id)
      }
    }
  }

  /// Computes the rates; nil if the samples are too close to each other.
  package init?(from then: Sample, to now: Moment) {
    let elapsed = (now.instant.time - then.time) / .seconds(1)
    guard elapsed >= 0.05 else { return nil }
    for entity in now.state.entities.values where entity.kind == .subscription {
      guard let events = entity.count else { continue }
      var before: UInt64 = 0
      if let old = then.counts[entity.key.id], old.serial == entity.key.serial {
        before = old.events
      }
      let rate = Double(events > before ? events - before : 0) / elapsed
      entities.set(rate, for: entity.key.id)
      sites[entity.site, default: 0] += rate
    }
  }
}
