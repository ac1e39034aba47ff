public import TraceModel
import TraceReading

extension FindingKind {
  /// Subscriptions are put into a container that has been disposed of, which ends them at once.
  public static let disposedContainer = FindingKind(
    "already-disposed",
    "subscriptions that end as soon as they are kept",
    needsAll: true,
    evidence: [.ownerBound, .ended],
    doubt: "Only the author of the code knows whether everything is to end at once from then on."
  )
}

/// Containers that end at once the subscriptions that are put into them: containers that have been
/// disposed of, and containers that are released by the function that made them.
///
/// A disposed container is meant to end what arrives late, so a single occurrence is not a fault.
/// If one container ends subscriptions repeatedly, the program evidently means to keep using it. If
/// all containers made at a line end everything that is put into them, the program evidently means
/// to keep what it puts there.
///
/// A container that is a local variable is released when its function returns. If its members had
/// received nothing by then, and their source sends values later, a single such container is a
/// fault.
enum DisposedContainers: FindingRule {
  static let kinds: [FindingKind] = [.disposedContainer]

  /// The minimum number of occasions on which containers ended what was put into them.
  private static let minimumOccasions = 3
  /// The minimum number of seconds between two occasions.
  private static let apart = 0.02
  /// The number of seconds within which a subscription must have ended after it was put into a
  /// container; in between, the thread must not have begun other work or another delivery.
  private static let atOnce = 0.05
  /// The minimum share of subscriptions that ended this way, among all subscriptions that the same
  /// lines have made since the first such end.
  private static let share = 0.5

  /// The minimum number of values that were sent after the end of the members of each container that
  /// nobody kept.
  private static let minimumMissed = 3

  /// The subscriptions that were put into one container.
  private struct Container {
    var site: UInt32
    var createdAt: UInt64
    var bound = 0
    /// All members, with the records that say that they were put there.
    var members: [(key: EntityKey, ticks: UInt64, number: UInt64)] = []
    var endedAt: UInt64?
    /// Whether it ended in the piece of work, or the delivery, in which its first member was put
    /// there.
    var isLocal = false
    var thread: UInt32
    var work: Int
    var ended: [EntityKey] = []
    var numbers: [UInt64] = []
    var from: UInt64 = 0
    var last: UInt64 = 0
    var occasions = 0
    /// Whether the container itself has ended, so that nobody can keep using it.
    var hasEnded: Bool { endedAt != nil }

    /// Whether the container has ended everything that was put into it.
    var hasEndedAllMembers: Bool { bound > 0 && bound == ended.count }
  }

