import TraceReading

/// Recordings of programs with handlers that subscribe, with shared signals, or with inputs that
/// arrive for some subscriptions only.
///
/// Times are in seconds.
extension Scene {
  /// A handler that subscribes for each of `count` values: to an endless interval or, if `answers`
  /// is given, to a timer that sends one answer; `answers` lists the delays, which are used in
  /// turn.
  static func stations(
    _ count: Int,
    isState: Bool = true,
    endsBefore: Bool = false,
    answersAfter answers: [Double]? = nil,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let main = recording.scheduler("main", .main)
    let property = recording.site(
      isState ? "MutableProperty" : "Subject",
      "App/Board.swift",
      4,
      isState ? [.hot, .endless] : [.hot, .endless, .subject]
    )
    let handler = recording.site("subscribe", "App/Board.swift", 8, .root)
    let inner = recording.site("subscribe", "App/Board.swift", 10, .root)
    let source = recording.site(
      answers == nil ? "interval" : "timer(after:)",
      "App/Board.swift",
      9,
      answers == nil ? [.endless, .timer] : .timer
    )
    let signal = recording.signal(property, at: 0)
    let root = recording.subscribe(handler, at: 0)
    let stage = recording.subscribe(property, to: root, of: signal, at: 0)
    var made: [[TraceID]] = []
    var due: [(ids: [TraceID], time: Double)] = []
    for (number, time) in times(count, from: 0.2, to: 3).enumerated() {
      for one in due where one.time < time { answer(one.ids, on: main, at: one.time, &recording) }
      due.removeAll { $0.time < time }
      recording.turn(signal, at: time) { recording in
        recording.next(stage, at: time)
        recording.next(root, at: time)
        if endsBefore, let last = made.last { recording.end(last, at: time) }
        made.append(recording.chain([inner, source], at: time))
      }
      if let answers { due.append((made[number], time + answers[number % answers.count])) }
      for ids in made where answers == nil && !endsBefore {
        for id in ids.reversed() { recording.next(id, at: time + 0.05) }
      }
    }
    for one in due { answer(one.ids, on: main, at: one.time, &recording) }
    recording.mark("later", at: 4)
    return recording
  }

  private static func answer(
    _ ids: [TraceID],
    on scheduler: UInt32,
    at time: Double,
    _ recording: inout Recording
  ) {
    recording.hop(ids[0].rawValue, on: scheduler, thread: 1, at: time) { recording in
      for id in ids.reversed() { recording.next(id, at: time) }
      for id in ids.reversed() { recording.end(id, .completed, at: time) }
    }
  }

