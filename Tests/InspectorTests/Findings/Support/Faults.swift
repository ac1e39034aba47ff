import TraceReading

/// Recordings with one fault each, for tests that run with every fault.
enum Fault: String, CaseIterable, Sendable {
  case declaredGrowth, trend, alwaysMore, innerGrowth
  case orphanTimer, silentTimer, droppedDisposables, lateValues, lateTwice
  case outlivedOwner, silentSubject, innerSignals, unpaired, waitingInner, keeper, orphanConnection
  case observers, droppedObservers, crowdedBag, neverStarted, blockedQueue, hangingInner,
    missingPartner
  case oddQueue, circle, captured, unhandled, crashed, died
  case lackingInput, dyingStream, attempts, requests, announcement, splitPaths, visitors, topics
  case pages, execution, forms, shares, lists, texts
  case oddCaller, disposedContainer, endedSubject, feedbackLoop
  case repeatedWork, keptFailure, overtakenAnswers, overtakenInputs
  case limit, glitch, heldQueue, sharedQueue, selfWait, desks
  case stations, lateAnswers, latePages, joinedRequests
  case crowd, flag, firsts, presses, leaves, button
  case localBags, echoes, overwritten, interrupted
  case asking, gathered, pairs, steps, streams, throttled, triggered, editors, profiles, refusals

  var recording: Recording { recording() }