  private static let records = RecordKinds([
    .ownerBound, .tearDown, .ownerEnded, .hopBegan, .hopEnded, .turnBegan,
  ])

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    // If something is put into a container after its end, the trace has a new entity for the
    // container.
    guard facts.sites.contains(where: { $0.ownersEnded > 0 }), let histories = context.histories
    else { return [] }
    let bySite = Dictionary(grouping: containers(facts), by: \.site)
    return bySite.keys.sorted().compactMap { site in
      let all = bySite[site] ?? []
      let again = all.filter { $0.hasEndedAllMembers && $0.occasions >= minimumOccasions }
      if !again.isEmpty { return draft(site, again, histories, facts) }
      if let local = locals(all, histories, facts) { return draft(site, local, histories, facts) }
      guard all.count >= minimumOccasions, all.allSatisfy({ $0.hasEndedAllMembers && $0.hasEnded }),
        all.flatMap(\.ended).allSatisfy({ histories.endedWithoutValue($0, facts) })
      else { return nil }
      return draft(site, all, histories, facts)
    }
  }

  /// The containers of a line, if all of them were released as soon as they had been made, although
  /// what was put into them was still to receive values; nil otherwise.
  private static func locals(
    _ all: [Container],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [Container]? {
    var local = all
    for index in local.indices {
      let one = local[index]
      guard one.isLocal, let end = one.endedAt,
        facts.seconds(from: one.createdAt, to: end) < atOnce
      else { return nil }
      var missed = 0
      for member in one.members {
        guard let place = histories.place(of: member.key) else { return nil }
        let history = histories.all[place]
        guard history.events == 0, history.reason == .cancelled, let end = history.endedAt,
          end >= member.ticks, facts.seconds(from: member.ticks, to: end) < atOnce
        else { return nil }
        missed += histories.valuesMissed(by: place, facts)
      }
      guard missed >= minimumMissed else { return nil }
      local[index].ended = one.members.map(\.key)
      local[index].numbers = one.members.map(\.number)
      local[index].from = end
    }
    return local.isEmpty ? nil : local
  }

  private static func containers(_ facts: FindingFacts) -> [Container] {
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    let store = facts.entities(in: rows, searchLimit: DeliveryScan.limit(facts))
    var found: [UInt64: Container] = [:]
    var latest: [UInt32: (owner: TraceID, subscription: EntityKey, record: TraceRecord)] = [:]
    // How many pieces of work and deliveries have begun or ended on each thread.
    var works: [UInt32: Int] = [:]
    facts.records.forEach(of: records, in: rows) { row, record in
      switch record.kind {
      case .hopBegan, .hopEnded, .turnBegan:
        latest[record.thread] = nil
        works[record.thread, default: 0] += 1
        return
      case .ownerEnded:
        guard let life = store.life(record.entity, at: row), var one = found[life.key.serial] else {
          return
        }
        one.endedAt = record.ticks
        one.isLocal = one.thread == record.thread && one.work == works[record.thread] ?? 0
        found[life.key.serial] = one
        return
      default: break
      }
      if let owner = record.owner {
        guard let life = store.life(owner, at: row),
          let one = store.subscription(record.entity, at: row)
        else { return }
        var container =
          found[life.key.serial]
          ?? Container(
            site: life.site,
            createdAt: life.createdAt,
            thread: record.thread,
            work: works[record.thread] ?? 0
          )
        container.bound += 1
        container.members.append((one.key, record.ticks, record.number))
        found[life.key.serial] = container
        latest[record.thread] = (owner, one.key, record)
        return
      }
      // The tear-down may be that of an upstream subscription, so the entities are not compared.
      guard let end = record.tearDown, end.cause == .owner,
        let before = latest.removeValue(forKey: record.thread), end.by == before.owner,
        facts.seconds(from: before.record.ticks, to: record.ticks) < atOnce,
        let life = store.life(end.by, at: row), var container = found[life.key.serial]
      else { return }
      container.ended.append(before.subscription)
      container.numbers.append(before.record.number)
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
      lines.contains($0.site) && $0.downstream < 0 && $0.createdAt >= from
    }
    guard Double(places.count) >= Double(begun) * share else { return nil }
    let row = facts.site(site)
    let names = lines.map { facts.site($0).place }.sorted()
    let count = places.count
    let hasEnded = containers.allSatisfy(\.hasEnded)
    return FindingDraft(
      kind: .disposedContainer,
      site: site,
      summary: hasEnded
        ? "\(count) put into \(Words.count(containers.count, "container")) that nobody kept"
        : "\(count) put into \(Words.count(containers.count, "container")) already disposed of",
      sentence:
        "\(Words.count(count, "subscription")) of \(names.prefix(4).joined(separator: ", ")) ended \(hasEnded ? "soon after" : "as soon as") \(count == 1 ? "it was" : "they were") put into "
        + "\(Words.count(containers.count, "container")) made here, because "
        + (hasEnded
          ? "nobody kept the \(row.name): no value had come."
          : "\(containers.count == 1 ? "it has" : "these have") been disposed of: nothing that is put there receives anything."),
      remedy: hasEnded
        ? "Keep the \(row.name) made at \(row.location) in an object that lives for as long as the values are wanted."
        : "Make a new \(row.name) each time instead of disposing of one that is used again, or use a DisposableBag and empty().",
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

extension Histories {
  /// Whether a subscription that had started finite work ended without having received a value.
  fileprivate func endedWithoutValue(_ key: EntityKey, _ facts: FindingFacts) -> Bool {
    place(of: key).map { all[$0].events == 0 && !all[$0].isLive && startsFiniteWork($0, facts) }
      ?? false
  }

  /// How many values the hot sources of a subscription have sent since it ended.
  fileprivate func valuesMissed(by place: Int, _ facts: FindingFacts) -> Int {
    let end = all[place].endedAt ?? .max
    return tree(upstreamOf: place, limit: 64).reduce(0) { missed, source in
      guard inputs[source].isEmpty, facts.site(all[source].site).traits.contains(.hot),
        let turns = turns[all[source].signal]
      else { return missed }
      return missed + turns.count - turns.prefixCount { $0.ticks <= end }
    }
  }
}
