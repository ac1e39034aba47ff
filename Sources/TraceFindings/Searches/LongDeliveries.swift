import TraceModel
import TraceReading

/// A stretch of time in which the closures of one delivery ran for long.
///
/// The trace records when a value is delivered, but not how long each closure runs. It therefore
/// shows only how long all closures of a delivery ran together, until the next record of the thread
/// with a later time.
struct LongDelivery {
  /// The stage that sent the last value before the stretch.
  var sender: TraceID
  /// The stage that subscribed to the signal made at the end of the stretch; none if no signal was
  /// made there.
  var subscriber = TraceID.none
  var seconds: Double
  /// The number of the record of the last value.
  var number: UInt64
  /// When the stretch began and ended, in ticks.
  var began: UInt64
  var ended: UInt64

  /// The minimum number of seconds that counts as long.
  ///
  /// A tenth of a second is about what a user perceives as immediate (R. B. Miller, *Response time
  /// in man-computer conversational transactions*, 1968).
  static let minimumDuration = 0.1
  /// The minimum number of times that the closures of a line run for so long.
  static let minimumOccasions = 3
  /// The minimum share of values that take so long: any thread may be delayed occasionally.
  static let share = 0.2
  /// The number of seconds within which work begins if it was waiting for the closure to return.
  static let pause = 0.01

  /// The closures in which a thread spent its time in a long piece of work.
  ///
  /// - Parameters:
  ///   - rows: The records from the beginning of the work to its end.
  ///   - isAfterTurns: Whether a value that a closure itself has sent to a signal, and whose
  ///     delivery is over, is disregarded, so that the time after it is that of the closure.
  /// - Complexity: O(rows).
  static func all(
    in rows: ClosedRange<Int>,
    of thread: UInt32,
    isAfterTurns: Bool,
    _ facts: FindingFacts
  ) -> [LongDelivery] {
    var all: [LongDelivery] = []
    var sent: TraceRecord?
    var before: UInt64?
    // For each open turn, the last value before it.
    var turns: [(entity: TraceID, sent: TraceRecord?)] = []
    // Whether a long stretch has just ended, and all records since then are of signals that were
    // made.
    var isOver = false
    for row in rows {
      let record = facts.records[row]
      guard record.thread == thread else { continue }
      if let sent, let before {
        let seconds = facts.seconds(from: before, to: record.ticks)
        if seconds >= minimumDuration {
          all.append(
            LongDelivery(
              sender: sent.entity,
              seconds: seconds,
              number: sent.number,
              began: before,
              ended: record.ticks
            )
          )
          isOver = true
        }
      }
      if isOver, record.kind != .signalCreated, record.kind != .signalMade {
        all[all.count - 1].subscriber = record.subscribing?.downstream ?? .none
        isOver = false
      }
      switch record.kind {
      case .next: sent = record
      case .turnBegan where isAfterTurns: turns.append((record.entity, sent))
      case .turnEnded where isAfterTurns:
        guard let place = turns.lastIndex(where: { $0.entity == record.entity }) else { break }
        sent = turns[place].sent
        turns.removeSubrange(place...)
      default: break
      }
      before = record.ticks
    }
    return all
  }
}

/// The long deliveries in the closures of one line, for one caller of the line.
struct LongLine {
  /// For each stage that ran the closures, the stage that sent it the last value; both as indices
  /// of histories.
  private(set) var stages: [Int: Int] = [:]
  private(set) var deliveries: [LongDelivery] = []
  /// The indices of ``deliveries`` in the list from which the line was made.
  private(set) var places: [Int] = []
  /// The number of values that these stages were sent.
  private(set) var values: UInt64 = 0

  /// The total number of seconds.
  var seconds: Double { deliveries.reduce(0) { $0 + $1.seconds } }