  func recording(offset: UInt32 = 0) -> Recording {
    switch self {
    case .declaredGrowth: Scene.rounds([1, 2, 2, 2, 2, 2], offset: offset)
    case .trend: Scene.windows([1, 0, 0, 0, 0, 1, 1, 1, 1, 1], ended: 1, offset: offset)
    case .alwaysMore: Scene.windows([1, 2, 2, 2, 2, 2, 2, 2, 2], offset: offset)
    case .innerGrowth: Scene.innerGrowth(offset: offset)
    case .orphanTimer: Scene.orphanTimer(firesAfterEnd: 5, offset: offset)
    case .silentTimer: Scene.timer(useful: 5, idle: 20, count: 2, feeds: true, offset: offset)
    case .droppedDisposables: Scene.dropped(3, offset: offset)
    case .lateValues: Scene.late([1, 1, 1], offset: offset)
    case .lateTwice: Scene.late([2, 2, 2], offset: offset)
    case .outlivedOwner: Scene.outlived(2, offset: offset)
    case .silentSubject:
      Scene.silence(observersAt: Scene.times(6, from: 1.2, to: 5), offset: offset)
    case .innerSignals: Scene.inner(at: Scene.times(40, from: 0, to: 4), offset: offset)
    case .unpaired:
      Scene.zip(left: Scene.times(150, from: 0, to: 4), right: [0.5, 1.5], offset: offset)
    case .waitingInner: Scene.queue(at: Scene.times(150, from: 0, to: 4), offset: offset)
    case .keeper: Scene.keeper(at: Scene.times(1500, from: 0, to: 4), offset: offset)
    case .orphanConnection: Scene.connection(visits: [(0.1, 0.5)], until: 2, offset: offset)
    case .observers: Scene.observers(at: Scene.times(20, from: 0, to: 4), offset: offset)
    case .droppedObservers:
      Scene.observers(at: Scene.times(10, from: 0, to: 0.005), drops: true, offset: offset)
    case .crowdedBag: Scene.bag(at: Scene.times(40, from: 0, to: 4), offset: offset)
    case .neverStarted: Scene.plans(3, offset: offset)
    case .blockedQueue: Scene.belt(delivered: 20, holding: 4, silentFor: 3, offset: offset)
    case .hangingInner: Scene.queue(at: [0.2, 0.3], before: 10, offset: offset)
    case .missingPartner:
      Scene.zip(
        left: Scene.times(50, from: 0, to: 4),
        right: Scene.times(10, from: 0, to: 1),
        offset: offset
      )
    case .oddQueue: Scene.queues((0..<40).map { $0 % 8 != 5 }, offset: offset)
    case .circle: Scene.circle(turns: 40, nested: 30, offset: offset)
    case .captured: Scene.captured(sent: 1100, every: 0.001, offset: offset)
    case .unhandled: Scene.failing(2, of: 3, offset: offset)
    case .crashed: Scene.crashed(offset: offset)
    case .lackingInput:
      Scene.meeting(left: Scene.times(20, from: 0.1, to: 4), right: [], offset: offset)
    case .dyingStream: Scene.dying(offset: offset)
    case .attempts: Scene.attempts(30, every: 0.01, offset: offset)
    case .requests: Scene.requests(3, every: 0.01, offset: offset)
    case .announcement: Scene.announcement(4, before: 0.002, offset: offset)
    case .splitPaths: Scene.splitPaths(overQueues: [true, false], offset: offset)
    case .topics: Scene.topics(at: Scene.times(20, from: 0, to: 4), offset: offset)
    case .visitors: Scene.visitors(at: Scene.times(12, from: 0, to: 4), offset: offset)
    case .pages: Scene.pages(at: Scene.times(12, from: 0, to: 3.9), offset: offset)
    case .execution: Scene.execution(refusals: 3, isEndless: true, offset: offset)
    case .forms: Scene.forms(5, endsTheSource: true, offset: offset)
    case .shares: Scene.shares(at: Scene.times(12, from: 0, to: 3.9), offset: offset)
    case .lists: Scene.lists(2, offset: offset)
    case .texts: Scene.texts(of: Array(0..<40), offset: offset) { "theme \($0 / 40)" }
    case .oddCaller: Scene.callers([.main, .main, .main, .delayed], offset: offset)
    case .disposedContainer: Scene.rows(8, isMadeAnew: false, offset: offset)
    case .endedSubject: Scene.inbox(endsWithOne: true, offset: offset)
    case .feedbackLoop: Scene.circle(rounds: 30, offset: offset)
    case .desks: Scene.desks(3, offset: offset)
    case .stations: Scene.stations(6, offset: offset)
    case .lateAnswers: Scene.stations(8, answersAfter: [0.7, 0.1], offset: offset)
    case .joinedRequests: Scene.joinedRequests(6, failures: 3, offset: offset)
    case .crowd: Scene.crowd(places: 4, offset: offset)
    case .flag: Scene.flag(isReset: false, offset: offset)
    case .firsts: Scene.firsts(4, keepsOne: false, offset: offset)
    case .presses: Scene.presses([1, 3, 2], offset: offset)
    case .asking:
      Scene.asking(at: Scene.times(6, from: 0.1, to: 1.1), answeredFrom: 1.2, offset: offset)
    case .gathered: Scene.gathered(3, offset: offset)
    case .pairs: Scene.pairs(served: 3, inVain: 2, for: 0.5, offset: offset)
    case .steps: Scene.steps([0, 0, 0, 1, 0, 0, 0], offset: offset)
    case .streams: Scene.streams(2, of: 16, offset: offset)
    case .throttled: Scene.throttled(losesTheLast: true, completes: true, offset: offset)
    case .triggered: Scene.triggered(8, endingAfter: 0, offset: offset)
    case .editors: Scene.editors(3, offset: offset)
    case .profiles: Scene.profiles(3, offset: offset)
    case .refusals: Scene.refusals(at: Scene.times(16, from: 0.2, to: 3.8), offset: offset)
    case .button: Scene.button(ignoring: 3, isEndless: true, offset: offset)
    case .leaves: Scene.leaves(3, offset: offset)
    case .latePages: Scene.late(4, offset: offset)
    case .limit: Scene.limit(offset: offset)
    case .glitch: Scene.glitch(offset: offset)
    case .selfWait: Scene.selfWait(for: 0.5, offset: offset)
    case .heldQueue: Scene.heldQueue([Double](repeating: 0.12, count: 12), offset: offset)
    case .sharedQueue:
      Scene.sharedQueue([Double](repeating: 0.12, count: 12), answered: 0.002, offset: offset)
    case .repeatedWork: Scene.uploads([3, 7, 11, 12], offset: offset)
    case .keptFailure: Scene.keys(6, keepsFailure: true, offset: offset)
    case .overtakenAnswers: Scene.answers(5, oldestLast: true, offset: offset)
    case .overtakenInputs: Scene.inputs(10, waitingFor: 0.01, offset: offset)
    case .localBags: Scene.localBags(3, offset: offset)
    case .echoes: Scene.echoes(at: Scene.times(6, from: 0.1, to: 1.6), offset: offset)
    case .interrupted: Scene.interrupted(3, offset: offset)
    case .overwritten: Scene.overwritten(4, offset: offset)
    case .died: Scene.crashed(by: nil, offset: offset)
    }
  }
}

