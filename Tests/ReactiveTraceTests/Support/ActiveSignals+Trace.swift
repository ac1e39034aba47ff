@testable import ReactiveTrace
import TraceReading

extension ActiveSignals {
  /// The summary of the active signals, made from a trace.
  init(of trace: TraceSnapshot) {
    let sites = trace.sites
    let signals = trace.slots.filter { $0.kind == .signal }.sorted { $0.serial < $1.serial }.map {
      slot in
      let site = Int(slot.site) < sites.count ? sites[Int(slot.site)] : TraceSite()
      return ActiveSignals.Entry(
        id: slot.id,
        serial: slot.serial,
        name: slot.signal == 0 ? site.name : trace.string(slot.signal),
        operatorName: site.name,
        file: site.file,
        line: site.line,
        state: slot.state,
        subscriptions: Int(slot.depth),
        subscriptionsEver: slot.eventCount
      )
    }
    self.init(
      isRecorded: true,
      signals: signals,
      released: sites.reduce(0) { $0 &+ $1.signalsReleased },
      lost: trace.header.lost[.slab] ?? 0
    )
  }
}
