import TraceReading

/// Recordings of programs with time limits that are too short, with paths that meet again, or with
/// long work on a queue.
///
/// Times are in seconds.
extension Scene {
  /// A source that sends every 50 ms for one second; `pause` seconds later, a time limit makes the
  /// subscription fail.
  ///
  /// With `isPassedOn` false, the limit does not forward the last value.
  static func limit(after pause: Double = 0, isPassedOn: Bool = true, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Log.swift", 9, .root)
    let limit = recording.site("limit", "App/Log.swift", 8, [.bounding, .passes])
    let source = recording.site("create", "App/Log.swift", 5, .source)
    let ids = recording.chain([root, limit, source], at: 0)
    for number in 1...20 {
      let time = Double(number) * 0.05
      recording.next(ids[2], at: time)
      if !isPassedOn, number == 20 { break }
      recording.next(ids[1], at: time)
      recording.next(ids[0], at: time)
    }
    recording.fail([ids[0], ids[1]], "LogFailure.late", at: 1.02 + pause)
    recording.end(ids[2], at: 1.02 + pause)
    recording.mark("later", at: 4)
    return recording
  }

  /// A `combineLatest` of two signals that are made from one subject or from two and send 12 times;
  /// another operator is between the `combineLatest` and the handler.
  static func glitch(sources: Int = 1, downstream: SiteTraits = .passes, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Offer.swift", 12, .root)
    let between = recording.site("between", "App/Offer.swift", 11, downstream)
    let join = recording.site("join", "App/Offer.swift", 10, [.passes, .waitsForAll, .partners])
    let half = [7, 8].map { recording.site("map", "App/Offer.swift", $0, .passes) }
    let subject = recording.site("Subject", "App/Offer.swift", 5, [.hot, .endless, .subject])
    let signals = (0..<sources).map { _ in recording.signal(subject, at: 0) }
    let ids = recording.chain([root, between, join], at: 0)
    let inputs = half.enumerated().map { number, site in
      let input = recording.subscribe(site, to: ids[2], at: 0)
      let signal = signals[number % sources]
      return [input, recording.subscribe(subject, to: input, of: signal, at: 0)]
    }
    for time in times(12, from: 0.1, to: 3.4) {
      for (number, signal) in signals.enumerated() {
        recording.turn(signal, at: time) { recording in
          for input in sources == 1 ? inputs[...] : inputs[number...number] {
            for id in input.reversed() + ids.reversed() { recording.next(id, at: time) }
          }
        }
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `zip` of two signals that are made from one subject or from two; before pair `n`, the first
  /// sends `extra[n]` additional values.
  static func steps(_ extra: [Int], sources: Int = 1, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Parts.swift", 12, .root)
    let pair = recording.site("pair", "App/Parts.swift", 10, [.pairs, .waitsForAll, .partners])
    let half = [7, 8].map { recording.site("map", "App/Parts.swift", $0, .passes) }
    let subject = recording.site("Subject", "App/Parts.swift", 5, [.hot, .endless, .subject])
    let signals = (0..<sources).map { _ in recording.signal(subject, at: 0) }
    let ids = recording.chain([root, pair], at: 0)
    let inputs = half.enumerated().map { number, site in
      let input = recording.subscribe(site, to: ids[1], at: 0)
      _ = recording.subscribe(subject, to: input, of: signals[number % sources], at: 0)
      return input
    }
    for (number, extra) in extra.enumerated() {
      let time = 0.1 + Double(number) * 0.3
      for _ in 0..<(1 + extra) { recording.next(inputs[0], at: time) }
      for id in [inputs[1], ids[1], ids[0]] { recording.next(id, at: time + 0.1) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Work that takes `seconds` for each value, on the main queue or another one.
  ///
  /// Other work runs on the main queue `others` seconds after each value, unless `others` is nil. It
  /// is scheduled while the value is handled, or at the end of that if `isWaiting` is false.
  static func heldQueue(
    _ seconds: [Double],
    isMain: Bool = true,
    others: Double? = 0.001,
    isWaiting: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(2)
    let main = recording.scheduler("main", .main)
    let other = recording.scheduler("maps", .serialQueue)
    let root = recording.site("subscribe", "App/Map.swift", 9, .root)
    let map = recording.site("map", "App/Map.swift", 8, .passes)
    let source = recording.site("deliver(on:)", "App/Map.swift", 7, [.queues, .switchesQueue])
    let ids = recording.chain([root, map, source], at: 0)
    for (number, long) in seconds.enumerated() {
      let time = 0.1 + Double(number) * 0.3
      let (hop, thread) = (TraceID(rawValue: 700 + UInt32(number)), UInt32(isMain ? 1 : 2))
      let row = isMain ? main : other
      recording.begin(.hopBegan, hop, argument: row, thread: thread, at: time)
      recording.next(ids[2], thread: thread, at: time)
      // The values have the time at which they were delivered, which is the beginning of the work.
      recording.next(ids[1], thread: thread, at: time)
      recording.next(ids[0], thread: thread, at: time)
      let scheduled = isWaiting ? time + long / 2 : time + long
      if others != nil {
        recording.schedule(800 + UInt32(number), on: main, thread: 2, at: scheduled)
      }
      recording.begin(.hopEnded, hop, thread: thread, at: time + long)
      guard let others else { continue }
      recording.hop(800 + UInt32(number), on: main, thread: 1, at: time + long + others) { _ in }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Who uses the queue of ``sharedQueue(_:of:kind:waiting:answered:during:byValue:offset:)``, too.
  enum Sharer: Sendable {
    /// Another line, by way of an operator, by a timer, or with work of the program itself.
    case line, timer, program
    /// The same line, in another subscription or in the same one.
    case ownLine, ownSubscription
    case nobody
  }

  /// Work that takes `seconds` for each value, on a queue on which other work begins right after
  /// it, on another thread.
  ///
  /// The other work was scheduled `waiting` seconds before. If `answered` is not nil, the long work
  /// begins by sending work to another queue, which ends that many seconds before the long work
  /// does, and runs for `during` seconds. With `byValue`, the long work subscribes instead, and the
  /// value comes from outside of the library.
  static func sharedQueue(
    _ seconds: [Double],
    of sharer: Sharer = .line,
    kind: SchedulerKind = .serialQueue,
    waiting: Double = 0.09,
    answered: Double? = nil,
    during: Double = 0,
    byValue: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(5)
    let worker = recording.scheduler("worker", kind)
    let database = recording.scheduler("database", .serialQueue)
    let root = recording.site("subscribe", "App/Order.swift", 9, .root)
    let map = recording.site("map", "App/Order.swift", 8, .passes)
    let source = recording.site("deliver(on:)", "App/Order.swift", 7, [.queues, .switchesQueue])
    let ids = recording.chain([root, map, source], at: 0)
    let answer = recording.site("subscribe", "App/Base.swift", 3, .root)
    let question = recording.site("deliver(on:)", "App/Base.swift", 2, [.queues, .switchesQueue])
    let subject = recording.site("Subject", "App/Base.swift", 1, [.hot, .endless, .subject])
    let questions = recording.signal(subject, at: 0)
    let asks = recording.chain([answer, question], at: 0)
    let sent = recording.subscribe(subject, to: asks[1], of: questions, at: 0)
    let beats = recording.site("subscribe", "App/Beat.swift", 6, .root)
    let clock = recording.site("clock", "App/Beat.swift", 5, [.queues, .switchesQueue])
    let interval = recording.site("interval", "App/Beat.swift", 4, [.timer, .endless])
    let stage: TraceID =
      switch sharer {
      case .line: recording.chain([beats, clock], at: 0)[1]
      case .timer: recording.chain([beats, interval], at: 0)[1]
      case .ownLine: recording.chain([root, map, source], at: 0)[2]
      case .ownSubscription: ids[2]
      case .program, .nobody: .none
      }
    if sharer == .timer {
      recording.schedule(800, on: worker, for: stage, at: 0)
      _ = recording.arm(interval, every: 0.05, for: stage, at: 0)
    }
    for (number, long) in seconds.enumerated() {
      let (time, count) = (0.1 + Double(number) * 0.3, UInt32(number))
      let hop = TraceID(rawValue: 700 + count)
      if sharer == .timer { recording.hop(800, on: worker, thread: 3, at: time - 0.02) { _ in } }
      recording.schedule(700 + count, on: worker, for: ids[2], at: time - 0.01)
      recording.begin(.hopBegan, hop, argument: worker, thread: 2, at: time)
      for id in ids.reversed() { recording.next(id, thread: 2, at: time) }
      var asked: TraceID?
      if answered != nil, byValue {
        asked = recording.subscribe(answer, at: time)
        recording.edit { $0.records[$0.records.count - 1].thread = 2 }
      } else if answered != nil {
        recording.turn(questions, thread: 2, at: time) { recording in
          recording.next(sent, thread: 2, at: time)
          recording.schedule(900 + count, on: database, for: asks[1], thread: 2, at: time)
        }
      }
      if ![.timer, .nobody].contains(sharer) {
        recording.schedule(800 + count, on: worker, for: stage, at: time + long - waiting)
      }
      if let answered, let asked {
        recording.next(asked, thread: 4, at: time + long - answered)
      } else if let answered {
        let (answer, end) = (TraceID(rawValue: 900 + count), time + long - answered)
        recording.begin(.hopBegan, answer, argument: database, thread: 4, at: end - during)
        for id in asks.reversed() { recording.next(id, thread: 4, at: end - during) }
        recording.begin(.hopEnded, answer, thread: 4, at: end)
      }
      if let asked { recording.end(asked, at: time + long) }
      recording.begin(.hopEnded, hop, thread: 2, at: time + long)
      guard sharer != .nobody else { continue }
      recording.hop(
        sharer == .timer ? 800 : 800 + count,
        on: worker,
        thread: 3,
        at: time + long + 0.001
      ) { _ in }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Work on the main queue that waits for a value which has to be delivered on the main queue, so
  /// that it cannot arrive.
  ///
  /// The work subscribes, `thread` sends the value, and `seconds` later the subscription is
  /// disposed of.
  ///
  /// With `hasReturned`, the work that subscribed returns at once, and other work disposes of the
  /// subscription.
  static func selfWait(
    for seconds: Double,
    times count: Int = 1,
    sentBy thread: UInt32 = 2,
    hasReturned: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(2)
    let main = recording.scheduler("main", .main)
    let root = recording.site("subscribe", "App/Door.swift", 9, .root)
    let deliver = recording.site("deliver(on:)", "App/Door.swift", 8, [.queues, .switchesQueue])
    let source = recording.site("create", "App/Door.swift", 7, .source)
    for number in 0..<count {
      let time = Double(number) + 0.1
      let work = TraceID(rawValue: 700 + UInt32(number))
      let hop = 900 + UInt32(number)
      recording.begin(.hopBegan, work, argument: main, thread: 1, at: time)
      let ids = recording.chain([root, deliver, source], at: time)
      if hasReturned { recording.begin(.hopEnded, work, thread: 1, at: time) }
      recording.next(ids[2], thread: thread, at: time + 0.01)
      recording.schedule(hop, on: main, for: ids[1], thread: thread, at: time + 0.01)
      let end = time + 0.01 + seconds
      if hasReturned { recording.begin(.hopBegan, work, argument: main, thread: 1, at: end) }
      recording.begin(.hopCancelled, TraceID(rawValue: hop), argument: main, thread: 1, at: end)
      recording.end(ids, at: end)
      for id in ids { recording.release(id, at: end) }
      recording.begin(.hopEnded, work, thread: 1, at: end)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `flatMapLatest` that replaces each inner signal before it has sent anything.
  static func replaced(_ count: Int) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Search.swift", 9, .root)
    let flatMap = recording.site("flatMapLatest", "App/Search.swift", 8, [.merging, .flattens])
    let subject = recording.site("Subject", "App/Search.swift", 5, [.hot, .endless, .subject])
    let inner = recording.site("create", "App/Search.swift", 6, .source)
    let ids = recording.chain([root, flatMap, subject], at: 0)
    var last: TraceID?
    for time in times(count, from: 0.1, to: 3.4) {
      recording.next(ids[2], at: time)
      if let last { recording.end(last, at: time) }
      last = recording.subscribe(inner, to: ids[1], at: time)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subscriptions to a `concatMap`, each disposed of while one inner signal runs and three more
  /// wait.
  ///
  /// The running one never ends, or is bounded by a `take` if `isEndless` is false. With `isConcat`,
  /// the operator is a `concat` of two signals instead, and nothing waits.
  static func desks(
    _ count: Int,
    isEndless: Bool = true,
    isConcat: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Desk.swift", 9, .root)
    let queue = recording.site(
      isConcat ? "concat" : "concatMap",
      "App/Desk.swift",
      8,
      isConcat
        ? [.merging, .passes, .queuesInner, .partners] : [.merging, .flattens, .queuesInner]
    )
    let subject = recording.site("Subject", "App/Desk.swift", 5, [.hot, .endless, .subject])
    let take = recording.site("take", "App/Desk.swift", 7, [.bounding, .passes])
    let interval = recording.site("interval", "App/Desk.swift", 6, [.endless, .timer])
    for number in 0..<count {
      let time = Double(number)
      let ids = recording.chain([root, queue, subject], at: time)
      for _ in 0..<4 { recording.next(ids[2], at: time + 0.1) }
      let inner =
        isEndless
        ? [recording.subscribe(interval, to: ids[1], at: time + 0.1)]
        : [recording.subscribe(take, to: ids[1], at: time + 0.1)]
      recording.end(inner + ids.reversed(), at: time + 0.7)
    }
    recording.mark("later", at: 4)
    return recording
  }
}