/// Makes recordings of small invented programs.
enum Scene {
  /// Rounds that each leave `steps[round]` more panes subscribed, while four other panes come and
  /// go.
  ///
  /// A negative step ends panes of earlier rounds. Each round ends with a mark.
  static func rounds(
    _ steps: [Int],
    names: [String]? = nil,
    offset: UInt32 = 0,
    drained: Bool = false
  ) -> Recording {
    var recording = Recording(offset: offset)
    let chain = panes(&recording)
    var kept: [[TraceID]] = []
    recording.mark(names?.first ?? "round 0", at: 0.5)
    for (round, step) in steps.enumerated() {
      let time = Double(round + 1)
      let passing = (0..<4).map { _ in recording.chain(chain, at: time) }
      for _ in 0..<max(0, step) { kept.append(recording.chain(chain, at: time + 0.1)) }
      for ids in passing { recording.end(ids, at: time + 0.4) }
      for _ in 0..<max(0, -step) { recording.end(kept.removeFirst(), at: time + 0.4) }
      recording.mark(names?[round + 1] ?? "round \(round + 1)", at: time + 0.5)
    }
    if drained { for ids in kept { recording.end(ids, at: 100) } }
    return recording
  }

  /// Windows of `seconds` with one automatic mark each; window `n` adds `steps[n]` live panes.
  ///
  /// A negative step ends panes of earlier windows.
  static func windows(
    _ steps: [Int],
    ended: Int = 0,
    every seconds: Double = 2,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let chain = panes(&recording)
    for _ in 0..<ended {
      recording.end(recording.chain(chain, at: 0), at: 0.1)
    }
    var live: [[TraceID]] = []
    for (window, step) in steps.enumerated() {
      let time = Double(window) * seconds
      for _ in 0..<max(0, step) { live.append(recording.chain(chain, at: time + 0.1)) }
      for _ in 0..<max(0, -step) { recording.end(live.removeFirst(), at: time + 0.1) }
      // The mark is just before the end of the window, so that the panes of the next window do not
      // count.
      recording.mark(at: time + seconds * 0.9)
    }
    return recording
  }

  /// The sites of a pane: `subscribe` is downstream of `filter`, which is downstream of `map`.
  static func panes(_ recording: inout Recording) -> [UInt32] {
    [
      recording.site("subscribe", "App/Pane.swift", 42, .root),
      recording.site("filter", "App/Pane.swift", 41),
      recording.site("map", "App/Pane.swift", 40),
    ]
  }

  /// A root that stays subscribed to a `flatMap` whose inner signals never end.
  static func innerGrowth(offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", 12, .root)
    let flatMap = recording.site("flatMap", 11, .merging)
    let inner = recording.site("map", 10)
    let source = recording.site("Subject", 9, [.hot, .endless])
    let outer = recording.chain([root, flatMap], at: 0)
    recording.mark("load 0", at: 0.5)
    for round in 1...6 {
      let stage = recording.subscribe(inner, to: outer[1], at: Double(round))
      recording.subscribe(source, to: stage, at: Double(round))
      recording.mark("load \(round)", at: Double(round) + 0.5)
    }
    return recording
  }

  /// A timer of `interval` that goes on firing; its subscription ends at 0.7 s if `ends` is true.
  static func orphanTimer(
    firesAfterEnd: Int,
    released: Bool = true,
    ends: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", 31, .root)
    let interval = recording.site("interval", 30, [.timer, .endless])
    let ids = recording.chain([root, interval], at: 0)
    let timer = recording.arm(interval, every: 0.5, for: ids[1], at: 0)
    recording.fire(timer, usefully: true, at: 0.5)
    if ends {
      recording.end(ids, at: 0.7)
      if released { for id in ids { recording.release(id, at: 0.7) } }
    }
    for fire in 0..<firesAfterEnd {
      recording.fire(timer, usefully: !ends, at: 1 + 0.5 * Double(fire))
    }
    return recording
  }

