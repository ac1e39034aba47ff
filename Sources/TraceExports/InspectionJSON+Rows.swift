import TraceModel
import TraceReading

extension InspectionJSON {
  static func write(_ site: SiteRow, _ json: inout JSONWriter) {
    json.field("id", site.id)
    json.field("name", site.name)
    json.field("file", site.file)
    json.field("line", site.line)
    json.field("column", site.column)
    json.field("location", site.location)
    json.field("traits", site.traits.schemaNames)
    json.field("live", site.live)
    json.field("subscribed", site.subscribed)
    json.field("ended", site.ended)
    json.object("endedByReason") { json in
      for reason in EndReason.allCases {
        let index = Int(reason.rawValue)
        let isKnown = index < site.endedByReason.count
        json.field(reason.schemaName, isKnown ? site.endedByReason[index] : nil)
      }
    }
    json.field("signals", site.signals)
    json.field("signalsCreated", site.signalsCreated)
    json.field("events", site.events)
    json.field("rate", site.rate)
    json.field("lastEventAge", site.lastEventAge)
    json.field("oldestAge", site.oldestAge)
    json.field("medianLifetime", site.medianLifetime)
    json.field("longLifetime", site.longLifetime)
    json.field("held", site.held)
    json.field("refused", site.refused)
    json.field("disposablesReleased", site.disposablesReleased)
    json.field("timersArmed", site.timersArmed)
    json.field("timersLive", site.timersLive)
    json.field("timerFires", site.timerFires)
    json.field("ownersCreated", site.ownersCreated)
    json.field("ownersLive", site.ownersLive)
    json.field("newSinceMark", site.newSinceMark)
    json.field("growthSinceMark", site.growthSinceMark)
    json.field("scheduler", site.scheduler)
    json.field("worst", site.worst?.label)
    json.field("change", site.change.rawValue)
  }

  static func write(_ signal: SignalRow, _ json: inout JSONWriter) {
    json.key("key", signal.key)
    json.field("site", signal.site)
    json.field("name", signal.name)
    json.field("location", signal.location)
    json.field("givenName", signal.givenName)
    json.field("state", signal.state?.rawValue)
    json.field("age", signal.age)
    json.field("subscriptions", signal.subscriptions)
    json.field("subscriptionsEver", signal.subscriptionsEver)
    json.array("upstreams", signal.upstreams) { $0.key(nil, $1) }
    json.array("downstreams", signal.downstreams) { $0.key(nil, $1) }
    json.field("change", signal.change.rawValue)
  }

  static func write(_ subscription: SubscriptionRow, _ json: inout JSONWriter) {
    json.key("key", subscription.key)
    json.field("site", subscription.site)
    json.field("name", subscription.name)
    json.field("location", subscription.location)
    json.field("state", subscription.state?.rawValue)
    json.field("endReason", subscription.endReason?.schemaName)
    json.field("age", subscription.age)
    json.field("events", subscription.events)
    json.field("rate", subscription.rate)
    json.field("lastEventAge", subscription.lastEventAge)
    json.field("held", subscription.held)
    json.field("refused", subscription.refused)
    json.field("isDisposableReleased", subscription.isDisposableReleased)
    json.key("signal", subscription.signal)
    json.key("downstream", subscription.downstream)
    json.array("upstreams", subscription.upstreams) { $0.key(nil, $1) }
    json.key("root", subscription.root)
    json.field("level", subscription.level)
    json.field("isRoot", subscription.isRoot)
    json.field("scheduler", subscription.scheduler)
    json.field("chain", subscription.chain)
    json.field("change", subscription.change.rawValue)
  }

  static func write(_ timer: TimerRow, _ json: inout JSONWriter) {
    json.key("key", timer.key)
    json.field("site", timer.site)
    json.field("name", timer.name)
    json.field("location", timer.location)
    json.field("state", timer.state?.rawValue)
    json.field("period", timer.period)
    json.field("fires", timer.fires)
    json.field("rate", timer.rate)
    json.field("idleFires", timer.idleFires)
    json.key("subscription", timer.subscription)
    json.field("isOfUserCode", timer.isOfUserCode)
    json.field("age", timer.age)
    json.field("lastFireAge", timer.lastFireAge)
    json.field("scheduler", timer.scheduler)
    json.field("chain", timer.chain)
    json.field("change", timer.change.rawValue)
  }

  static func write(_ scheduler: SchedulerRow, _ json: inout JSONWriter) {
    json.field("id", scheduler.id)
    json.field("name", scheduler.name)
    json.field("kind", scheduler.kind.schemaName)
    json.field("scheduled", scheduler.scheduled)
    json.field("begun", scheduler.begun)
    json.field("cancelled", scheduler.cancelled)
    json.field("waiting", scheduler.waiting)
    json.field("rate", scheduler.rate)
  }
}

extension JSONWriter {
  /// An entity: its serial, null where the trace does not tell it, and its identifier.
  ///
  /// Null if there is none.
  mutating func key(_ name: String?, _ key: EntityKey?) {
    guard let key else {
      field(name, nil as String?)
      return
    }
    object(name) { json in
      json.field("serial", key.serial == 0 ? nil : key.serial)
      json.field("id", key.id.rawValue)
    }
  }
}
