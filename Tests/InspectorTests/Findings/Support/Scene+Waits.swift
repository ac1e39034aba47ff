import ReactiveTrace
import TraceReading

/// Pieces for what does not come, comes too often, too early, or in another order; times are seconds.
extension Scene {
  /// A `combineLatest` of which one input sends at these times, and the other at those.
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

  /// A `flatMap` behind a subject, of which an inner signal fails; the subject goes on, and perhaps somebody subscribes again.
  static func dying(isResumed: Bool = false, sendsOn: Bool = true, offset: UInt32 = 0) -> Recording
  {
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
    recording.mark("later", at: 3)
    return recording
  }

  /// A `retry` whose source fails so many times, with so many seconds between two attempts.
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

  /// Roots that subscribe to one signal that does work, each so many seconds after the one before.
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

  /// A subject that sends so many values, and its first subscriber, so many seconds after the last of them.
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

  /// A `merge` of two ways of one source, of which one or both lead over a queue.
  static func ways(overQueues queues: [Bool], offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Ways.swift", 9, .root)
    let merge = recording.site("merge", "App/Ways.swift", 8, [.merging, .passes, .partners])
    let deliver = recording.site("deliver(on:)", "App/Ways.swift", 7, [.queues, .switchesQueue])
    let site = recording.site("Subject", "App/Ways.swift", 5, [.hot, .endless, .subject])
    let subject = recording.signal(site, at: 0)
    let ids = recording.chain([root, merge], at: 0)
    for isQueued in queues {
      let below = isQueued ? recording.subscribe(deliver, to: ids[1], at: 0) : ids[1]
      recording.subscribe(site, to: below, of: subject, at: 0)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Subscriptions of one line, begun at these times, each of which ends after so many seconds.
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

  /// Subjects of one line, made at these times and kept, each with one who waits.
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
