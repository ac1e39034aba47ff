package import TraceReading

/// What the records say about one entity (a signal, subscription, timer or owner), line of code,
/// queue or record that a screen shows in full.
///
/// Depending on the subject, this is how it ended, its owner, the subscriptions that it owns, or
/// the work that it runs.
///
/// It is the answer to ``TraceQuery/account(_:upTo:)``.
public struct Account: Sendable {
  /// The subject of the account.
  public package(set) var scope: Scope
  /// When it was made and when it ended; nil if the trace does not say.
  package var life: AccountedLife?
  /// Of a subscription: the owner that disposes of it when the owner itself ends; nil if there is
  /// none, or none is recorded.
  package var owner: AccountedLife?
  /// Whether ``owner`` owns not this subscription but the root subscription to which it belongs.
  package var isOwnerOfRoot = false
  /// Of a subscription that has ended: what ended it, and what ended with it.
  package var ending: EndingAccount?
  /// Of an owner: the subscriptions that it holds now or has ever held, the latest last.
  package var holdings: Holdings?
  /// Of a line of code: the owners made there, or if there are none, the owners that hold a
  /// subscription of the line or its root.
  ///
  /// Of a part of a name (``Scope/owners(_:)``): the owners whose name contains it.
  package var owners: [OwnerAccount] = []
  /// Of a line of code: the latest ends of its subscriptions, the latest last.
  package var endings: [EventRow] = []
  /// Of a queue: running work, pending work, and work that ran recently.
  package var queue: QueueAccount?
  /// Of a record about scheduled work: that work.
  package var hop: HopAccount?
  /// Of a record: its content.
  package var record: EventRow?
  /// The latest value, if the contents of values are recorded.
  package var lastValue: LastValue?
  /// Of a line of code: the lines that caused its events, and those that its events affected.
  package var flow: FlowReport?
  /// Of a line of code or a subscription: the schedulers and threads on which its values were sent.
  package var runPlaces: RunPlaces?
  /// Histograms of lengths of time, such as waits on queues.
  package var histograms: [Histogram] = []

  /// Creates an account without any facts.
  public init(_ scope: Scope) { self.scope = scope }
}

/// When a signal, a subscription, a timer or an owner was made, and when it ended.
package struct AccountedLife: Sendable, Equatable {
  package var key: EntityKey
  package var kind: EntityKind
  /// The row of its line of code.
  package var site: UInt32
  /// `map@Feed.swift:81`, as recorded.
  package var name: String
  package var began: Duration
  /// Nil if the entity was still live at the end of the period examined.
  package var ended: Duration?
  /// Whether it has ended, but no record says when.
  package var isEndUnknown = false

  /// `map@Feed.swift:81 #12`, with control characters escaped.
  package var label: String { displayName("\(name) \(key.label)", columns: 120) }

  /// Creates the description of an entity.
  ///
  /// - Parameters:
  ///   - life: What the records say about it.
  ///   - end: The end of the period examined; later ends are ignored.
  ///   - store: The store that contains it.
  ///   - snapshot: The trace.
  package init(
    _ life: EntityStore.Life,
    upTo end: Duration,
    _ store: EntityStore,
    _ snapshot: TraceSnapshot
  ) {
    key = life.key
    kind = life.kind
    site = life.site
    name = snapshot.label(ofSite: life.site)
    began = max(.zero, snapshot.time(life.createdAt))
    guard let ticks = store.end(life) else { return }
    let time = snapshot.time(ticks)
    if time <= end { (ended, isEndUnknown) = (time, life.isEndUnknown) }
  }
}

/// The latest value of a line of code or of a subscription, as text.
package struct LastValue: Sendable, Equatable {
  package var text: String
  package var time: Duration
  /// The number of the record.
  package var event: UInt64
}

extension LastValue {
  /// The latest value of a line of code or of a subscription before a row of the records.
  ///
  /// - Complexity: O(records); searches at most ``limit`` of them.
  package static func find(
    _ scope: Scope,
    before row: Int,
    _ snapshot: TraceSnapshot
  ) -> LastValue? {
    let records = snapshot.records
    guard records.kinds.contains(.value) else { return nil }
    let first = max(0, row - limit)
    let store = EntityStore(snapshot, in: first..<row)
    var row = row
    while let place = records.lastRow(of: RecordKinds(.value), before: row), place >= first {
      row = place
      let record = records[place]
      guard let life = store.life(record.entity, at: place),
        scope == .site(life.site) || scope == .subscription(life.key),
        let (text, byteCount) = record.valueText
      else { continue }
      return LastValue(
        text: byteCount > Layout.Record.valueByteCount ? text + "…" : text,
        time: snapshot.time(record.ticks),
        event: record.number
      )
    }
    return nil
  }

  /// The maximum number of records that are searched.
  private static let limit = 1 << 18
}

