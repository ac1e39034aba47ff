import ReactiveTrace
import TraceReading

/// Recordings of programs in which something should end and does not.
///
/// Times are in seconds.
extension Scene {
  /// Pages made at the given times, each with a bag of disposables.
  ///
  /// With `isHeld`, a closure of the page's subscription holds the page; if `endingAfter` is given,
  /// the subscription and the bag end after that many seconds.
  static func pages(
    at times: [Double],
    isHeld: Bool = true,
    endingAfter seconds: Double? = nil,
    marks: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Page.swift", 9, .root)
    let map = recording.site("map", "App/Page.swift", 8, .passes)
    let bag = recording.site("DisposableBag", "App/Page.swift", 4)
    for (place, time) in times.enumerated() {
      // A different caller makes each page.
      let downstream = recording.subscribe(root, chain: UInt32(place + 1), at: time)
      let ids = [downstream, recording.subscribe(map, to: downstream, at: time)]
      let owner = recording.owner(bag, at: time)
      recording.bind(ids[0], to: owner, at: time)
      if isHeld { recording.hold(ids[0], at: map, owner, at: time) }
      if let seconds {
        recording.end(ids.reversed(), at: time + seconds)
        recording.endOwner(owner, at: time + seconds)
      }
      if marks { recording.mark("page \(place)", at: time + 0.01) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// An execution of an action, which begins at 0 s and sends until `last`, and `refusals` further
  /// ones that are rejected between 0.5 s and 3.5 s.
  static func execution(
    refusals: Int,
    isEndless: Bool,
    sendsUntil last: Double = 0.1,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let execution = recording.site("execution", "App/Button.swift", 12, .executes)
    let source = recording.site(
      "source",
      "App/Button.swift",
      5,
      isEndless ? [.hot, .endless] : .source
    )
    let ids = recording.chain([execution, source], at: 0)
    for time in times(max(1, Int(last / 0.1)), from: 0.1, to: last) {
      for id in ids.reversed() { recording.next(id, at: time) }
    }
    for number in 0..<refusals {
      let time = 0.5 + Double(number) * 3 / Double(refusals)
      let one = recording.subscribe(execution, at: time)
      recording.fail([one], "Reactive.ActionError", at: time + 0.0001)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A button whose presses are ignored while the inner signal of an earlier press runs.
  ///
  /// The first `count` inner signals complete. The next one does not, so that `presses` further
  /// presses are ignored. Inner signals send a value each if `sends` is true.
  static func button(
    ignoring presses: Int,
    isEndless: Bool,
    ending count: Int = 3,
    sends: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Tile.swift", 9, .root)
    let first = recording.site("flatMapFirst", "App/Tile.swift", 8, [.merging, .drops])
    let button = recording.site("presses", "App/Tile.swift", 5, [.hot, .endless, .subject])
    let answer = recording.site("answer", "App/Tile.swift", 6, .source)
    let news = recording.site("news", "App/News.swift", 3, isEndless ? [.hot, .endless] : .source)
    let ids = recording.chain([root, first, button], at: 0)
    for number in 0..<count {
      let time = 0.1 + Double(number) * 0.2
      recording.next(ids[2], at: time)
      let inner = recording.subscribe(answer, to: ids[1], at: time)
      for id in sends ? [inner, ids[1], ids[0]] : [] { recording.next(id, at: time + 0.1) }
      recording.end(inner, .completed, at: time + 0.1)
    }
    recording.next(ids[2], at: 1)
    let inner = recording.subscribe(news, to: ids[1], at: 1)
    for id in sends ? [inner, ids[1], ids[0]] : [] { recording.next(id, at: 1.1) }
    for number in 0..<presses { recording.next(ids[2], at: 1.5 + Double(number) * 0.2) }
    recording.mark("later", at: 4)
    return recording
  }

  /// Forms whose typed texts start inner signals; a trigger ends each form's input after half a
  /// second.
  ///
  /// With `endsTheSource`, the trigger is upstream of the operator and ends only its source, so that
  /// the inner signal continues; otherwise the whole subscription ends. With `endsByItself`, the
  /// source completes, and the trigger does nothing.
  static func forms(
    _ count: Int,
    endsTheSource: Bool,
    isTriggered: Bool = true,
    endsByItself: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Form.swift", 9, .root)
    let flatMap = recording.site("flatMapLatest", "App/Form.swift", 8, [.merging, .flattens])
    let take = recording.site(
      "take(until:)",
      "App/Form.swift",
      7,
      isTriggered ? [.bounding, .passes, .triggers] : .passes
    )
    let typed = recording.site("typed", "App/Form.swift", 5, [.hot, .endless, .subject])
    let departures = recording.site("interval", "App/Form.swift", 6, [.endless, .timer])
    for number in 0..<count {
      let time = Double(number) * 0.2
      let ids = recording.chain([root, flatMap, take, typed], at: time)
      let inner = recording.subscribe(departures, to: ids[1], at: time + 0.1)
      recording.next(ids[3], at: time + 0.1)
      recording.next(ids[2], at: time + 0.1)
      recording.end(ids[3], endsByItself ? .completed : .cancelled, at: time + 0.5)
      recording.end(ids[2], .completed, at: time + 0.5)
      if !endsTheSource { recording.end([inner, ids[1], ids[0]], at: time + 0.5) }
    }
    recording.mark("later", at: 6)
    return recording
  }

  /// Shared subscriptions that lose their only subscriber after a moment; with `areGone`, the
  /// program then releases their signals.
  static func shares(at times: [Double], areGone: Bool = true, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Share.swift", 9, .root)
    let share = recording.site("replayLazily", "App/Share.swift", 8, [.passes, .replays, .shares])
    let beat = recording.site("interval", "App/Share.swift", 7, [.endless, .timer])
    for time in times {
      let signal = recording.signal(share, at: time)
      let run = recording.subscribe(share, of: signal, at: time)
      recording.subscribe(beat, to: run, at: time)
      let ids = recording.chain([root], at: time)
      let stage = recording.subscribe(share, to: ids[0], of: signal, at: time)
      recording.end([stage, ids[0]], at: time + 0.05)
      if areGone { recording.releaseSignal(signal, at: time + 0.05) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `flatMapLatest` with `empty` inner signals, each of which combines an empty list of signals;
  /// with `isReplaced`, `defaultIfEmpty` supplies the missing value.
  static func lists(_ empty: Int, isReplaced: Bool = false, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/List.swift", 9, .root)
    let flatMap = recording.site("flatMapLatest", "App/List.swift", 8, [.merging, .flattens])
    let fill = recording.site("defaultIfEmpty", "App/List.swift", 7, .passes)
    let join = recording.site(
      "combineLatest",
      "App/List.swift",
      6,
      [.passes, .waitsForAll, .partners]
    )
    let ids = recording.chain([root, flatMap], at: 0)
    for number in 0..<empty {
      let time = 0.2 + Double(number) * 0.2
      let downstream = recording.subscribe(fill, to: ids[1], at: time)
      let one = recording.subscribe(join, to: downstream, at: time)
      recording.end(one, .completed, at: time)
      if isReplaced { for id in [downstream, ids[1], ids[0]] { recording.next(id, at: time) } }
      recording.end(downstream, .completed, at: time)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// What the inputs of a combination do if it ends without a value.
  enum Partner {
    /// One input sends a value and completes, and the other completes without one.
    case sends
    /// One input has sent nothing when the other completes without a value, and is cancelled.
    case waits
    /// One input sends a value and completes, and the other is cancelled before it has sent any.
    case isLate
    /// One input sends a value and completes, and a filter drops the value of the other.
    case isFiltered
    /// The first input completes without a value, and the other is not subscribed to.
    case isMissing
  }

  /// A `flatMapLatest` whose inner signals each combine two inputs with `zip`, or with
  /// `withLatest(from:)` if the second is late, and end without a value in `empty` of them; with
  /// `isReplaced`, `defaultIfEmpty` supplies one downstream.
  static func pictures(
    empty: Int = 2,
    served: Int = 3,
    isReplaced: Bool = false,
    fill replacement: SiteTraits = .passes,
    source: SiteTraits = [],
    partner: Partner = .sends
  ) -> Recording {
    var recording = Recording()
    let root = recording.site("subscribe", "App/Page.swift", 9, .root)
    let flatMap = recording.site("flatMapLatest", "App/Page.swift", 8, [.merging, .flattens])
    let fill = recording.site("defaultIfEmpty", "App/Page.swift", 7, replacement)
    let filter = recording.site("filter", "App/Page.swift", 3, .drops)
    let zip =
      partner == .isLate
      ? recording.site("withLatest(from:)", "App/Page.swift", 6, [.passes, .waitsForAll, .sampled])
      : recording.site("zip", "App/Page.swift", 6, [.pairs, .waitsForAll, .partners])
    let title = recording.site("just", "App/Page.swift", 4, [])
    let picture = recording.site("empty", "App/Page.swift", 5, source)
    let ids = recording.chain([root, flatMap], at: 0)
    for number in 0..<(served + empty) {
      let time = 0.2 + Double(number) * 0.2
      let downstream = recording.subscribe(fill, to: ids[1], at: time)
      let source = recording.signal(title, at: time)
      let combined = recording.signal(zip, of: source, at: time)
      let one = recording.subscribe(zip, to: downstream, of: combined, at: time)
      let isServed = number < served
      if isServed || partner != .isMissing {
        let left = recording.subscribe(title, to: one, of: source, at: time)
        if isServed || partner != .waits { recording.next(left, at: time) }
        recording.end(left, !isServed && partner == .waits ? .cancelled : .completed, at: time)
      }
      let below = partner == .isFiltered ? recording.subscribe(filter, to: one, at: time) : one
      let right = recording.subscribe(picture, to: below, at: time)
      if isServed || partner == .isFiltered { recording.next(right, at: time) }
      if isServed, below != one { recording.next(below, at: time) }
      if isServed { recording.next(one, at: time) }
      recording.end(right, !isServed && partner == .isLate ? .cancelled : .completed, at: time)
      if below != one { recording.end(below, .completed, at: time) }
      recording.end(one, .completed, at: time)
      if isServed || isReplaced {
        for id in [downstream, ids[1], ids[0]] { recording.next(id, at: time) }
      }
      recording.end(downstream, .completed, at: time)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// A `map` from numbers to texts, with a stage downstream; both the numbers and the texts are
  /// recorded.
  static func texts(
    of numbers: [Int],
    dropsTheSame: Bool = false,
    offset: UInt32 = 0,
    _ text: (Int) -> String
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Theme.swift", 9, .root)
    let downstream = recording.site("below", "App/Theme.swift", 8, dropsTheSame ? .drops : .passes)
    let map = recording.site("map", "App/Theme.swift", 7, .passes)
    let source = recording.site("Subject", "App/Theme.swift", 5, [.hot, .endless, .subject])
    let ids = recording.chain([root, downstream, map, source], at: 0)
    for (place, number) in numbers.enumerated() {
      let time = 0.1 + Double(place) * 0.05
      recording.next(ids[3], at: time)
      recording.value(ids[3], "\(number)", at: time)
      recording.next(ids[2], at: time)
      recording.value(ids[2], text(number), at: time)
    }
    recording.mark("later", at: 4)
    return recording
  }
}
