import TraceModel
import TraceReading

/// What the stages on the way to a subscription hold.
extension SilenceWalk {
  /// Says which stages hold values or inner signals, how many, and for which queue these wait; nil
  /// if none does.
  ///
  /// Stages that keep values for later subscribers, or for their end, are left out.
  func holdings(of path: [TraceSlot]) -> String? {
    let holding = path.filter {
      $0.depth > 0 && facts.site($0.site).traits.isDisjoint(with: [.retains, .replays])
    }
    guard !holding.isEmpty else { return nil }
    return holding.map { slot in
      let traits = facts.site(slot.site).traits
      let isOfSignals = traits.contains(.queuesInner)
      let what = Words.count(slot.depth, isOfSignals ? "inner signal" : "value")
      let waits = slot.depth == 1 ? "waits" : "wait"
      var text = "\(name(slot)) holds \(what)"
      if traits.contains(.switchesQueue) {
        text +=
          queue(of: slot).map { ", which \(waits) for the queue \($0)" }
          ?? ", which \(waits) for its queue"
      } else if isOfSignals {
        text += ", which \(waits) for the one that runs to end"
      }
      return text
    }
    .joined(separator: "; ")
  }

  /// The name of the scheduler to which a stage last handed work; nil if no record says that.
  private func queue(of slot: TraceSlot) -> String? {
    let row = facts.records.lastRow(of: RecordKinds([.hopScheduled])) { record in
      record.ticks >= slot.createdAt && record.hopScheduling?.subscription == slot.id
    }
    guard let row, let scheduling = facts.records[row].hopScheduling,
      let name = facts.scheduler(scheduling.scheduler)?.name, !name.isEmpty
    else { return nil }
    return name
  }
}
