public import TraceModel
import TraceReading

extension FindingKind {
  /// Subscriptions are put into a container that has been disposed of, which ends them at once.
  public static let disposedContainer = FindingKind(
    "already-disposed",
    "ended as soon as they are kept",
    needsAll: true,
    evidence: [.ownerBound, .ended],
    doubt: "Only who wrote it knows whether everything is to end at once from then on."
  )
}

/// Containers that have been disposed of and are given subscriptions all the same: they dispose of each of them at once.
///
/// Once is what they are for, where something comes after the end. The same container again and again is one that somebody means to use on.
enum DisposedContainers: FindingRule {
  static let kinds: [FindingKind] = [.disposedContainer]

  /// Occasions on which one container has ended what it was given, and seconds between two of them.
  private static let fewest = 3
  private static let apart = 0.02
  /// What part of all that the same lines have subscribed to since the first must have ended so.
  private static let share = 0.5

  /// What one container was given.
  private struct Container {
    var site: UInt32
    var bound = 0
    var ended: [EntityKey] = []
    var numbers: [UInt64] = []
    var from: UInt64 = 0
    var last: UInt64 = 0
    var occasions = 0
  }

  private static let records = RecordKinds([.ownerBound, .tearDown])

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    // One that is given something after its end begins anew for the trace.
    guard facts.sites.contains(where: { $0.ownersEnded > 0 }), let histories = context.histories
    else { return [] }
    let containers = containers(facts).filter { container in
      container.bound == container.ended.count && container.occasions >= fewest
    }
    let bySite = Dictionary(grouping: containers, by: \.site)
    return bySite.keys.sorted().compactMap { site in
      draft(site, bySite[site] ?? [], histories, facts)
    }
  }

  private static func containers(_ facts: FindingFacts) -> [Container] {
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    let store = facts.entities(in: rows, searchLimit: DeliveryScan.limit(facts))
    var found: [UInt64: Container] = [:]
    var latest: [UInt32: (owner: TraceID, subscription: EntityKey, number: UInt64)] = [:]
    facts.records.forEach(of: records, in: rows) { row, record in
      if let owner = record.owner {
        guard let life = store.life(owner, at: row),
          let one = store.subscription(record.entity, at: row)
        else { return }
        found[life.key.serial, default: Container(site: life.site)].bound += 1
        latest[record.thread] = (owner, one.key, record.number)
        return
      }
      guard let before = latest.removeValue(forKey: record.thread), let end = record.tearDown,
        end.cause == .owner, end.by == before.owner,
        let life = store.life(end.by, at: row), var container = found[life.key.serial]
      else { return }
      container.ended.append(before.subscription)
      container.numbers.append(before.number)
      if container.from == 0 { container.from = record.ticks }
      if container.occasions == 0
        || facts.seconds(from: container.last, to: record.ticks) >= apart
      {
        container.occasions += 1
        container.last = record.ticks
      }
      found[life.key.serial] = container
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func draft(
    _ site: UInt32,
    _ containers: [Container],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    let places = containers.flatMap(\.ended).compactMap { histories.place(of: $0) }
    let lines = Set(places.map { histories.all[$0].site })
    guard let from = containers.map(\.from).min(), !places.isEmpty else { return nil }
    let begun = histories.all.count {
      lines.contains($0.site) && $0.below < 0 && $0.born >= from
    }
    guard Double(places.count) >= Double(begun) * share else { return nil }
    let row = facts.site(site)
    let names = lines.map { facts.site($0).place }.sorted()
    let count = places.count
    return FindingDraft(
      kind: .disposedContainer,
      site: site,
      summary: "\(count) put into \(Words.count(containers.count, "container")) disposed of before",
      sentence:
        "\(Words.count(count, "subscription")) of \(names.prefix(4).joined(separator: ", ")) ended as soon as \(count == 1 ? "it was" : "they were") put into "
        + "\(Words.count(containers.count, "container")) made here, because \(containers.count == 1 ? "it has" : "these have") been disposed of: "
        + "nothing that is put there is ever told anything.",
      remedy:
        "Make a new \(row.name) each time instead of disposing of one that is used again, or use a DisposableBag and empty().",
      evidence: Evidence(
        events: (containers.flatMap(\.numbers) + places.map { histories.all[$0].end })
          .filter { $0 != 0 }.sorted(),
        counters: ["ended at once \(count)", "containers \(containers.count)"]
      ),
      affected: containers.flatMap(\.ended),
      rank: Rank(live: UInt64(count)),
      restsOnRecords: true
    )
  }
}
