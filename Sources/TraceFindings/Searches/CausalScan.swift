import TraceModel
import TraceReading

/// Causes found in one pass through the latest records: which handler sent a value to a signal,
/// over which hops (passages to another queue) that value had come, and what ended the signal.
///
/// A handler is the closure that the program passes to `subscribe`. It is taken to run from the
/// record of its value until the piece of work or delivery around it ends or calls another handler.
struct CausalScan {
  /// A value sent to a signal.
  struct Turn {
    var signal: EntityKey
    var site: UInt32
    var ticks: UInt64
    var number: UInt64
    /// The index of the turn that caused it; -1 if the trace shows none.
    var cause: Int
    /// The serial of the subscription whose handler sent the value; 0 if no handler did.
    var root: UInt64
    /// The site of the stage that scheduled the work in which the value was sent; 0 if there was no
    /// such hop.
    var stage: UInt32
  }

  /// The values of one root subscription, which the program itself made, and what its handler did
  /// with them.
  struct Handled {
    var key: EntityKey
    var site: UInt32
    var chain: UInt32
    /// The number of values on the main queue, how many of these arrived in work of the main
    /// queue's scheduler, and the stages that scheduled that work.
    var main = 0
    var movedToMain = 0
    var stagesMovingToMain: [UInt32: Int] = [:]
    /// The values handled elsewhere, with their first records.
    var elsewhere = DeliveryScan.Deliveries()
    /// The number of values handled elsewhere, by the site of the stage whose hop moved them there;
    /// 0 stands for no hop.
    var stagesMovingElsewhere: [UInt32: Int] = [:]
    var places: [DeliveryScan.Place: Int] = [:]
    /// The values that the handler received, in order.
    var values: [Histories.Turn] = []
    /// The signals to which its handler has sent values, by their serials.
    var sent: Set<UInt64> = []

    fileprivate mutating func add(
      _ record: TraceRecord,
      _ place: DeliveryScan.Place,
      _ hop: (stage: UInt32, scheduler: UInt32)?
    ) {
      places[place, default: 0] += 1
      if place == .main {
        main += 1
        if let hop, hop.scheduler != 0 {
          movedToMain += 1
          stagesMovingToMain[hop.stage, default: 0] += 1
        }
      } else {
        elsewhere.add(record.number)
        stagesMovingElsewhere[hop?.stage ?? 0, default: 0] += 1
      }
      values.append(Histories.Turn(ticks: record.ticks, number: record.number))
    }
  }

  /// A set of a property by a thread that had read an earlier value than the one that it replaced.
  struct Overwriting {
    /// The site of the property.
    var site: UInt32
    var ticks: UInt64
    var number: UInt64
    /// The serial of the subscription whose handler set the property; 0 if no handler did.
    var root: UInt64
  }

  /// The end of a signal that was caused by the end of a root subscription.
  struct Ending {
    var signal: EntityKey
    var site: UInt32
    var root: UInt64
    var ticks: UInt64
    /// The record of the first subscription of the signal that ended this way.
    var number: UInt64
  }

  /// The creation of a root subscription by the handler of another one.
  struct NestedCreation {
    /// The serial of the subscription with that handler.
    var root: UInt64
    /// The index of the value in whose handling it was created, counted from 0.
    var value: Int
  }

  private(set) var turns: [Turn] = []
  private(set) var overwritings: [Overwriting] = []
  private(set) var handled: [UInt64: Handled] = [:]
  /// The identifiers of the signals to which values were sent, by their serials.
  private(set) var signals: [UInt64: TraceID] = [:]
  /// The ends of signals, by the serials of the signals.
  private(set) var endings: [UInt64: Ending] = [:]
  /// The creations of root subscriptions in handlers, by the serials of the created subscriptions.
  private(set) var nestedCreations: [UInt64: NestedCreation] = [:]
  /// The sites of the owners of subscriptions, by the serials of the subscriptions.
  private(set) var owners: [UInt64: UInt32] = [:]
  /// The schedulers to which stages have sent work, by the serials of the stages.
  private(set) var targets: [UInt64: Set<UInt32>] = [:]
  /// Threads that have run work of the main queue.
  private(set) var mainThreads: Set<UInt32> = []

  private struct Frame {
    var entity: TraceID = .none
    var hop: UInt32 = 0
    /// The index of the turn itself; for a hop, the index of the turn that caused the hop.
    var turn = -1
    /// The site of the stage for which a hop was scheduled.
    var stage: UInt32 = 0
    /// The row in the table of schedulers; 0 if the frame is not a hop.
    var scheduler: UInt32 = 0
    /// The root subscription whose handler was last called in this work or delivery.
    var root: UInt64 = 0
    /// The index of the turn that ended last inside this work or delivery, or, if another turn had
    /// ended inside that turn, the index of the inner one; -1 if there is none.
    var last = -1
    /// The subscriptions made since ``last`` ended.
    var creations: Set<TraceID> = []
  }

  private struct Origin {
    var turn: Int
    var stage: UInt32
    var hasBegun = false
  }

  private let store: EntityStore
  private var mainQueue = MainQueueTurns()
  private var frames: [UInt32: [Frame]] = [:]
  private var origins: [UInt32: Origin] = [:]
  /// For each thread, the root subscription whose end it has just recorded, or the first of
  /// several; removed when a record of another kind follows.
  private var ended: [UInt32: UInt64] = [:]

  private static let kinds = RecordKinds([
    .subscribed, .next, .turnBegan, .turnEnded, .valueOverwritten, .hopScheduled, .hopBegan,
    .hopEnded, .ended, .runsOn, .ownerBound,
  ])

