public import TraceModel
import TraceReading

extension FindingKind {
  /// A limit on the total time made a stream fail while its values were still arriving.
  public static let cutShort = FindingKind(
    "ended-while-sending",
    "ended while it was sending",
    needsAll: true,
    evidence: [.next, .failed, .ended],
    doubt:
      "Only the author of the code knows whether the limit is for the whole, however steadily "
      + "values come."
  )
}

/// Operators that fail because of a time limit although values still pass through them as steadily
/// as before.
///
/// A limit on the time between two values makes a stream fail after a pause. An operator that fails
/// without a pause must limit the total time, and a healthy source with many values exceeds such a
/// limit.
enum CutShort: FindingRule {
  static let kinds: [FindingKind] = [.cutShort]

  /// The minimum number of values from which the usual pause between values is computed.
  private static let minimumCount: UInt64 = 5
  /// The maximum time since the last value, in multiples of the usual pause.
  ///
  /// After a usual pause, the next value would have come: a limit on the time between two values
  /// would not have been the cause.
  private static let pauses = 1.0

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    let failing = facts.sites.contains {
      $0.traits.contains(.bounding) && $0.ended(.failed) > 0
    }
    guard failing, facts.hasEvents, let histories = context.histories else { return [] }
    var found: [UInt32: [Int]] = [:]
    for place in histories.all.indices where wasCut(place, histories, facts) {
      found[histories.all[place].site, default: []].append(place)
    }
    return found.keys.sorted().compactMap { site in
      found[site].flatMap { draft(site, $0, histories, facts) }
    }
  }

  private static func wasCut(_ place: Int, _ histories: Histories, _ facts: FindingFacts) -> Bool {
    let one = histories.all[place]
    let traits = facts.site(one.site).traits
    guard one.hasFailed, one.creation != 0, let end = one.endedAt, traits.contains(.bounding),
      traits.fate == .passes, traits.inputs == .source, histories.inputs[place].count == 1,
      // A value that arrived and was not forwarded may itself have caused the failure.
      one.arrivedSince == 0
    else { return false }
    let source = histories.all[histories.inputs[place][0]]
    guard !source.hasFailed, source.reason == .cancelled, source.events >= minimumCount,
      source.lastEvent > source.firstEvent
    else { return false }
    let usual =
      facts.seconds(from: source.firstEvent, to: source.lastEvent) / Double(source.events - 1)
    return facts.seconds(from: source.lastEvent, to: end) <= usual * pauses
  }

  private static func draft(
    _ site: UInt32,
    _ places: [Int],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let last = places.last, let end = histories.all[last].endedAt else { return nil }
    let one = histories.all[last]
    let source = histories.all[histories.inputs[last][0]]
    let (whole, rest) = (
      Duration.seconds(facts.seconds(from: one.createdAt, to: end)).brief,
      Duration.seconds(facts.seconds(from: source.lastEvent, to: end)).brief
    )
    let often = places.count == 1 ? "" : " (the last of \(places.count) such times)"
    return FindingDraft(
      kind: .cutShort,
      site: site,
      subject: places.count == 1 ? one.key : nil,
      summary: "failed after \(whole), the last value \(rest) before",
      sentence:
        "Time ran out after \(whole)\(often), and a failure ended what \(facts.site(source.site).place) was still sending: "
        + "\(Words.count(source.events, "value")), the last \(rest) before the end, no longer than its usual pause.",
      remedy:
        "Limit the time between two values instead, with timeout(each:), if the source may go on for longer; if it is to end after that time, take(for:) "
        + "ends it without a failure.",
      evidence: Evidence(
        events: places.suffix(8).flatMap { [histories.all[$0].failure, histories.all[$0].end] }
          .filter { $0 != 0 }.sorted(),
        counters: ["ended this way \(places.count)", "values of the last \(source.events)"]
      ),
      accusedStages: places.suffix(64).map {
        let stage = histories.all[$0]
        return AccusedRoot(stage)
      },
      affected: places.map { histories.all[$0].key },
      rank: Rank(live: UInt64(places.count), age: facts.age(end)),
      restsOnRecords: true,
      ruledOut: [
        "a limit between two values: the last pause was no longer than the usual one",
        "a failure of \(facts.site(source.site).place): it had sent none, and was cancelled",
      ]
    )
  }
}