  /// Timers of a program that fire every `seconds`, usefully at first and then in vain.
  ///
  /// With `feeds`, each timer sends to a subject of its own, whose only subscriber ends with the
  /// last useful fire unless `isDeserted` is false.
  static func timer(
    useful: Int,
    idle: Int,
    count: Int = 1,
    usefulAtEnd: Bool = false,
    feeds: Bool = false,
    isDeserted: Bool = true,
    every seconds: Double = 0.25,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let site = recording.site("schedule(every:)", "App/Heart.swift", 7, [.timer, .endless])
    let source = recording.site("Subject", "App/Heart.swift", 5, [.hot, .endless])
    let root = recording.site("subscribe", "App/Heart.swift", 6, .root)
    for _ in 0..<count {
      let subject = feeds ? recording.signal(source, at: 0) : .none
      let timer = recording.arm(site, every: seconds, at: 0)
      let id = feeds && useful > 0 ? recording.subscribe(root, of: subject, at: 0) : .none
      for fire in 1...(useful + idle) {
        recording.fire(timer, usefully: fire <= useful, at: Double(fire) * seconds)
        if feeds { recording.turn(subject, at: Double(fire) * seconds) }
        if feeds, isDeserted, fire == useful { recording.end(id, at: Double(fire) * seconds) }
      }
      if usefulAtEnd {
        recording.fire(timer, usefully: true, at: Double(useful + idle + 1) * seconds)
      }
    }
    return recording
  }

  /// Subscriptions to a subject, whose disposables are dropped at once.
  static func dropped(
    _ count: Int,
    source: SiteTraits = [.hot, .endless],
    stage: SiteTraits = [],
    age: Double = 20,
    ended: Int = 0,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let chain = [
      recording.site("subscribe", "App/Log.swift", 22, .root),
      recording.site("stage", "App/Log.swift", 21, stage),
      recording.site("source", "App/Log.swift", 20, source),
    ]
    for _ in 0..<ended {
      let ids = recording.chain(chain, at: 0)
      recording.dropDisposable(ids[0], at: 0)
      recording.end(ids, at: 0.1)
    }
    for _ in 0..<count {
      let ids = recording.chain(chain, at: 1)
      recording.dropDisposable(ids[0], at: 1)
    }
    let clock = recording.site("subscribe", "App/Log.swift", 90, .root)
    recording.subscribe(clock, at: 1 + age)
    return recording
  }

  /// A subscription that is disposed of and is then sent one event from each of the given threads.
  static func late(
    _ threads: [UInt32],
    _ event: RefusedEvent = .next,
    others: Int = 0,
    every seconds: Double = 1,
    lasting lifetime: Double = 1,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Late.swift", 6, .root)
    let create = recording.site("create", "App/Late.swift", 5, .source)
    for _ in 0..<others {
      let ids = recording.chain([root, create], at: 0)
      recording.end(ids, at: 0.1)
      recording.refuse(ids[1], thread: 2, at: 0.2)
    }
    let ids = recording.chain([root, create], at: 1)
    recording.appendRecord(.disposeRequested, ids[0], at: 1 + lifetime)
    recording.end(ids, at: 1 + lifetime)
    for (number, thread) in threads.enumerated() {
      recording.refuse(ids[1], event, thread: thread, at: 3 + Double(number) * seconds)
    }
    return recording
  }

  /// Six pieces of work, each of which sends a value to a subscription that has already ended.
  ///
  /// The work is scheduled before the subscription ends, or afterwards if `scheduledLater` is true.
  static func lateWork(scheduledLater isLater: Bool, on thread: UInt32) -> Recording {
    var recording = late([3])
    let create = recording.snapshot.slots[1].id
    for piece in UInt32(0)..<6 {
      let hop = TraceID(rawValue: 100 + piece)
      let seconds = 4 + Double(piece) / 10
      recording.schedule(hop.rawValue, on: 1, chain: 0, at: isLater ? seconds - 0.05 : 1.5)
      recording.begin(.hopBegan, hop, argument: 1, thread: thread, at: seconds)
      recording.refuse(create, thread: thread, at: seconds)
      recording.begin(.hopEnded, hop, thread: thread, at: seconds)
    }
    recording.edit { snapshot in
      let sorted = snapshot.records.enumerated().sorted {
        ($0.element.ticks, $0.offset) < ($1.element.ticks, $1.offset)
      }
      snapshot.records = TraceRecords(sorted.map(\.element))
    }
    return recording
  }
}
