public import TraceModel
import TraceReading

extension FindingKind {
  /// A handler sends an event to the source of the value that it is handling.
  public static let reentrancy = FindingKind(
    "reentrancy",
    "values sent from inside a delivery",
    needsEvents: true,
    needsAll: true,
    evidence: [.turnBegan, .depth],
    doubt:
      "Only the author of the code knows whether the loop ends by itself, and whether its order is "
      + "the intended one."
  )
}

/// Events sent to a gate, which delivers one event at a time, from inside the delivery of another
/// event there.
///
/// Such events wait and are delivered in order, so no rule is broken. But if most deliveries cause
/// the next one, the program keeps triggering itself.
enum Reentrancy: FindingRule {
  static let kinds: [FindingKind] = [.reentrancy]

  private static let few = 3
  private static let many = 16
  /// The minimum share of deliveries inside which another event was sent.
  private static let share = 0.5

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    // If the record of the end of a delivery is missing, all later deliveries seem to be inside it.
    guard facts.loss == nil, let scan = context.deliveries else { return [] }
    var worst: [UInt32: (id: TraceID, meeting: DeliveryScan.Meeting)] = [:]
    for (id, meeting) in scan.meetings where meeting.nested.count >= few && meeting.site != 0 {
      // Operators with inner signals feed events back by design, and the `depth` records of a
      // signal that keeps values report how many it keeps, not how many events wait.
      let site = facts.site(meeting.site)
      guard !site.traits.contains(.merging), !Caches.keepsValues(site) else { continue }
      let known = worst[meeting.site]
      if known.map({
        ($0.meeting.nested.count, id.rawValue) < (meeting.nested.count, $0.id.rawValue)
      }) ?? true {
        worst[meeting.site] = (id, meeting)
      }
    }
    return worst.keys.sorted().compactMap { site in
      guard let (id, meeting) = worst[site] else { return nil }
      let nested = meeting.nested.count
      let feeds = nested >= many && Double(nested) >= Double(meeting.turns) * share
      let row = facts.site(site)
      // The handler that sends inside the delivery is to blame, not the signal to which it sends.
      let handler = meeting.handlers.max { ($0.value, $1.key) < ($1.value, $0.key) }
        .flatMap { $0.value * 5 >= nested * 4 ? $0.key : nil }
      let handled = handler.map { facts.site($0).place }
      return FindingDraft(
        kind: .reentrancy,
        level: feeds ? .suspect : .info,
        site: handler ?? site,
        subject: facts.slot(id)?.key,
        summary: "\(nested) of \(meeting.turns) sent from inside a delivery",
        sentence:
          "\(nested) of \(meeting.turns) values sent "
          + "\(handler == nil ? "here" : "to \(row.place)") were sent from inside "
          + "\(handled.map { "the handler of \($0)" } ?? "a handler") while it handled the one "
          + "before, and waited until it had returned"
          + (feeds ? ": what comes out goes in again." : "."),
        remedy: feeds
          ? "Break the loop at \(row.place): let values that change nothing end it (distinctUntilChanged), or "
            + "make it a fold (scan, expand)."
          : "Nothing, if the order is as intended; a value computed from another can be a map or scan of it.",
        evidence: Evidence(
          events: meeting.nested.numbers,
          counters: ["sent \(meeting.turns)", "from inside \(nested)"]
        ),
        cap: scan.isWhole(facts)
          ? nil : "what was sent before the records that are left is not counted.",
        rank: Rank(live: UInt64(nested)),
        restsOnRecords: true
      )
    }
    .worstOfEachLine
  }
}
