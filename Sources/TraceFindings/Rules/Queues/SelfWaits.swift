public import TraceModel
import TraceReading

extension FindingKind {
  /// Work on a queue subscribes and keeps the queue busy until the work disposes of the
  /// subscription, whose value waits for the same queue.
  public static let waitsForItself = FindingKind(
    "waits-for-itself",
    "a queue waits for itself",
    needsEvents: true,
    needsAll: true,
    evidence: [.subscribed, .hopBegan, .hopScheduled, .hopCancelled],
    doubt: "The trace shows that the queue was busy all that time, but not that it only waited."
  )
}

/// Subscriptions that a piece of work on a serial queue makes, and for whose value it waits, while
/// the value waits for the queue on which that work runs: the value can arrive only when the work
/// has returned, and the work disposes of the subscription before that.
///
/// Only values that another thread has scheduled count, because what the work itself has scheduled
/// may be a delay or a timeout.
enum SelfWaits: FindingRule {
  static let kinds: [FindingKind] = [.waitsForItself]

  /// The minimum number of seconds for which a value must wait to count.
  private static let minimumSeconds = 0.1

  /// A root subscription.
  private struct Root: Accusable {
    var key: EntityKey
    var site: UInt32
    var chain: UInt32
    var thread: UInt32
    var ticks: UInt64
    var number: UInt64
    var hasValue = false
  }

  /// A value that waited for the queue until its subscription was disposed of.
  private struct Wait {
    var root: Root
    /// The site of the stage that scheduled the delivery of the value.
    var stage: UInt32
    var scheduler: UInt32
    var seconds: Double
    /// The numbers of the records that show the wait.
    var numbers: [UInt64]
  }

  static func check(_ context: FindingContext) -> [FindingDraft] {
    let facts = context.facts
    guard facts.hasEvents, facts.loss == nil,
      facts.records.lastRow(of: RecordKinds([.hopCancelled])) != nil
    else { return [] }
    let waits = Search(facts).waits
    return Dictionary(grouping: waits, by: \.root.site).sorted { $0.key < $1.key }
      .compactMap { site, waits in draft(site, waits, facts) }
  }

  // MARK: Search

  private struct Search {
    private(set) var waits: [Wait] = []
    private let facts: FindingFacts
    /// For each subscription, its root subscription and its own site.
    private var roots: [TraceID: (root: TraceID, site: UInt32)] = [:]
    private var open: [TraceID: Root] = [:]
    private var scheduled: [UInt32: TraceRecord] = [:]
    /// The work that runs on each thread, the innermost last.
    private var works: [UInt32: [TraceRecord]] = [:]

    private static let kinds = RecordKinds([
      .subscribed, .next, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .levelChanged,
    ])

    /// - Complexity: O(records).
    init(_ facts: FindingFacts) {
      self.facts = facts
      let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
      facts.records.forEach(of: Self.kinds, in: rows) { _, record in process(record) }
    }

    private mutating func process(_ record: TraceRecord) {
      switch record.kind {
      case .subscribed:
        guard let creation = record.subscribing else { return }
        if let below = roots[creation.downstream] {
          roots[record.entity] = (below.root, creation.site)
        } else if creation.downstream == .none {
          roots[record.entity] = (record.entity, creation.site)
          open[record.entity] = Root(
            key: EntityKey(id: record.entity, serial: creation.serial),
            site: creation.site,
            chain: creation.chain,
            thread: record.thread,
            ticks: record.ticks,
            number: record.number
          )
        } else {
          roots[record.entity] = nil
        }
      case .next: open[record.entity]?.hasValue = true
      case .hopScheduled: scheduled[record.id] = record
      case .hopBegan:
        scheduled[record.id] = nil
        works[record.thread, default: []].append(record)
      case .hopEnded:
        if let last = works[record.thread]?.lastIndex(where: { $0.id == record.id }) {
          works[record.thread]?.removeSubrange(last...)
        }
      case .hopCancelled: cancelled(record)
      case .levelChanged: (scheduled, works) = ([:], [:])
      default: break
      }
    }

    private mutating func cancelled(_ record: TraceRecord) {
      guard let asked = scheduled.removeValue(forKey: record.id), let hop = asked.hopScheduling,
        asked.thread != record.thread, isSerial(hop.scheduler),
        let work = works[record.thread]?.last(where: { $0.argument == hop.scheduler }),
        let stage = roots[hop.subscription], let root = open[stage.root],
        root.thread == record.thread, root.ticks >= work.ticks, asked.ticks >= root.ticks,
        !root.hasValue
      else { return }
      let seconds = facts.seconds(from: asked.ticks, to: record.ticks)
      guard seconds >= SelfWaits.minimumSeconds else { return }
      waits.append(
        Wait(
          root: root,
          stage: stage.site,
          scheduler: hop.scheduler,
          seconds: seconds,
          numbers: [work.number, root.number, asked.number, record.number]
        )
      )
    }

    private func isSerial(_ scheduler: UInt32) -> Bool {
      [.main, .serialQueue].contains(facts.scheduler(scheduler)?.kind)
    }
  }

  // MARK: Texts

  private static func draft(_ site: UInt32, _ waits: [Wait], _ facts: FindingFacts)
    -> FindingDraft?
  {
    guard let longest = waits.max(by: { $0.seconds < $1.seconds }) else { return nil }
    let row = facts.site(site)
    let stage = facts.site(longest.stage).place
    let queue = WrongQueue.name(
      facts.scheduler(longest.scheduler)?.kind == .main ? .main : .scheduler(longest.scheduler),
      facts
    )
    let time = Duration.seconds(longest.seconds).brief
    let isOne = waits.count == 1
    return FindingDraft(
      kind: .waitsForItself,
      site: site,
      subject: isOne ? longest.root.key : nil,
      summary: "a value waited \(time) for \(queue), in vain",
      sentence:
        "\(Words.count(waits.count, "value")), for which \(row.place) waited, came to \(stage) and had to wait \(isOne ? "" : "up to ")\(time) for \(queue), which was busy all that time with the very work that had subscribed: "
        + "\(isOne ? "the" : "each") subscription was disposed of there before \(isOne ? "the" : "its") value could arrive.",
      remedy:
        "Do not block \(queue) to wait: subscribe, and continue in the handler. If that is not "
        + "possible, let the value arrive on another queue, without \(stage).",
      evidence: Evidence(
        events: waits.flatMap(\.numbers).sorted(),
        counters: ["waited in vain \(waits.count)"]
      ),
      accusedRoots: waits.map { AccusedRoot($0.root) },
      affected: waits.map(\.root.key),
      rank: Rank(live: UInt64(waits.count), age: longest.seconds),
      restsOnRecords: true,
      ruledOut: ["a delay or a timeout on the queue: another thread had scheduled the value"]
    )
  }
}