  /// Whether closures of the line run for long often enough, and for enough of its values.
  var isUsual: Bool {
    deliveries.count >= LongDelivery.minimumOccasions
      && Double(deliveries.count) >= Double(values) * LongDelivery.share
  }

  /// The lines in whose closures time was spent, each with one of its callers, in an order that
  /// does not depend on chance.
  static func all(
    _ deliveries: [LongDelivery],
    _ histories: Histories,
    _ facts: FindingFacts
  ) -> [(site: UInt32, line: LongLine)] {
    let stages = StagesByID(deliveries.map(\.sender), histories)
    var byLine: [UInt64: LongLine] = [:]
    for (place, delivery) in deliveries.enumerated() {
      guard let sender = stages.place(of: delivery.sender, at: delivery.number) else { continue }
      let traits = facts.site(histories.all[sender].site).traits
      // An operator that only forwards values from elsewhere has no closure.
      let isPassedOn = !traits.isDisjoint(with: .withoutClosure)
      let downstream = histories.all[sender].downstream
      // The stage that subscribes to the signal made by a closure is the stage that ran the
      // closure.
      let hasMade = downstream >= 0 && histories.all[downstream].key.id == delivery.subscriber
      let stage = isPassedOn || hasMade ? downstream : sender
      guard stage >= 0, histories.all[stage].creation != 0 else { continue }
      let one = histories.all[stage]
      let key = Packing.pair(high: one.site, low: one.chain)
      var line = byLine[key] ?? LongLine()
      if line.stages.updateValue(sender, forKey: stage) == nil {
        line.values += histories.all[sender].events
      }
      line.deliveries.append(delivery)
      line.places.append(place)
      byLine[key] = line
    }
    return byLine.sorted { $0.key < $1.key }.map { (Packing.high($0.key), $0.value) }
  }

  /// Whether an earlier finding accuses a line of the same subscriptions: a long wait inside one of
  /// them is then part of the fault already found.
  func isExplained(_ histories: Histories, _ context: FindingContext) -> Bool {
    stages.keys.contains { stage in
      histories.tree(upstreamOf: histories.root(of: stage), limit: 64).contains {
        context.isAccused(histories.all[$0].site)
      }
    }
  }

  /// The closures that may have taken the time, as the subject of a sentence.
  func closures(of site: UInt32, _ histories: Histories, _ facts: FindingFacts) -> String {
    let row = facts.site(site)
    guard row.traits.contains(.root) else {
      return "The closure of \(row.place), or one above it,"
    }
    let upstream = stages.keys.min().flatMap { histories.inputs[$0].first }.map {
      facts.site(histories.all[$0].site)
    }
    let isOther = upstream.map {
      $0.place != row.place && $0.traits.isDisjoint(with: .withoutClosure)
    }
    return "The handler of \(row.place)"
      + (isOther == true ? ", or \(upstream?.place ?? "") above it," : "")
  }

  /// The stages, as those that a finding accuses.
  func accusedStages(_ histories: Histories) -> [AccusedRoot] {
    stages.keys.sorted().prefix(64).map { AccusedRoot(histories.all[$0]) }
  }
}

/// Finds the subscriptions to which identifiers in records refer.
struct StagesByID {
  private var places: [TraceID: [Int]] = [:]
  private let histories: Histories

  /// - Complexity: O(subscriptions).
  init(_ ids: some Sequence<TraceID>, _ histories: Histories) {
    self.histories = histories
    for id in ids { places[id] = [] }
    for (place, one) in histories.all.enumerated() { places[one.key.id]?.append(place) }
  }

  /// The index of the subscription that an identifier referred to at a record.
  func place(of id: TraceID, at number: UInt64) -> Int? {
    places[id]?.last { histories.all[$0].creation <= number }
  }
}

extension SiteTraits {
  /// The traits of operators that forward values without a closure that works on them.
  fileprivate static var withoutClosure: SiteTraits {
    [.hot, .switchesQueue, .timer, .source, .shares]
  }
}
