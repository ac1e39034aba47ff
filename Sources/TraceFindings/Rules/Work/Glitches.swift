public import TraceModel
import TraceReading

extension FindingKind {
  /// One event reaches an operator on two paths, so that for a moment the operator combines the new
  /// value of one path with the old value of the other.
  public static let glitch = FindingKind(
    "glitch",
    "glitch: new combined with old",
    needsEvents: true,
    needsAll: true,
    evidence: [.next, .turnBegan, .turnEnded],
    doubt: "Only the author of the code knows whether a mixture of new and old does any harm."
  )
}

/// Operators such as `combineLatest` that an event of one source reaches on two paths, so that they
/// send twice: the first value combines the new value of one path with the old value of the other.
///
/// The rule also finds operators that permanently pair values of different times
/// (``PairsOutOfStep``). The term *glitch* is used as in E. Bainomugisha et al., *A survey on
/// reactive programming* (ACM Computing Surveys 45(4), 2013).
enum Glitches: FindingRule {
  static let kinds: [FindingKind] = [.glitch]

  /// The minimum number of deliveries in which the operator sends twice.
  private static let minimumCount = 3
  /// The minimum share of such deliveries among all deliveries in which the operator sends.
  private static let share = 0.5

  /// An operator whose inputs come from one source.
  private struct Meeting {
    let stage: Int
    let root: Int
    let source: TraceID
    /// The inputs that come from that source.
    let inputs: [Int]
    var sent = 0
    var doubled = 0
    var numbers: [UInt64] = []
  }

  /// The effects of one value of a source so far.
  private struct Delivery {
    let source: TraceID
    var sent: [Int: [UInt64]] = [:]
    var inputs: [Int: Set<Int>] = [:]
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    doubled(context) + PairsOutOfStep.found(context)
  }

  private static func doubled(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents,
      facts.sites.contains(where: { $0.traits.contains(.waitsForAll) && $0.subscribed > 0 }),
      let histories = context.histories
    else { return [] }
    var meetings = Self.meetings(histories, facts)
    guard !meetings.isEmpty else { return [] }
    count(&meetings, histories, facts)
    var found: [UInt32: [Meeting]] = [:]
    for one in meetings
    where one.doubled >= minimumCount && Double(one.doubled) >= Double(one.sent) * share {
      found[histories.all[one.stage].site, default: []].append(one)
    }
    return found.keys.sorted().compactMap { site in
      found[site].flatMap { draft(site, $0, histories, facts) }
    }
  }

  // MARK: Search

  private static func meetings(_ histories: Histories, _ facts: FindingFacts) -> [Meeting] {
    histories.all.indices.flatMap { place -> [Meeting] in
      let one = histories.all[place]
      guard one.creation != 0, facts.site(one.site).traits.contains(.waitsForAll),
        histories.inputs[place].count >= 2,
        let root = handler(downstreamOf: place, histories, facts)
      else { return [] }
      var inputsBySource: [TraceID: [Int]] = [:]
      for input in histories.inputs[place].prefix(16) {
        let sources = histories.tree(upstreamOf: input, limit: 256).filter {
          !facts.site(histories.all[$0].site).traits.isDisjoint(with: [.hot, .shares])
        }
        for signal in Set(sources.map { histories.all[$0].signal }) {
          inputsBySource[signal, default: []].append(input)
        }
      }
      return inputsBySource.filter { $0.value.count >= 2 }.sorted {
        $0.key.rawValue < $1.key.rawValue
      }
      .map { Meeting(stage: place, root: root, source: $0.key, inputs: $0.value) }
    }
  }

