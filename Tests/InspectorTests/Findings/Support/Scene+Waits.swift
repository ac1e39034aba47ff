import ReactiveTrace
import TraceReading

/// Recordings of programs whose events do not come, or come too often, too early, or in another
/// order.
///
/// Times are in seconds.
extension Scene {
  /// A `combineLatest` whose inputs send at the given times.
  static func meeting(
    left: [Double],
    right: [Double],
    rightEndsAt end: Double? = nil,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Meeting.swift", 9, .root)
    let join = recording.site(
      "combineLatest",
      "App/Meeting.swift",
      8,
      [.passes, .waitsForAll, .partners]
    )
    let one = recording.site("names", "App/Meeting.swift", 6, .hot)
    let other = recording.site("rights", "App/Meeting.swift", 7, .hot)
    let ids = recording.chain([root, join], at: 0)
    let sides = [one, other].map { recording.subscribe($0, to: ids[1], at: 0) }
    var hasSent = [false, false]
    for (time, side) in (left.map { ($0, 0) } + right.map { ($0, 1) }).sorted(by: { $0 < $1 }) {
      hasSent[side] = true
      recording.next(sides[side], at: time)
      if hasSent == [true, true] { for id in ids.reversed() { recording.next(id, at: time) } }
    }
    if let end { recording.end(sides[1], .completed, at: end) }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `flatMap` that fails because an inner signal fails, while its subject continues; with
  /// `isResumed`, the subject is subscribed to again.
  static func dying(
    isResumed: Bool = false,
    sendsOn: Bool = true,
    hasOtherSubscriber: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Pull.swift", 9, .root)
    let flatMap = recording.site("flatMap", "App/Pull.swift", 8, [.merging, .flattens])
    let inner = recording.site("request", "App/Pull.swift", 7, .source)
    let site = recording.site("Subject", "App/Pull.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(site, at: 0)
    func begin(_ recording: inout Recording, _ time: Double) -> [TraceID] {
      let ids = recording.chain([root, flatMap], at: time)
      return ids + [recording.subscribe(site, to: ids[1], of: subject, at: time)]
    }
    let other = hasOtherSubscriber ? recording.subscribe(site, of: subject, at: 0) : nil
    let ids = begin(&recording, 0)
    for value in 1...5 {
      let time = Double(value) * 0.1
      recording.turn(subject, at: time) { for id in ids.reversed() { $0.next(id, at: time) } }
    }
    let request = recording.subscribe(inner, to: ids[1], at: 0.6)
    recording.fail([ids[0], ids[1], request], "App.Refusal", at: 0.7)
    recording.end(ids[2], at: 0.7)
    if isResumed { _ = begin(&recording, 0.71) }
    if sendsOn { for value in 8...14 { recording.turn(subject, at: Double(value) * 0.1) } }
    if let other { recording.next(other, at: 1.4) }
    recording.mark("later", at: 3)
    return recording
  }

  /// A `flatMap` that fails because an inner signal fails; each tap on a button requests one, with
  /// the latest password.
  ///
  /// If `isOnce` is true, the taps come from a source that may end by itself.
  static func login(tapsSince taps: Int, typedSince letters: Int, isOnce: Bool = false) -> Recording
  {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Login.swift", 9, .root)
    let flatMap = recording.site("flatMap", "App/Login.swift", 8, [.merging, .flattens])
    let latest = recording.site(
      "withLatest(from:)", "App/Login.swift", 7, [.passes, .waitsForAll, .sampled]
    )
    let inner = recording.site("request", "App/Login.swift", 6, .source)
    let password = recording.site("password", "App/Login.swift", 4, [.hot, .endless])
    let button = recording.site(
      "taps", "App/Login.swift", 5, isOnce ? .source : [.hot, .endless, .subject]
    )
    let (text, tap) = (recording.signal(password, at: 0), recording.signal(button, at: 0))
    let signal = recording.signal(latest, of: tap, at: 0)
    let ids = recording.chain([root, flatMap], at: 0)
    let stage = recording.subscribe(latest, to: ids[1], of: signal, at: 0)
    // The operator subscribes to the signal that it samples before it subscribes to its source.
    let sampled = recording.subscribe(password, to: stage, of: text, at: 0)
    let source = recording.subscribe(button, to: stage, of: tap, at: 0)
    recording.turn(text, at: 0.1) { $0.next(sampled, at: 0.1) }
    recording.turn(tap, at: 0.2) { for id in [source, stage] { $0.next(id, at: 0.2) } }
    let request = recording.subscribe(inner, to: ids[1], at: 0.2)
    recording.fail(ids + [request], "App.Refusal", at: 0.3)
    recording.end([stage, sampled, source], at: 0.3)
    for value in 0..<letters { recording.turn(text, at: 0.4 + Double(value) * 0.1) }
    for value in 0..<taps { recording.turn(tap, at: 0.45 + Double(value) * 0.1) }
    recording.mark("later", at: 3)
    return recording
  }

  /// A `retry` whose source fails `count` times, with `seconds` between two attempts.
  static func attempts(_ count: Int, every seconds: Double, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Line.swift", 9, .root)
    let retry = recording.site("retry", "App/Line.swift", 8, [.passes, .retries])
    let source = recording.site("create", "App/Line.swift", 7, .source)
    let ids = recording.chain([root, retry], at: 0)
    for attempt in 0..<count {
      let time = Double(attempt) * seconds
      let one = recording.subscribe(source, to: ids[1], at: time)
      recording.fail([one], "App.Refusal", at: time + 0.001)
    }
    recording.mark("later", at: Double(count) * seconds + 2)
    return recording
  }

  /// A line that subscribes `seconds` apart to a signal that fails after `delay` seconds.
  static func failingRequests(_ count: Int, every seconds: Double, after delay: Double) -> Recording
  {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Line.swift", 9, .root)
    let source = recording.site("create", "App/Line.swift", 7, .source)
    var running: [[TraceID]] = []
    let begins = (0..<count).map { (time: Double($0) * seconds, isBegin: true) }
    let ends = begins.map { (time: $0.time + delay, isBegin: false) }
    for (time, isBegin) in (begins + ends).sorted(by: { $0.time < $1.time }) {
      if isBegin {
        let ids = recording.chain([root], at: time)
        running.append([recording.subscribe(source, to: ids[0], at: time), ids[0]])
      } else {
        recording.fail(running.removeFirst(), "App.Refusal", at: time)
      }
    }
    recording.mark("later", at: Double(count) * seconds + delay + 2)
    return recording
  }

  /// Lines that subscribe, `seconds` apart, to one signal that does work for each subscription.
  static func requests(_ count: Int, every seconds: Double, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let source = recording.site("create", "App/Profile.swift", 3, .source)
    let signal = recording.signal(source, at: 0)
    for number in 0..<count {
      let root = recording.site("subscribe", "App/Profile.swift", 10 + UInt32(number), .root)
      let time = Double(number) * seconds
      let ids = recording.chain([root], at: time)
      let work = recording.subscribe(source, to: ids[0], of: signal, at: time)
      recording.next(work, at: time + 0.1)
      recording.next(ids[0], at: time + 0.1)
      recording.end([ids[0], work].reversed(), .completed, at: time + 0.11)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A helper that subscribes on two lines to each signal that is passed to it; `count` signals are
  /// passed, each made by a different line.
  static func givenTwice(_ count: Int) -> Recording {
    var recording = Recording()
    let roots = [5, 6].map { recording.site("subscribe", "App/Helper.swift", $0, .root) }
    for number in 0..<count {
      let source = recording.site("create", "App/Profile.swift", 30 + UInt32(number), .source)
      let time = Double(number) * 0.5
      let signal = recording.signal(source, at: time)
      let runs = roots.map { root in
        let ids = recording.chain([root], at: time)
        return [recording.subscribe(source, to: ids[0], of: signal, at: time), ids[0]]
      }
      for run in runs {
        for id in run { recording.next(id, at: time + 0.1) }
        recording.end(run, .completed, at: time + 0.11)
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A subject that sends `count` values, and gets its first subscriber `seconds` after the last of
  /// them.
  static func announcement(_ count: Int, before seconds: Double, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/News.swift", 9, .root)
    let site = recording.site("Subject", "App/News.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(site, at: 0)
    for value in 0..<count { recording.turn(subject, at: 0.1 + Double(value) * 0.001) }
    let time = 0.1 + Double(max(0, count - 1)) * 0.001 + seconds
    let ids = recording.chain([root], at: time)
    let heard = recording.subscribe(site, to: ids[0], of: subject, at: time)
    for value in 1...5 {
      let later = time + Double(value) * 0.2
      recording.turn(subject, at: later) {
        $0.next(heard, at: later)
        $0.next(ids[0], at: later)
      }
    }
    recording.mark("later", at: time + 2)
    return recording
  }

  /// A `merge` of several paths from one source; a path passes through a queue if its element of
  /// `queues` is true.
  static func splitPaths(overQueues queues: [Bool], offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Ways.swift", 9, .root)
    let merge = recording.site("merge", "App/Ways.swift", 8, [.merging, .passes, .partners])
    let deliver = recording.site("deliver(on:)", "App/Ways.swift", 7, [.queues, .switchesQueue])
    let site = recording.site("Subject", "App/Ways.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(site, at: 0)
    let ids = recording.chain([root, merge], at: 0)
    for isQueued in queues {
      let downstream = isQueued ? recording.subscribe(deliver, to: ids[1], at: 0) : ids[1]
      recording.subscribe(site, to: downstream, of: subject, at: 0)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subscriptions of one line that begin at the given times and end after `seconds`.
  static func visitors(
    at times: [Double],
    endingAfter seconds: Double? = nil,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Visit.swift", 9, .root)
    let map = recording.site("map", "App/Visit.swift", 8)
    var open: [(end: Double, ids: [TraceID])] = []
    for time in times {
      while let first = open.first, first.end <= time {
        recording.end(first.ids, at: first.end)
        open.removeFirst()
      }
      let ids = recording.chain([root, map], at: time)
      if let seconds { open.append((time + seconds, ids)) }
    }
    recording.mark("later", at: (times.last ?? 0) + 0.05)
    return recording
  }

  /// A `withLatest(from:)` whose source sends at the given times, and whose other input sends first
  /// at `first`.
  static func asking(
    at times: [Double],
    answeredFrom first: Double,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Ask.swift", 9, .root)
    let ask = recording.site(
      "withLatest(from:)",
      "App/Ask.swift",
      8,
      [.passes, .waitsForAll, .sampled]
    )
    let site = recording.site("Subject", "App/Ask.swift", 5, [.hot, .endless, .subject])
    let other = recording.site("Subject", "App/Ask.swift", 6, [.hot, .endless, .subject])
    let (subject, answers) = (recording.signal(site, at: 0), recording.signal(other, at: 0))
    let signal = recording.signal(ask, of: subject, at: 0)
    let downstream = recording.subscribe(root, at: 0)
    let stage = recording.subscribe(ask, to: downstream, of: signal, at: 0)
    let source = recording.subscribe(site, to: stage, of: subject, at: 0)
    let sampled = recording.subscribe(other, to: stage, of: answers, at: 0)
    for (time, isAnswer) in (times.map { ($0, false) } + [(first, true)]).sorted(by: { $0.0 < $1.0 }
    ) {
      recording.next(isAnswer ? sampled : source, at: time)
      if !isAnswer, time > first { for id in [stage, downstream] { recording.next(id, at: time) } }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `throttle` that is sent ten values and passes every fourth one, before its source completes
  /// or falls silent; with `losesTheLast`, it drops the last value.
  static func throttled(
    losesTheLast isLost: Bool,
    completes: Bool,
    armsTimers: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Thin.swift", 9, .root)
    let throttle = recording.site("throttle", "App/Thin.swift", 8, .keepsLatest)
    let source = recording.site("percent", "App/Thin.swift", 7, .source)
    let ids = recording.chain([root, throttle, source], at: 0)
    for value in 1...10 {
      let time = Double(value) * 0.05
      recording.next(ids[2], at: time)
      let passes = value % 4 == 1 || value == 10 && !isLost
      if passes { for id in [ids[1], ids[0]] { recording.next(id, at: time) } }
    }
    if armsTimers { _ = recording.arm(throttle, every: 1, for: ids[1], at: 0.1) }
    if completes { recording.end(ids.reversed(), .completed, at: 0.6) }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subscriptions, each of which is ended by a trigger `seconds` after it began.
  static func triggered(
    _ count: Int,
    endingAfter seconds: Double,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Query.swift", 9, .root)
    let take = recording.site(
      "take(until:)", "App/Query.swift", 8, [.bounding, .passes, .triggers]
    )
    let trigger = recording.site("BehaviorSubject", "App/Query.swift", 5, [.hot, .endless])
    for number in 0..<count {
      let time = Double(number) * 0.2
      let ids = recording.chain([root, take], at: time)
      let one = recording.subscribe(trigger, to: ids[1], at: time)
      recording.next(one, at: time + seconds)
      recording.end([one] + ids.reversed(), .completed, at: time + seconds)
    }
    recording.mark("later", at: Double(count) * 0.2 + 1)
    return recording
  }

  /// A `concatMap` that is sent `values` values; its first inner signal goes on running, and can
  /// never end if `isEndless` is true.
  static func belt(values: Int, isEndless: Bool) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Belt.swift", 9, .root)
    let concat = recording.site(
      "concatMap",
      "App/Belt.swift",
      8,
      [.merging, .flattens, .queuesInner]
    )
    let site = recording.site("Subject", "App/Belt.swift", 5, [.hot, .endless, .subject])
    let inner = recording.site(
      "inner", "App/Belt.swift", 7, isEndless ? [.hot, .endless] : .source
    )
    let subject = recording.signal(site, at: 0)
    let signal = recording.signal(concat, of: subject, at: 0)
    let downstream = recording.subscribe(root, at: 0)
    let stage = recording.subscribe(concat, to: downstream, of: signal, at: 0)
    let source = recording.subscribe(site, to: stage, of: subject, at: 0)
    let running = recording.subscribe(inner, to: stage, at: 0.1)
    for value in 0..<values {
      let time = 0.1 + Double(value) * 0.1
      recording.next(source, at: time)
      for id in [running, stage, downstream] { recording.next(id, at: time) }
    }
    // The depth counts what waits in an operator; 1 may also stand for a value that waited for
    // another delivery to end.
    recording.depth(stage, 1, at: 0.2)
    for time in times(40, from: 0.3, to: 4) {
      for id in [running, stage, downstream] { recording.next(id, at: time) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subjects made by one line at the given times, each with one subscriber; they are kept unless
  /// `areReleased` is true.
  static func topics(at times: [Double], areReleased: Bool = false, offset: UInt32 = 0) -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Topics.swift", 9, .root)
    let site = recording.site("Subject", "App/Topics.swift", 5, [.hot, .endless, .subject])
    for time in times {
      let subject = recording.signal(site, at: time)
      let ids = recording.chain([root], at: time)
      let one = recording.subscribe(site, to: ids[0], of: subject, at: time)
      guard areReleased else { continue }
      recording.end([one, ids[0]], at: time + 0.01)
      recording.releaseSignal(subject, at: time + 0.02)
    }
    recording.mark("later", at: (times.last ?? 0) + 0.05)
    return recording
  }
}

extension Recording {
  fileprivate mutating func end(
    _ ids: some Sequence<TraceID>,
    _ reason: EndReason,
    at seconds: Double
  ) {
    for id in ids { end(id, reason, at: seconds) }
  }
}
