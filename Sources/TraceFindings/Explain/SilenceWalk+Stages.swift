import TraceModel
import TraceReading

/// What the stages on the way to a subscription hold, and which inner signals they have replaced.
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

  /// For each stage that has replaced inner signals before these sent a value, the stage and a
  /// sentence that says how many, and which lines made them.
  func replacedInners(of path: [TraceSlot]) -> [(stage: TraceSlot, sentence: String)] {
    // Without events it is unknown what was sent.
    guard facts.hasEvents, let histories = reasons.context.histories else { return [] }
    return path.compactMap { slot in
      let traits = facts.site(slot.site).traits
      guard traits.contains(.merging), !traits.contains(.queuesInner),
        let place = histories.place(of: slot.key), histories.all[place].creation != 0
      else { return nil }
      // The first input is the source from whose values the inner signals are made.
      let inners = histories.inputs[place].dropFirst().map { histories.all[$0] }
      let replaced = zip(inners, inners.dropFirst()).filter { inner, next in
        inner.reason == .cancelled && inner.events == 0
          && inner.endedAt.map { $0 <= next.createdAt } == true
      }
      guard !replaced.isEmpty else { return nil }
      let count = replaced.count
      let lines = Dictionary(grouping: replaced, by: \.0.site)
        .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        .map { site in "\(facts.site(site.key).name)@\(facts.site(site.key).location)" }
      let others = lines.count - 1
      let made =
        (lines.first ?? "?") + (others > 0 ? " and \(Words.count(others, "other line"))" : "")
      return (
        slot,
        "\(name(slot)) has cancelled \(count) of \(Words.count(inners.count, "inner signal")), made at \(made), "
          + "before \(count == 1 ? "it" : "they") had sent a value, because the next one came"
      )
    }
  }
}
