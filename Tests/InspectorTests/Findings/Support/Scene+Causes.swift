import ReactiveTrace

/// Recordings of programs in which something grows or is stuck.
///
/// Times are in seconds.
extension Scene {
  /// Subscriptions that nothing can end any more, because their owner ended without ending them.
  static func outlived(_ count: Int, ownerEnds: Bool = true, drops: Bool = true, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Desk.swift", 12, .root)
    let source = recording.site("Subject", "App/Desk.swift", 10, [.hot, .endless])
    let owner = recording.owner(recording.site("CompositeDisposable", "App/Desk.swift", 9), at: 0)
    for _ in 0..<count {
      let ids = recording.chain([root, source], at: 1)
      recording.bind(ids[0], to: owner, at: 1)
      if drops { recording.dropDisposable(ids[0], at: 2) }
    }
    if ownerEnds { recording.endOwner(owner, at: 2) }
    recording.mark("later", at: 9)
    return recording
  }

  /// A subject that sends values a tenth of a second apart, and observers that subscribe later.
  static func silence(
    observersAt times: [Double],
    for seconds: Double = 4,
    sends: Int = 10,
    endsThem: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Quotes.swift", 22, .root)
    let site = recording.site("Subject", "App/Quotes.swift", 20, [.hot, .endless])
    let subject = recording.signal(site, at: 0)
    func observe(_ recording: inout Recording, _ time: Double) -> [TraceID] {
      let id = recording.subscribe(root, at: time)
      return [id, recording.subscribe(site, to: id, of: subject, at: time)]
    }
    let first = observe(&recording, 0)
    for value in 1...max(1, sends) {
      let time = Double(value) * 0.1
      recording.turn(subject, at: time) { recording in
        for id in first.reversed() { recording.next(id, at: time) }
      }
    }
    for time in times {
      let ids = observe(&recording, time)
      if endsThem { recording.end(ids, at: time + 0.01) }
    }
    recording.mark("later", at: Double(sends) * 0.1 + seconds)
    return recording
  }

  /// A `flatMap` whose inner signals begin at the given times and end after `endingAfter` seconds.
  static func inner(
    at times: [Double],
    endingAfter seconds: Double? = nil,
    until end: Double = 4,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Gallery.swift", 14, .root)
    let flatMap = recording.site("flatMap", "App/Gallery.swift", 13, .merging)
    let inner = recording.site("filter", "App/Gallery.swift", 12)
    let outer = recording.chain([root, flatMap], at: 0)[1]
    recording.subscribe(recording.site("Subject", "App/Gallery.swift", 10, .hot), to: outer, at: 0)
    recording.rounds(at: times, endingAfter: seconds, until: end) { recording, time in
      recording.subscribe(inner, to: outer, at: time)
    }
    return recording
  }

  /// A `zip` whose inputs send at the given times.
  static func zip(left: [Double], right: [Double], until end: Double = 4, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Pairs.swift", 9, .root)
    let zip = recording.site("zip", "App/Pairs.swift", 8)
    let one = recording.site("left", "App/Pairs.swift", 6)
    let other = recording.site("right", "App/Pairs.swift", 7)
    let ids = recording.chain([root, zip], at: 0)
    let sides = [one, other].map { recording.subscribe($0, to: ids[1], at: 0) }
    var sent = [0, 0]
    let events = left.map { ($0, 0) } + right.map { ($0, 1) }
    for (time, side) in events.sorted(by: { $0 < $1 }) {
      let pairs = min(sent[0], sent[1])
      sent[side] += 1
      recording.next(sides[side], at: time)
      if min(sent[0], sent[1]) > pairs {
        recording.next(ids[1], at: time)
        recording.next(ids[0], at: time)
      } else {
        recording.depth(ids[1], UInt32(abs(sent[0] - sent[1])), at: time)
      }
    }
    recording.mark("later", at: end)
    return recording
  }

  /// A `concatMap` that runs one inner signal while others arrive at the given times.
  static func queue(
    at times: [Double],
    innerSends: [Double] = [],
    before: Int = 0,
    drainsAt drain: Double? = nil,
    until end: Double = 4,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Orders.swift", 9, .root)
    let concat = recording.site("concatMap", "App/Orders.swift", 8, .merging)
    let inner = recording.site("line", "App/Orders.swift", 7)
    let ids = recording.chain([root, concat], at: 0)
    for value in 0..<before {
      for id in ids.reversed() { recording.next(id, at: Double(value + 1) * 0.01) }
    }
    recording.subscribe(recording.site("Subject", "App/Orders.swift", 5, .hot), to: ids[1], at: 0)
    let running = recording.subscribe(inner, to: ids[1], at: Double(before) * 0.01)
    let waiting = times.enumerated().map { ($1, $0 + 1, false) }
    let sent = innerSends.map { ($0, 0, true) }
    for (time, held, isValue) in (waiting + sent).sorted(by: { $0.0 < $1.0 }) {
      if isValue {
        for id in [running] + ids.reversed() { recording.next(id, at: time) }
      } else {
        recording.depth(ids[1], UInt32(held), at: time)
      }
    }
    if let drain { recording.depth(ids[1], 0, at: drain) }
    recording.mark("later", at: end)
    return recording
  }