  /// - Complexity: O(records).
  init(_ facts: FindingFacts) {
    let rows = facts.records.suffix(DeliveryScan.limit(facts)).indices
    store = facts.entities(in: rows, searchLimit: DeliveryScan.limit(facts))
    facts.records.forEach(of: Self.kinds, in: rows) { process($1, $0, facts) }
  }

  private mutating func process(_ record: TraceRecord, _ row: Int, _ facts: FindingFacts) {
    mainQueue.process(record)
    let thread = record.thread
    if record.kind != .ended { ended[thread] = nil }
    switch record.kind {
    case .subscribed:
      begin(record, facts)
    case .next: handle(record, row, facts)
    case .turnBegan:
      guard let life = store.life(record.entity, at: row) else { return }
      let top = frames[thread]?.last
      let turn = Turn(
        signal: life.key,
        site: life.site,
        ticks: record.ticks,
        number: record.number,
        cause: top?.turn ?? -1,
        root: top?.root ?? 0,
        stage: top?.stage ?? 0
      )
      frames[thread, default: []].append(Frame(entity: record.entity, turn: turns.count))
      turns.append(turn)
      if turn.root != 0 {
        handled[turn.root]?.sent.insert(life.key.serial)
        signals[life.key.serial] = record.entity
      }
    case .turnEnded:
      let ended = frames[thread]?.last { $0.hop == 0 && $0.entity == record.entity }
      leave(thread) { $0.hop == 0 && $0.entity == record.entity }
      if let top = frames[thread]?.indices.last {
        frames[thread]?[top].last = ended.map { $0.last >= 0 ? $0.last : $0.turn } ?? -1
        frames[thread]?[top].creations = []
      }
    case .valueOverwritten:
      guard let life = store.life(record.entity, at: row) else { return }
      overwritings.append(
        Overwriting(
          site: life.site,
          ticks: record.ticks,
          number: record.number,
          root: frames[thread]?.last?.root ?? 0
        )
      )
    case .hopScheduled:
      guard let hop = record.hopScheduling else { return }
      let stage = store.subscription(hop.subscription, at: row)
      if let stage { targets[stage.key.serial, default: []].insert(hop.scheduler) }
      origins[hop.hop] = Origin(turn: frames[thread]?.last?.turn ?? -1, stage: stage?.site ?? 0)
    case .hopBegan:
      let origin = origins[record.id]
      if facts.scheduler(record.argument)?.kind == .main { mainThreads.insert(thread) }
      frames[thread, default: []].append(
        Frame(
          hop: record.id,
          // Work that runs repeatedly belongs to a timer: the turn that scheduled it causes only
          // its first run.
          turn: origin?.hasBegun == false ? origin?.turn ?? -1 : -1,
          stage: origin?.stage ?? 0,
          scheduler: record.argument
        )
      )
      origins[record.id]?.hasBegun = true
    case .hopEnded: leave(thread) { $0.hop == record.id }
    case .ended: end(record, row, facts)
    case .ownerBound:
      guard let owner = record.owner.flatMap({ store.life($0, at: row) }),
        let bound = store.subscription(record.entity, at: row)
      else { return }
      owners[bound.key.serial] = owner.site
    default: break
    }
  }

  private mutating func leave(_ thread: UInt32, where isWanted: (Frame) -> Bool) {
    guard let all = frames[thread], let place = all.lastIndex(where: isWanted) else { return }
    frames[thread]?.removeSubrange(place...)
  }

  private mutating func begin(_ record: TraceRecord, _ facts: FindingFacts) {
    let thread = record.thread
    guard let creation = record.subscribing, let place = frames[thread]?.indices.last else {
      return
    }
    if creation.downstream == .none {
      guard let root = frames[thread]?[place].root, let maker = handled[root] else { return }
      nestedCreations[creation.serial] = NestedCreation(root: root, value: maker.values.count - 1)
    }
    guard let last = frames[thread]?[place].last, last >= 0 else { return }
    if creation.downstream != .none,
      frames[thread]?[place].creations.contains(creation.downstream) == false
    {
      // An operator subscribes to the next inner signal while it is still handling a value. The
      // turn that has just ended caused the values of that signal.
      frames[thread]?[place].turn = last
    }
    frames[thread]?[place].creations.insert(record.entity)
  }

  private mutating func handle(_ record: TraceRecord, _ row: Int, _ facts: FindingFacts) {
    guard let life = store.subscription(record.entity, at: row),
      facts.site(life.site).traits.contains(.root)
    else { return }
    let thread = record.thread
    let serial = life.key.serial
    if let last = frames[thread]?.indices.last { frames[thread]?[last].root = serial }
    let hop = frames[thread]?.last { $0.hop != 0 }
    let place = DeliveryScan.Place(hop?.scheduler ?? 0, thread, mainQueue, facts)
    handled[
      serial,
      default: Handled(key: life.key, site: life.site, chain: life.chain)
    ]
    .add(record, place, hop.map { (stage: $0.stage, scheduler: $0.scheduler) })
  }

  private mutating func end(_ record: TraceRecord, _ row: Int, _ facts: FindingFacts) {
    let life = store.subscription(record.entity, at: row)
    guard let life, record.endReason == .completed || record.endReason == .failed else { return }
    let traits = facts.site(life.site).traits
    if traits.contains(.root) {
      // A root subscription that ends after another one did not cause the end of the signal.
      if ended[record.thread] == nil { ended[record.thread] = life.key.serial }
    } else if traits.contains(.hot), let root = ended[record.thread],
      let signal = store.life(life.signal, at: row), endings[signal.key.serial] == nil
    {
      endings[signal.key.serial] = Ending(
        signal: signal.key,
        site: signal.site,
        root: root,
        ticks: record.ticks,
        number: record.number
      )
    }
  }
}
