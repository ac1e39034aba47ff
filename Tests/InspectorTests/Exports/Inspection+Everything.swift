@testable import TraceFindings
import TraceModel
import TraceReading

extension Inspection {
  /// One row in each table, with a value wherever a row can contain another object.
  static var everything: Inspection {
    let key = EntityKey(id: TraceID(rawValue: 4_194_310), serial: 12)
    var inspection = Inspection()
    inspection.program.status = .died(ago: .seconds(3))
    inspection.program.startedAt = 1_700_000_000_123_456_789
    inspection.program.ending = .exited(3)
    inspection.program.exactWindow = .nanoseconds(5)...(.seconds(7))
    inspection.program.earlyEnd = EarlyEndInfo(EarlyEnd(.streamFailed(28)), time: .seconds(1))
    inspection.program.losses = ["lost"]
    inspection.instant.event = 4096
    inspection.sites = [site]
    var signal = SignalRow(key: key)
    signal.upstreams = [key]
    signal.downstreams = [key]
    inspection.signals = [signal]
    var subscription = SubscriptionRow(key: key)
    subscription.state = .ended
    subscription.endReason = .sourceGone
    subscription.rate = 2.5
    subscription.signal = key
    subscription.downstream = key
    subscription.upstreams = [key, key]
    subscription.root = key
    inspection.subscriptions = [subscription]
    var timer = TimerRow(key: key)
    timer.subscription = key
    inspection.timers = [timer]
    inspection.schedulers = [SchedulerRow()]
    inspection.marks = [MarkRow()]
    var event = EventRow()
    event.kind = .next
    event.subject = key
    inspection.events = [event]
    inspection.findings = [
      Finding(
        kind: .growth,
        level: .leak,
        site: site,
        subject: key,
        summary: "grows",
        sentence: "It grows.",
        remedy: "Dispose.",
        evidence: Evidence(events: Array(1...40), counters: ["live 812"]),
        fingerprint: "0123456789abcdef",
        weight: 1
      )
    ]
    inspection.findings[0].callers = FindingCallers([
      FindingCallers.Share(
        caller: Caller(function: "Tile.open(_:)", location: "Tile.swift:41"),
        accused: 9,
        others: 1,
        ended: 2,
        oldest: key
      )
    ])
    return inspection
  }

  private static var site: SiteRow {
    var site = SiteRow()
    site.name = "map"
    site.traits = [.root, .endless]
    site.live = .max
    site.endedByReason = [1, 2, 3, 4, 5]
    return site
  }
}