  /// Shared signals, each subscribed to by one line and, after it has completed, by another line,
  /// which starts its work again.
  static func late(_ count: Int, lines: [UInt32] = [7, 8], offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let share = recording.site("share", "App/Page.swift", 5, [.passes, .shares, .refCounted])
    let source = recording.site("timer(after:)", "App/Page.swift", 4, .timer)
    let sites = Dictionary(
      uniqueKeysWithValues: Set(lines).sorted().map {
        ($0, recording.site("subscribe", "App/Page.swift", $0, .root))
      }
    )
    let roots = lines.compactMap { sites[$0] }
    for time in times(count, from: 0.1, to: 3) {
      let signal = recording.signal(share, at: time)
      for (place, root) in roots.enumerated() {
        let start = time + Double(place) * 0.1
        let ids = [recording.subscribe(root, at: start)]
        let visit = recording.subscribe(share, to: ids[0], of: signal, at: start)
        let run = recording.subscribe(share, of: signal, at: start)
        let work = recording.subscribe(source, to: run, at: start)
        for id in [work, run, visit, ids[0]] { recording.next(id, at: start + 0.05) }
        for id in [work, run, visit, ids[0]] { recording.end(id, .completed, at: start + 0.05) }
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `forkJoin` of three requests, made by one line or by several; in the first `failures` rounds
  /// the last request fails before the others have answered.
  static func joinedRequests(_ count: Int, failures: Int, lines: Int = 1, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Tour.swift", 9, .root)
    let join = recording.site("join", "App/Tour.swift", 8, [.keepsLatest, .waitsForAll, .partners])
    let sites = (0..<lines).map {
      recording.site("timer(after:)", "App/Tour.swift", 5 + UInt32($0), .timer)
    }
    for (number, time) in times(count, from: 0.1, to: 3).enumerated() {
      let ids = recording.chain([root, join], at: time)
      let requests = (0..<3).map { recording.subscribe(sites[$0 % lines], to: ids[1], at: time) }
      if number < failures {
        recording.fail([ids[0], ids[1], requests[2]], "App.Refusal", at: time + 0.05)
        recording.end(Array(requests.prefix(2)), at: time + 0.05)
      } else {
        for id in requests { recording.next(id, at: time + 0.1) }
        for id in [ids[1], ids[0]] { recording.next(id, at: time + 0.1) }
        for id in requests + [ids[1], ids[0]] { recording.end(id, .completed, at: time + 0.1) }
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subscriptions to a `combineLatest`; `inVain` of them wait for their second input until they
  /// are disposed of.
  static func pairs(served: Int, inVain: Int, for seconds: Double, offset: UInt32 = 0) -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Start.swift", 9, .root)
    let join = recording.site("join", "App/Start.swift", 8, [.passes, .waitsForAll, .partners])
    let halves = [5, 6].map {
      recording.site("Subject", "App/Start.swift", $0, [.hot, .endless, .subject])
    }
    for number in 0..<served + inVain {
      let time = 0.1 + Double(number) * 0.6
      let ids = recording.chain([root, join], at: time)
      let inputs = halves.map { recording.subscribe($0, to: ids[1], at: time) }
      recording.next(inputs[0], at: time + 0.02)
      if number < served {
        for id in [inputs[1], ids[1], ids[0]] { recording.next(id, at: time + 0.04) }
      }
      recording.end(inputs + [ids[1], ids[0]], at: time + seconds)
    }
    recording.mark("later", at: 6)
    return recording
  }

  /// Subscriptions to an operator that sends when both of its inputs have ended; each subscription
  /// is disposed of before that, unless `isDisposedOf` is false.
  ///
  /// With `isBounded`, a `take` ends the inputs.
  static func gathered(
    _ count: Int,
    isBounded: Bool = false,
    isDisposedOf: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Overview.swift", 9, .root)
    let join = recording.site(
      "gather",
      "App/Overview.swift",
      8,
      [.keepsLatest, .waitsForAll, .partners]
    )
    let first = recording.site("take", "App/Overview.swift", 7, [.passes, .bounding])
    let halves = [5, 6].map { recording.site("Property", "App/Store.swift", $0, [.hot, .endless]) }
    for number in 0..<count {
      let time = 0.1 + Double(number) * 0.6
      let ids = recording.chain([root, join], at: time)
      let bounds =
        isBounded ? halves.map { _ in recording.subscribe(first, to: ids[1], at: time) } : []
      let inputs = halves.enumerated().map { place, half in
        recording.subscribe(half, to: isBounded ? bounds[place] : ids[1], at: time)
      }
      for id in inputs + bounds { recording.next(id, at: time + 0.01) }
      if isBounded || isDisposedOf {
        recording.end(inputs + bounds + [ids[1], ids[0]], at: time + (isBounded ? 0.02 : 0.5))
      }
    }
    recording.mark("later", at: 6)
    return recording
  }

  /// A search box: two texts in short succession for each element of `oldestLast`, which says
  /// whether the older text is answered last.
  static func searches(
    _ oldestLast: [Bool],
    keepsLatest: Bool = true,
    setsProperty: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let main = recording.scheduler("main", .main)
    let root = recording.site("subscribe", "App/Box.swift", 9, .root)
    let flatMap = recording.site("flatMap", "App/Box.swift", 8, [.merging, .flattens])
    let inner = recording.site("find", "App/Box.swift", 10, .timer)
    let filter =
      keepsLatest
      ? recording.site("debounce", "App/Box.swift", 7, .keepsLatest)
      : recording.site("filter", "App/Box.swift", 7, .drops)
    let texts = recording.site("MutableProperty", "App/Box.swift", 4, [.hot, .endless])
    let found = recording.site("MutableProperty", "App/Box.swift", 5, [.hot, .endless])
    let view = recording.site("subscribe", "App/Box.swift", 12, .root)
    let (text, results) = (recording.signal(texts, at: 0), recording.signal(found, at: 0))
    let shown = recording.subscribe(view, at: 0)
    let result = recording.subscribe(found, to: shown, of: results, at: 0)
    let ids = recording.chain([root, flatMap, filter], at: 0)
    let input = recording.subscribe(texts, to: ids[2], of: text, at: 0)
    for (number, isOvertaken) in oldestLast.enumerated() {
      let start = 0.1 + Double(number) * 0.5
      let requests = [0, 0.05].map { later -> TraceID in
        let time = start + later
        recording.turn(text, at: time) { for id in [input, ids[2]] { $0.next(id, at: time) } }
        return recording.subscribe(inner, to: ids[1], at: time)
      }
      for (place, one) in (isOvertaken ? requests.reversed() : requests).enumerated() {
        let time = start + 0.1 + Double(place) * 0.1
        recording.hop(UInt32(100 + 2 * number + place), on: main, thread: 1, at: time) {
          for id in [one, ids[1], ids[0]] { $0.next(id, at: time) }
          if setsProperty {
            $0.turn(results, at: time) { for id in [result, shown] { $0.next(id, at: time) } }
          }
          $0.end(one, .completed, at: time)
        }
      }
    }
    recording.mark("later", at: 0.1 + Double(oldestLast.count) * 0.5)
    return recording
  }

  /// A feed made from an interval: one line watches it, and `visits` times another line subscribes
  /// to it for a while.
  ///
  /// Without `isMapped`, both lines subscribe to the interval itself; with `isAlone`, there is only
  /// one line.
  static func feeds(
    _ visits: Int,
    isMapped: Bool = true,
    isAlone: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let interval = recording.site("interval", "App/Quotes.swift", 3, [.endless, .timer])
    let map = recording.site("map", "App/Quotes.swift", 4, .passes)
    let watcher = recording.site("subscribe", "App/Quotes.swift", 8, .root)
    let visitor = isAlone ? watcher : recording.site("subscribe", "App/Quotes.swift", 9, .root)
    let ticks = recording.signal(interval, at: 0)
    let quotes = isMapped ? recording.signal(map, of: ticks, at: 0) : .none
    func begin(_ root: UInt32, _ recording: inout Recording, at time: Double) -> [TraceID] {
      var ids = [recording.subscribe(root, at: time)]
      if isMapped { ids.append(recording.subscribe(map, to: ids[0], of: quotes, at: time)) }
      return ids + [recording.subscribe(interval, to: ids[ids.count - 1], of: ticks, at: time)]
    }
    let watching = begin(watcher, &recording, at: 0)
    for visit in 0..<visits {
      let start = 0.2 + Double(visit) * 0.5
      let visiting = begin(visitor, &recording, at: start)
      for value in 1...4 {
        let time = start + Double(value) * 0.05
        for id in visiting.reversed() + watching.reversed() { recording.next(id, at: time) }
      }
      recording.end(visiting, at: start + 0.3)
    }
    recording.end(watching, at: 0.2 + Double(visits) * 0.5)
    recording.mark("later", at: 0.3 + Double(visits) * 0.5)
    return recording
  }
}