  /// The root subscription that receives every value that an operator sends; nil if an operator in
  /// between filters.
  private static func handler(
    downstreamOf place: Int,
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> Int? {
    var here = histories.all[place].downstream
    while here >= 0 {
      let traits = facts.site(histories.all[here].site).traits
      if traits.contains(.root) { return here }
      guard traits.fate == .passes || traits.fate == .queues else { return nil }
      here = histories.all[here].downstream
    }
    return nil
  }

  private static let recordKinds = RecordKinds([.next, .turnBegan, .turnEnded])

  private static func count(
    _ meetings: inout [Meeting],
    _ histories: Histories,
    _ facts: FindingFacts
  ) {
    var stages: [TraceID: [Int]] = [:]
    var inputs: [TraceID: [(meeting: Int, input: Int)]] = [:]
    var sources: Set<TraceID> = []
    for (place, one) in meetings.enumerated() {
      stages[histories.all[one.stage].key.id, default: []].append(place)
      for input in one.inputs {
        inputs[histories.all[input].key.id, default: []].append((place, input))
      }
      sources.insert(one.source)
    }
    var open: [UInt32: [Delivery]] = [:]
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    facts.records.forEach(of: recordKinds, in: rows) { _, record in
      switch record.kind {
      case .turnBegan:
        if sources.contains(record.entity) {
          open[record.thread, default: []].append(Delivery(source: record.entity))
        }
      case .turnEnded:
        guard sources.contains(record.entity),
          let last = open[record.thread]?.lastIndex(where: { $0.source == record.entity })
        else { return }
        let ended = open[record.thread]?[last]
        open[record.thread]?.removeSubrange(last...)
        if let ended { addCounts(of: ended, to: &meetings) }
      case .next:
        guard let count = open[record.thread]?.count, count > 0 else { return }
        for (meeting, input) in inputs[record.entity] ?? []
        where histories.all[input].existed(at: record) {
          note(in: &open[record.thread, default: []], meetings[meeting].source) {
            $0.inputs[meeting, default: []].insert(input)
          }
        }
        for meeting in stages[record.entity] ?? []
        where histories.all[meetings[meeting].stage].existed(at: record) {
          note(in: &open[record.thread, default: []], meetings[meeting].source) {
            $0.sent[meeting, default: []].append(record.number)
          }
        }
      default: break
      }
    }
  }

  private static func note(
    in open: inout [Delivery],
    _ source: TraceID,
    _ change: (inout Delivery) -> Void
  ) {
    if let last = open.lastIndex(where: { $0.source == source }) { change(&open[last]) }
  }

  private static func addCounts(of delivery: Delivery, to meetings: inout [Meeting]) {
    for (meeting, numbers) in delivery.sent {
      meetings[meeting].sent += 1
      guard numbers.count >= 2, delivery.inputs[meeting]?.count ?? 0 >= 2 else { continue }
      meetings[meeting].doubled += 1
      if meetings[meeting].numbers.count < 8 { meetings[meeting].numbers += numbers.prefix(2) }
    }
  }

  // MARK: Texts

  private static func draft(
    _ site: UInt32,
    _ meetings: [Meeting],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> FindingDraft? {
    guard let worst = meetings.max(by: { $0.doubled < $1.doubled }) else { return nil }
    let stage = histories.all[worst.stage]
    func place(_ place: Int) -> String { facts.site(histories.all[place].site).place }
    let source =
      facts.slot(worst.source).map { facts.site($0.site).place } ?? "one source"
    let inputNames = Set(worst.inputs.map(place)).sorted().prefix(3).joined(separator: " and ")
    return FindingDraft(
      kind: .glitch,
      site: site,
      subject: meetings.count == 1 ? stage.key : nil,
      summary: "twice for one value, \(worst.doubled) of \(worst.sent) times",
      sentence:
        "One value of \(source) came here by \(worst.inputs.count) paths, over \(inputNames), and was sent on twice in \(worst.doubled) of \(worst.sent) deliveries: "
        + "first with the old value of the other, a mixture that never existed, then with the new one. \(place(worst.root)) was given both.",
      remedy:
        "Make both from one value, with map on \(source), or let zip pair what belongs together; sample the other with withLatest(from:) where only one is to trigger.",
      evidence: Evidence(
        events: worst.numbers.sorted(),
        counters: ["deliveries \(worst.sent)", "sent twice in \(worst.doubled)"]
      ),
      accusedStages: meetings.prefix(64).map {
        let stage = histories.all[$0.stage]
        return AccusedRoot(stage)
      },
      cap: histories.isWhole
        ? nil : "what happened before the records that are left is not counted.",
      rank: Rank(live: UInt64(worst.doubled)),
      restsOnRecords: true
    )
  }
}

extension History {
  /// Whether a record with the identifier of this subscription is about it, rather than about an
  /// entity that had the same identifier earlier or later.
  func existed(at record: TraceRecord) -> Bool {
    record.number >= creation && (end == 0 || record.number <= end)
  }
}