/// What ended a subscription, and what ended with it.
package struct EndingAccount: Sendable, Equatable {
  /// The number of the record of the end.
  package var event: UInt64
  package var time: Duration
  /// What ended it, in one sentence.
  package var answer: String
  /// The ends that led to this one, each with an explanation, from this one back to the first.
  package var steps: [Step] = []
  /// Facts that the trace does not have, one sentence each.
  package var unknown: [String] = []
  /// The asynchronous backtrace of the code that ended it; 0 if that is unknown.
  package var chain: UInt32 = 0
  /// The owner, operator or subscription that disposed of it, if that is recorded.
  package var by: AccountedLife?
  /// The number of the record of the value or terminal event that an operator received before it
  /// ended the subscription.
  package var trigger: UInt64?
  /// The number of the `hop-began` record of the scheduled work during which the subscription
  /// ended.
  package var hop: UInt64?
  /// That work, as text: `hop 42 on main`.
  package var hopText = ""
  /// The number of the record that scheduled that work.
  package var scheduling: UInt64?
  /// The first few subscriptions upstream that ended in the same turn: everything that a thread
  /// does from the beginning of a piece of work, or of a delivery, until it returns.
  package var upstream: [AccountedLife] = []
  package var upstreamCount = 0
  /// The first few subscriptions downstream that ended in that turn.
  package var downstream: [AccountedLife] = []
  package var downstreamCount = 0

  /// One end that led to another.
  package struct Step: Sendable, Equatable {
    package var key: EntityKey
    package var text: String

    package init(key: EntityKey, text: String) { (self.key, self.text) = (key, text) }
  }

  /// The maximum number of rows of each list.
  package static let limit = 6

  package init(event: UInt64, time: Duration, answer: String) {
    (self.event, self.time, self.answer) = (event, time, answer)
  }
}

extension EndingAccount {
  /// Adds the subscriptions upstream and downstream of this one that ended in the same turn.
  ///
  /// - Parameters:
  ///   - key: The subscription.
  ///   - row: The row of the record of its end.
  ///   - store: Says which entity an identifier refers to.
  ///   - snapshot: The trace.
  package mutating func addNeighbours(
    of key: EntityKey,
    endIn row: Int,
    _ store: EntityStore,
    _ snapshot: TraceSnapshot
  ) {
    let records = snapshot.records
    let thread = records[row].thread
    /// Whether a subscription is upstream of another one, across a limited number of operators.
    func leads(_ from: EntityStore.Life, to key: EntityKey, at row: Int) -> Bool {
      var here = from
      for _ in 0..<Self.pathLimit {
        guard here.link != .none, let next = store.subscription(here.link, at: row) else {
          return false
        }
        if next.key == key { return true }
        here = next
      }
      return false
    }
    func add(_ place: Int) {
      guard place != row, let life = store.subscription(records[place].entity, at: place),
        let own = store.subscription(records[row].entity, at: row)
      else { return }
      let entry = AccountedLife(life, upTo: time, store, snapshot)
      if leads(life, to: key, at: place) {
        upstreamCount += 1
        if upstream.count < Self.limit { upstream.append(entry) }
      } else if leads(own, to: life.key, at: row) {
        downstreamCount += 1
        if downstream.count < Self.limit { downstream.append(entry) }
      }
    }
    let kinds: Set<RecordKind> = [.turnBegan, .turnEnded, .hopBegan, .hopEnded, .ended]
    for isForward in [false, true] {
      let rows =
        isForward
        ? Array(row..<min(records.count, row + Self.searchLimit))
        : Array((max(0, row - Self.searchLimit)..<row).reversed())
      var depth = 0
      for place in rows {
        let record = records[place]
        guard record.thread == thread, kinds.contains(record.kind) else { continue }
        switch record.kind {
        case .ended: add(place)
        case .turnBegan, .hopBegan: depth += isForward ? 1 : -1
        default: depth += isForward ? -1 : 1
        }
        if depth < 0 { break }
      }
    }
  }

  /// Adds the work during which the subscription ended, and the record that scheduled that work.
  package mutating func addHop(endIn row: Int, _ snapshot: TraceSnapshot) {
    let records = snapshot.records
    let (thread, epoch) = (records[row].thread, Self.epoch(records[row]))
    // The number of pieces of work that returned before the subscription ended; their beginnings
    // are skipped.
    var over = 0
    for place in (max(0, row - Self.searchLimit)..<row).reversed() {
      let record = records[place]
      guard record.thread == thread, Self.epoch(record) == epoch else { continue }
      switch record.kind {
      case .recordsLost: return
      case .hopEnded: over += 1
      case .hopBegan where over > 0: over -= 1
      case .hopBegan:
        hop = record.number
        hopText = Self.text(record.id, on: record.argument, snapshot)
        let scheduled = records.lastRow(of: RecordKinds(.hopScheduled), before: place) {
          $0.hopScheduling?.hop == record.id
        }
        scheduling = scheduled.map { records[$0].number }
        return
      default: break
      }
    }
  }

  private static func text(_ hop: UInt32, on scheduler: UInt32, _ snapshot: TraceSnapshot)
    -> String
  {
    "hop \(hop)" + (snapshot.schedulerName(scheduler).map { " on \($0)" } ?? "")
  }

  private static func epoch(_ record: TraceRecord) -> UInt64 {
    UInt64(Packing.position(ofRecord: record.number).epoch)
  }

  private static let searchLimit = 1 << 13
  private static let pathLimit = 64
}
