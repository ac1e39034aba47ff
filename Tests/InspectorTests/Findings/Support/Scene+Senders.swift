import ReactiveTrace
import TraceReading

/// Recordings of programs in which several callers, senders, attempts or inputs affect each other.
///
/// Times are in seconds.
extension Scene {
  /// Where the handler of a caller runs: on the main queue, elsewhere because a `delay` undoes the
  /// hop to the main queue, or elsewhere because a second `deliver(on:)` moves the values again.
  enum HandlerQueue { case main, delayed, background }

  /// Subscriptions that one line makes for several callers; a `deliver(on:)` moves their values to
  /// the main queue, and an operator downstream may move them elsewhere.
  static func callers(_ queues: [HandlerQueue], offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(3)
    let main = recording.scheduler("main", .main)
    let other = recording.scheduler("background", .concurrentQueue)
    let root = recording.site("subscribe", "App/Show.swift", 20, .root)
    let deliver = recording.site("deliver(on:)", "App/Show.swift", 10, [.queues, .switchesQueue])
    let delay = recording.site("delay", "App/Show.swift", 12, .queues)
    let source = recording.site("Subject", "App/Show.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(source, at: 0)
    // Each chain leads from the source to the handler.
    let chains = queues.enumerated().map { number, queue -> [TraceID] in
      let chain = UInt32(number + 1)
      let sites =
        (queue == .main ? [root] : [root, queue == .delayed ? delay : deliver]) + [deliver]
      var ids: [TraceID] = []
      for site in sites {
        ids.append(recording.subscribe(site, to: ids.last ?? .none, chain: chain, at: 0))
      }
      ids.append(
        recording.subscribe(source, to: ids[ids.count - 1], of: subject, chain: chain, at: 0)
      )
      return ids.reversed()
    }
    var hop: UInt32 = 100
    func pass(
      _ ids: some Collection<TraceID>,
      _ recording: inout Recording,
      on scheduler: UInt32,
      thread: UInt32,
      at time: Double
    ) {
      hop += 1
      recording.schedule(hop, on: scheduler, for: ids.first ?? .none, at: time)
      recording.hop(hop, on: scheduler, thread: thread, at: time) {
        for id in ids { $0.next(id, thread: thread, at: time) }
      }
    }
    for value in 1...6 {
      let time = Double(value) * 0.2
      recording.turn(subject, at: time) { for ids in chains { $0.next(ids[0], at: time) } }
      for ids in chains where ids.count == 3 {
        pass(ids[1...], &recording, on: main, thread: 1, at: time)
      }
      for ids in chains where ids.count == 4 {
        pass(ids[1...1], &recording, on: main, thread: 1, at: time)
        pass(ids[2...], &recording, on: other, thread: 2, at: time)
      }
    }
    recording.mark("later", at: 2)
    return recording
  }

  /// A container that is disposed of and is then given `count` subscriptions; with `isMadeAnew`, a
  /// new container replaces it each time.
  static func rows(_ count: Int, isMadeAnew: Bool, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Row.swift", 9, .root)
    let source = recording.site("Subject", "App/Row.swift", 5, [.hot, .endless, .subject])
    let container = recording.site("CompositeDisposable", "App/Row.swift", 3)
    let subject = recording.signal(source, at: 0)
    func begin(_ time: Double) -> [TraceID] {
      let ids = recording.chain([root], at: time)
      return ids + [recording.subscribe(source, to: ids[0], of: subject, at: time)]
    }
    var owner = recording.owner(container, at: 0)
    var ids = begin(0)
    recording.bind(ids[0], to: owner, at: 0)
    for number in 1...count {
      let time = Double(number) * 0.2
      if number == 1 || isMadeAnew {
        recording.end(ids.reversed(), at: time)
        recording.endOwner(owner, at: time)
        owner = recording.owner(container, at: time)
      }
      ids = begin(time)
      recording.bind(ids[0], to: owner, at: time)
      guard !isMadeAnew else { continue }
      recording.refuse(ids[0], by: owner, at: time)
      recording.end(ids.reversed(), at: time)
    }
    recording.mark("later", at: Double(count) * 0.2 + 0.2)
    return recording
  }

  /// A subject to which the handlers of three subscriptions send; one of them ends after a second,
  /// and with `endsWithOne` so does the subject's signal.
  static func inbox(endsWithOne: Bool, goesOn: Bool = true, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let subject: SiteTraits = [.hot, .endless, .subject]
    let inbox = recording.site("Subject", "App/Inbox.swift", 5, subject)
    let button = recording.site("Subject", "App/Inbox.swift", 6, subject)
    let link = recording.site("timer(after:)", "App/Inbox.swift", 7)
    let work = recording.site("subscribe", "App/Inbox.swift", 9, .root)
    let feed = recording.site("subscribe", "App/Inbox.swift", 12, .root)
    let target = recording.signal(inbox, at: 0)
    let worker = recording.chain([work], at: 0)
    let heard = recording.subscribe(inbox, to: worker[0], of: target, at: 0)
    let buttons = (0..<2).map { _ in recording.signal(button, at: 0) }
    let feeds = buttons.map { one -> [TraceID] in
      let ids = recording.chain([feed], at: 0)
      return ids + [recording.subscribe(button, to: ids[0], of: one, at: 0)]
    }
    let last = recording.chain([feed, link], at: 0)
    func deliver(_ ids: [TraceID], _ recording: inout Recording, _ time: Double) {
      for id in ids { recording.next(id, at: time) }
      recording.turn(target, at: time) { for id in [heard, worker[0]] { $0.next(id, at: time) } }
    }
    for value in 1...4 {
      for (place, one) in buttons.enumerated() {
        let time = Double(value) * 0.2 + Double(place) * 0.1
        recording.turn(one, at: time) { deliver(feeds[place].reversed(), &$0, time) }
      }
    }
    deliver(last.reversed(), &recording, 1)
    for id in last.reversed() { recording.end(id, .completed, at: 1) }
    if endsWithOne {
      for id in [heard, worker[0]] { recording.end(id, .completed, at: 1) }
      for ids in feeds { recording.end(ids.reversed(), at: 1) }
    }
    for value in 6...(goesOn ? 10 : 6) {
      for (place, one) in buttons.enumerated() {
        let time = Double(value) * 0.2 + Double(place) * 0.1
        recording.turn(one, at: time) {
          if !endsWithOne { deliver(feeds[place].reversed(), &$0, time) }
        }
      }
    }
    recording.mark("later", at: 2.2)
    return recording
  }

  /// Two properties that set each other after `gap` seconds, for a number of rounds; with
  /// `isDriven`, a timer sets them instead.
  static func circle(
    rounds: Int,
    every gap: Double = 0.05,
    isDriven: Bool = false,
    silentFor seconds: Double = 0,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let main = recording.scheduler("main", .main)
    let root = recording.site("subscribe", "App/Fields.swift", 9, .root)
    let debounce = recording.site("debounce", "App/Fields.swift", 8, .keepsLatest)
    let sides = (0..<2).map {
      side -> (field: TraceID, input: TraceID, stage: TraceID, root: TraceID) in
      let site = recording.site("field", "App/Fields.swift", 5 + UInt32(side), [.hot, .endless])
      let field = recording.signal(site, at: 0)
      let ids = recording.chain([root, debounce], at: 0)
      let input = recording.subscribe(site, to: ids[1], of: field, at: 0)
      _ = recording.arm(debounce, every: 0, for: ids[1], at: 0)
      return (field, input, ids[1], ids[0])
    }
    var hop: UInt32 = 100
    func set(_ side: Int, _ recording: inout Recording, _ time: Double) {
      let stage = sides[side].stage
      let input = sides[side].input
      if !isDriven { hop += 1 }
      let number = hop
      recording.turn(sides[side].field, at: time) {
        $0.next(input, at: time)
        if !isDriven { $0.schedule(number, on: main, for: stage, at: time) }
      }
    }
    set(0, &recording, 0.1)
    for step in 1...(2 * rounds) {
      let time = 0.1 + Double(step) * gap
      let from = sides[(step + 1) % 2]
      recording.hop(hop, on: main, thread: 1, at: time) {
        for id in [from.stage, from.root] { $0.next(id, at: time) }
        set(step % 2, &$0, time)
      }
    }
    recording.mark("later", at: 0.1 + Double(2 * rounds + 1) * gap + seconds)
    return recording
  }

  /// Attempts of a `retry` around a `concatMap`; attempt `n` fails after `values[n]` uploads, and
  /// the last one succeeds.
  static func uploads(_ values: [Int], isEndless: Bool = false, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Backup.swift", 9, .root)
    let retry = recording.site("retry", "App/Backup.swift", 8, [.passes, .retries])
    let concat = recording.site(
      "concatMap",
      "App/Backup.swift",
      7,
      [.merging, .flattens, .queuesInner]
    )
    let source = recording.site("from", "App/Backup.swift", 6, isEndless ? [.hot, .endless] : [])
    let inner = recording.site("upload", "App/Backup.swift", 5, .timer)
    let ids = recording.chain([root, retry], at: 0)
    for (number, count) in values.enumerated() {
      let start = Double(number)
      let stage = recording.subscribe(concat, to: ids[1], at: start)
      let input = recording.subscribe(source, to: stage, at: start)
      recording.next(input, at: start)
      if !isEndless { recording.end(input, .completed, at: start) }
      for value in 0..<count {
        let time = start + 0.01 + Double(value) * 0.05
        let one = recording.subscribe(inner, to: stage, at: time)
        for id in [one, stage, ids[1], ids[0]] { recording.next(id, at: time + 0.04) }
        recording.end(one, .completed, at: time + 0.04)
      }
      let time = start + 0.02 + Double(count) * 0.05
      guard number < values.count - 1 else {
        for id in [stage, ids[1], ids[0]] { recording.end(id, .completed, at: time) }
        break
      }
      let failing = recording.subscribe(inner, to: stage, at: time)
      recording.fail([stage, failing], "App.Refusal", at: time + 0.01)
      if isEndless { recording.end(input, at: time + 0.01) }
    }
    recording.mark("later", at: Double(values.count))
    return recording
  }

  /// Orders that are made and then confirmed, with a `retry` around both; the confirmation of order
  /// `n` fails `failures[n]` times.
  static func orders(
    _ failures: [Int],
    madeAfter making: Double = 0.1,
    confirmedAfter confirming: Double = 0.06,
    sendsBeforeFailure: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Orders.swift", 9, .root)
    let retry = recording.site("retry", "App/Orders.swift", 8, [.passes, .retries])
    let flatMap = recording.site("flatMap", "App/Orders.swift", 7, [.merging, .flattens])
    let make = recording.site("create", "App/Orders.swift", 5, .source)
    let confirm = recording.site("create", "App/Orders.swift", 6, .source)
    for (number, count) in failures.enumerated() {
      let start = Double(number) * 5
      let ids = recording.chain([root, retry], at: start)
      for attempt in 0...count {
        var time = start + Double(attempt) * 0.5
        let stage = recording.subscribe(flatMap, to: ids[1], at: time)
        let order = recording.subscribe(make, to: stage, at: time)
        time += making
        recording.next(order, at: time)
        let receipt = recording.subscribe(confirm, to: stage, at: time)
        recording.end(order, .completed, at: time)
        time += confirming
        if attempt == count || sendsBeforeFailure {
          for id in [receipt, stage, ids[1], ids[0]] { recording.next(id, at: time) }
        }
        if attempt < count {
          recording.fail([stage, receipt], "App.Refusal", at: time)
        } else {
          for id in [receipt, stage, ids[1], ids[0]] { recording.end(id, .completed, at: time) }
        }
      }
    }
    recording.mark("later", at: Double(failures.count) * 5)
    return recording
  }

  /// Attempts of a `retry` downstream of a shared signal, which repeats its first failure or starts
  /// anew for each attempt.
  static func keys(_ attempts: Int, keepsFailure: Bool, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Keys.swift", 9, .root)
    let retry = recording.site("retry", "App/Keys.swift", 8, [.passes, .retries])
    let replay = recording.site("replay", "App/Keys.swift", 7, [.passes, .replays, .shares])
    let source = recording.site("create", "App/Keys.swift", 6, .source)
    let signal = recording.signal(replay, at: 0)
    let ids = recording.chain([root, retry], at: 0)
    for attempt in 0..<attempts {
      let time = Double(attempt) * 0.3
      let one = recording.subscribe(replay, to: ids[1], of: signal, at: time)
      var failing = [one]
      if attempt == 0 || !keepsFailure {
        let shared = recording.subscribe(replay, of: signal, at: time)
        failing += [shared, recording.subscribe(source, to: shared, at: time)]
      }
      recording.fail(failing, "App.Refusal", at: time + (attempt == 0 ? 0.1 : 0.0001))
    }
    recording.mark("later", at: Double(attempts) * 0.3 + 1)
    return recording
  }

  /// Pairs of questions asked in short succession; the older question is answered last if
  /// `oldestLast`, otherwise first.
  static func answers(_ bursts: Int, oldestLast: Bool, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let root = recording.site("subscribe", "App/Search.swift", 9, .root)
    let flatMap = recording.site("flatMap", "App/Search.swift", 8, [.merging, .flattens])
    let inner = recording.site("find", "App/Search.swift", 7, .timer)
    let site = recording.site("Subject", "App/Search.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(site, at: 0)
    let ids = recording.chain([root, flatMap], at: 0)
    let input = recording.subscribe(site, to: ids[1], of: subject, at: 0)
    for burst in 0..<bursts {
      let start = 0.1 + Double(burst) * 0.5
      let requests = [0, 0.05].map { later -> TraceID in
        let time = start + later
        recording.turn(subject, at: time) { $0.next(input, at: time) }
        return recording.subscribe(inner, to: ids[1], at: time)
      }
      for (place, one) in (oldestLast ? requests.reversed() : requests).enumerated() {
        let time = start + 0.1 + Double(place) * 0.1
        for id in [one, ids[1], ids[0]] { recording.next(id, at: time) }
        recording.end(one, .completed, at: time)
      }
    }
    recording.mark("later", at: 0.1 + Double(bursts) * 0.5)
    return recording
  }

  /// A `merge` of two inputs: one waits `seconds` for a queue, the other is sent a value 5 ms later
  /// and does not wait.
  static func inputs(
    _ count: Int,
    waitingFor seconds: Double,
    on thread: UInt32 = 1,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Versions.swift", 9, .root)
    let merge = recording.site("merge", "App/Versions.swift", 8, [.merging, .passes, .partners])
    let deliver = recording.site(
      "deliver(on:)", "App/Versions.swift", 7, [.queues, .switchesQueue]
    )
    let subject: SiteTraits = [.hot, .endless, .subject]
    let installed = recording.site("Subject", "App/Versions.swift", 5, subject)
    let announced = recording.site("Subject", "App/Versions.swift", 6, subject)
    let (one, other) = (recording.signal(installed, at: 0), recording.signal(announced, at: 0))
    let main = recording.scheduler("main", .main)
    let ids = recording.chain([root, merge], at: 0)
    let queue = recording.subscribe(deliver, to: ids[1], at: 0)
    let entry = recording.subscribe(installed, to: queue, of: one, at: 0)
    let direct = recording.subscribe(announced, to: ids[1], of: other, at: 0)
    for value in 1...count {
      let time = Double(value) * 0.2
      recording.turn(one, at: time) { $0.next(entry, at: time) }
      recording.schedule(UInt32(100 + value), on: main, for: queue, at: time)
      let steps: [(time: Double, ids: [TraceID], thread: UInt32)] = [
        (time + seconds, [queue] + ids.reversed(), thread),
        (time + 0.005, [direct] + ids.reversed(), 1),
      ]
      for step in steps.sorted(by: { $0.time < $1.time }) {
        for id in step.ids { recording.next(id, thread: step.thread, at: step.time) }
      }
    }
    recording.mark("later", at: Double(count) * 0.2 + 0.2)
    return recording
  }
}