  /// A `ReplaySubject` that keeps at most `capacity` values and is sent a value at each given time.
  static func keeper(
    at times: [Double],
    capacity: Int = .max,
    until end: Double = 4,
    offset: UInt32 = 0
  )
    -> Recording
  {
    var recording = Recording(offset: offset)
    let site = recording.site("ReplaySubject", "App/Log.swift", 5, [.hot, .endless])
    let subject = recording.signal(site, at: 0)
    for (number, time) in times.enumerated() {
      recording.turn(subject, at: time) { recording in
        if number < capacity { recording.depth(subject, UInt32(number + 1), at: time) }
      }
    }
    recording.mark("later", at: end)
    return recording
  }

  /// A shared subscription that receives a value every hundredth of a second, and its subscribers.
  static func connection(
    visits: [(begin: Double, end: Double?)],
    until end: Double = 4,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Beats.swift", 6, .root)
    let site = recording.site("replayLast", "App/Beats.swift", 5)
    let shared = recording.signal(site, at: 0)
    let run = recording.subscribe(site, of: shared, at: 0)
    var steps: [(Double, Int)] = (1..<Int(end * 100)).map { (Double($0) / 100, -1) }
    for (number, visit) in visits.enumerated() {
      steps.append((visit.begin, number * 2))
      if let end = visit.end { steps.append((end, number * 2 + 1)) }
    }
    var open: [Int: [TraceID]] = [:]
    for (time, step) in steps.sorted(by: { $0 < $1 }) {
      if step < 0 {
        recording.next(run, at: time)
      } else if step % 2 == 0 {
        let id = recording.subscribe(root, of: shared, at: time)
        open[step / 2] = [id, recording.subscribe(site, to: id, of: shared, at: time)]
      } else {
        recording.end(open.removeValue(forKey: step / 2) ?? [], at: time)
      }
    }
    recording.mark("later", at: end)
    return recording
  }

  /// Subscriptions made by one line to one signal at the given times.
  static func observers(
    at times: [Double],
    owners: Int = 0,
    drops: Bool = false,
    signals: Int = 1,
    until end: Double = 4,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/News.swift", 18, .root)
    let site = recording.site("map", "App/News.swift", 16)
    let bag = recording.site("DisposableBag", "App/News.swift", 4)
    let targets = (0..<signals).map { _ in recording.signal(site, at: 0) }
    let bags = (0..<owners).map { _ in recording.owner(bag, at: 0) }
    let source = recording.site("Subject", "App/News.swift", 15, [.hot, .endless])
    for (number, time) in times.enumerated() {
      let target = targets[number % targets.count]
      let id = recording.subscribe(root, of: target, at: time)
      let stage = recording.subscribe(site, to: id, of: target, at: time)
      recording.subscribe(source, to: stage, at: time)
      if owners > 0 { recording.bind(id, to: bags[number % owners], at: time) }
      if drops { recording.dropDisposable(id, at: time) }
    }
    recording.mark("later", at: end)
    return recording
  }

  /// A bag with subscriptions that begin at the given times and end after a delay.
  static func bag(
    at times: [Double],
    endingAfter seconds: Double? = nil,
    until end: Double = 4,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Users.swift", 31, .root)
    let bag = recording.owner(recording.site("DisposableBag", "App/Users.swift", 4), at: 0)
    recording.rounds(at: times, endingAfter: seconds, until: end) { recording, time in
      let id = recording.subscribe(root, at: time)
      recording.bind(id, to: bag, at: time)
      return id
    }
    return recording
  }

  /// Signals that are made, perhaps subscribed to, and perhaps released.
  static func plans(
    _ count: Int,
    subscribed: Bool = false,
    released: Bool = true,
    source: SiteTraits = .source,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let create = recording.site("create", "App/Save.swift", 3, source)
    let map = recording.site("map", "App/Save.swift", 4)
    for number in 0..<count {
      let time = Double(number)
      let first = recording.signal(create, at: time)
      let second = recording.signal(map, of: first, at: time)
      if subscribed {
        let stage = recording.subscribe(map, of: second, at: time)
        let id = recording.subscribe(create, to: stage, of: first, at: time)
        for one in [stage, id] { recording.end(one, .completed, at: time) }
      }
      if released { for id in [second, first] { recording.releaseSignal(id, at: time + 0.5) } }
    }
    recording.mark("later", at: Double(count) + 1)
    return recording
  }

