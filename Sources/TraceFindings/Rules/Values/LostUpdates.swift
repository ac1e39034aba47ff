public import TraceModel
import TraceReading

extension FindingKind {
  /// A property is set to what was made of an earlier value than the one that is replaced.
  public static let lostUpdate = FindingKind(
    "lost-update",
    "set from a value that was no longer the latest",
    needsEvents: true,
    needsAll: true,
    evidence: [.valueOverwritten],
    doubt:
      "The recording shows that the value was read before, not that the new value depends on it.",
    settledBy: [.time]
  )
}

/// Code that reads a property and then sets it, while other threads set the property in between:
/// their values are lost.
///
/// The recorder compares the value that a thread reads with the one that the thread replaces, so
/// each occasion is certain. Two threads may race for a long time before it happens once.
enum LostUpdates: FindingRule {
  static let kinds: [FindingKind] = [.lostUpdate]

  /// The minimum number of occasions at which the finding is a SUSPECT: a value that is lost once
  /// may be one that nobody needed.
  private static let manyOccasions = 3

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, facts.records.lastRow(of: RecordKinds([.valueOverwritten])) != nil,
      let causes = context.causes
    else { return [] }
    return Dictionary(grouping: causes.overwritings, by: \.site).sorted { $0.key < $1.key }.map {
      draft($0, $1, causes, facts)
    }
  }

  private static func draft(
    _ site: UInt32,
    _ all: [CausalScan.Overwriting],
    _ causes: CausalScan,
    _ facts: FindingFacts
  ) -> FindingDraft {
    let row = facts.site(site)
    let bySetter = Dictionary(grouping: all) { causes.handled[$0.root]?.site }
    let setters = bySetter.sorted { ($1.value.count, $0.key ?? 0) < ($0.value.count, $1.key ?? 0) }
    let names = setters.prefix(3).map { setter, lost in
      let name = setter.map { "the handler of \(facts.site($0).place)" } ?? "other code"
      return setters.count == 1 ? name : "\(name) (\(Words.count(lost.count, "time")))"
    }
    let (count, roots) = (all.count, Set(all.map(\.root)).compactMap { causes.handled[$0] })
    let (them, each) = count == 1 ? ("it", "") : ("them", " each time")
    return FindingDraft(
      kind: .lostUpdate,
      level: count >= manyOccasions ? .suspect : .info,
      site: site,
      summary: "\(Words.count(count, "value")) replaced without having been read",
      sentence:
        "At least \(Words.count(count, "value")) of this property \(count == 1 ? "was" : "were") lost: \(names.joined(separator: " and ")) had read an earlier value\(each), "
        + "and then set the property without having read \(them).",
      remedy:
        "Change \(row.place) with modify { … }, which runs again on the newest value, instead of reading its value and setting it; or let all changes happen on one queue.",
      evidence: Evidence(
        events: all.map(\.number).sorted(),
        counters: ["values lost \(count)"]
      ),
      affected: roots.map(\.key).sorted { $0.serial < $1.serial },
      rank: Rank(live: UInt64(count), age: facts.age(all.map(\.ticks).min() ?? facts.now)),
      restsOnRecords: true,
      ruledOut: [
        "values set one after the other: each was replaced by a thread that had read an earlier value within half a second before"
      ]
    )
  }
}