  /// A `deliver(on:)` that has delivered values and holds `holding` of them at the end.
  static func belt(delivered: Int, holding: UInt32, silentFor seconds: Double, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Belt.swift", 9, .root)
    let site = recording.site("deliver(on:)", "App/Belt.swift", 8)
    let ids = recording.chain([root, site], at: 0)
    var time = 0.0
    for _ in 0..<delivered {
      time += 0.01
      recording.depth(ids[1], 1, at: time)
      recording.depth(ids[1], 0, at: time)
      for id in ids.reversed() { recording.next(id, at: time) }
    }
    if holding > 0 { recording.depth(ids[1], holding, at: time + 0.01) }
    recording.mark("later", at: time + seconds)
    return recording
  }

  /// Values handled on two queues: `true` stands for the main queue, `false` for `network`.
  static func queues(
    _ values: [Bool],
    mainThread: UInt32 = 1,
    name: String = "subscribe",
    keeper: SiteTraits? = nil,
    callers: Int = 1,
    offset: UInt32 = 0
  )
    -> Recording
  {
    var recording = Recording(offset: offset)
    recording.threads(3)
    let main = recording.scheduler("main", .main)
    let network = recording.scheduler("network", .serialQueue)
    let site = recording.site(name, "App/Count.swift", 7, .root)
    let roots = (1...callers).map {
      recording.subscribe(site, chain: callers == 1 ? 0 : UInt32($0), at: 0)
    }
    let stage = keeper.map { traits in
      recording.subscribe(
        recording.site("keeper", "App/Count.swift", 6, traits),
        to: roots[0],
        at: 0
      )
    }
    for (number, isMain) in values.enumerated() {
      let time = Double(number) * 0.1
      if let stage, isMain { recording.schedule(77, on: main, for: stage, at: time) }
      let thread = isMain ? mainThread : UInt32(2 + number % 2)
      recording.hop(on: isMain ? main : network, thread: thread, at: time) { recording in
        for root in roots { recording.next(root, thread: thread, at: time) }
      }
    }
    return recording
  }

  /// Deliveries of a subject; during each of the first `nested`, `thread` sends another value.
  static func circle(turns: Int, nested: Int, thread: UInt32 = 1, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let site = recording.site("Subject", "App/Steps.swift", 3, [.hot, .endless])
    let subject = recording.signal(site, at: 0)
    for number in 0..<turns {
      let time = Double(number) * 0.01
      recording.turn(subject, at: time) { recording in
        if number < nested { recording.depth(subject, 1, thread: thread, at: time) }
      }
    }
    return recording
  }

  /// A thread that a subject keeps busy: while it handles its first value, other threads queue
  /// `sent` values, which it then delivers, taking `seconds` for each.
  ///
  /// After every `relievedAfter` deliveries, another thread takes over. If `sender` is given, only
  /// that thread queues values. With `alsoFromInside`, the delivering thread queues one value
  /// itself.
  static func captured(
    sent: Int,
    every seconds: Double,
    relievedAfter: Int = .max,
    sender: UInt32? = nil,
    alsoFromInside: Bool = false,
    subject name: String = "Subject",
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(4)
    let site = recording.site(name, "App/Tills.swift", 4, [.hot, .endless])
    let subject = recording.signal(site, at: 0)
    recording.turn(subject, at: 0) { recording in
      for number in 1...sent {
        let other = sender ?? UInt32(2 + number % 3)
        let thread = alsoFromInside && number == 4 ? 1 : other
        recording.depth(subject, UInt32(number), thread: thread, at: 0)
      }
    }
    for number in 0..<sent {
      let thread = UInt32(1 + number / relievedAfter % 4)
      recording.turn(subject, thread: thread, at: Double(number + 1) * seconds)
    }
    return recording
  }

  /// Subscriptions of one line, `count` of which fail.
  static func failing(_ count: Int, of all: Int, handled: Bool = false, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    let root = recording.site(
      "subscribe",
      "App/Page.swift",
      9,
      handled ? .root : [.root, .unhandled]
    )
    let map = recording.site("map", "App/Page.swift", 8)
    let create = recording.site("create", "App/Page.swift", 7, .source)
    for number in 0..<all {
      let ids = recording.chain([root, map, create], at: Double(number))
      if number < count {
        recording.fail(ids, "App.Refusal", at: Double(number) + 0.5)
      } else {
        for id in ids.reversed() { recording.end(id, .completed, at: Double(number) + 0.5) }
      }
    }
    return recording
  }

  /// Evenly spaced times from `start` up to, but not including, `end`.
  static func times(_ count: Int, from start: Double, to end: Double) -> [Double] {
    (0..<count).map { start + (end - start) * Double($0) / Double(max(1, count)) }
  }
}

extension Recording {
  /// Subscriptions that begin at the given times and end after `seconds`, unless `end` comes first.
  fileprivate mutating func rounds(
    at times: [Double],
    endingAfter seconds: Double?,
    until end: Double,
    _ begin: (inout Recording, Double) -> TraceID
  ) {
    for time in times {
      let id = begin(&self, time)
      if let seconds, time + seconds < end { self.end(id, at: time + seconds) }
    }
    mark("later", at: end)
  }
}
