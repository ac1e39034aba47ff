import TraceReading

/// Recordings of programs with work that is rejected, flags that stay set, first values that are
/// dropped, or ends that never come.
///
/// Times are in seconds.
extension Scene {
  /// Bursts of inner signals whose source serves only `places` at a time; the rest fail at once, or
  /// complete without a value.
  static func crowd(
    bursts: Int = 3,
    of count: Int = 12,
    places: Int,
    fails: Bool = true,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/House.swift", 9, .root)
    let merge = recording.site("flatMap", "App/House.swift", 8, [.merging, .flattens])
    let inner = recording.site("create", "App/House.swift", 5, .source)
    let source = recording.site("Subject", "App/House.swift", 7, [.hot, .endless, .subject])
    let stages = recording.chain([root, merge], at: 0)
    recording.subscribe(source, to: stages[1], at: 0)
    for time in times(bursts, from: 0.2, to: 3) {
      let ids = (0..<count).map { number in
        let id = recording.subscribe(inner, to: stages[1], at: time + Double(number) * 0.001)
        if number >= places {
          let end = time + Double(number) * 0.001 + 0.0005
          if fails {
            recording.fail([id], "App.Full", at: end)
          } else {
            recording.end(id, .completed, at: end)
          }
        }
        return id
      }
      for id in ids.prefix(places) {
        recording.next(id, at: time + 0.1)
        recording.end(id, .completed, at: time + 0.1)
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Requests of one line, of which the one with number `count` fails.
  ///
  /// A property is set when a request begins, and again when it completes. After a failure it is
  /// set again only if `isReset`.
  static func flag(_ count: Int = 4, isReset: Bool, goesOn: Int = 0, offset: UInt32 = 0)
    -> Recording
  {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let root = recording.site("subscribe", "App/Form.swift", 9, .root)
    let timer = recording.site("timer(after:)", "App/Form.swift", 8, .timer)
    let property = recording.site("MutableProperty", "App/Form.swift", 4, [.hot, .endless])
    let flag = recording.signal(property, at: 0)
    for number in 0..<count + goesOn {
      let time = 0.2 + 0.3 * Double(number)
      recording.turn(flag, at: time)
      let ids = recording.chain([root, timer], at: time + 0.001)
      let end = time + 0.05
      if number == count - 1 {
        recording.fail(ids, "App.Refusal", at: end)
        if isReset { recording.turn(flag, at: end) }
      } else {
        for id in ids.reversed() { recording.next(id, at: end) }
        recording.turn(flag, at: end)
        for id in ids.reversed() { recording.end(id, .completed, at: end) }
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Screens that skip the first value of a subject, which arrives at once if the subject keeps its
  /// latest value, and later if not.
  static func firsts(_ count: Int, keepsOne: Bool, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Screen.swift", 9, .root)
    let skip = recording.site("skip", "App/Screen.swift", 8, [.drops, .dropsFirst])
    let subject = recording.site("Subject", "App/Screen.swift", 4, [.hot, .endless, .subject])
    for time in times(count, from: 0.1, to: 3) {
      let signal = recording.signal(subject, at: time)
      let ids = recording.chain([root, skip], at: time)
      let source = recording.subscribe(subject, to: ids[1], of: signal, at: time)
      for (number, later) in [keepsOne ? 0 : 0.1, 0.2].enumerated() {
        recording.next(source, at: time + later)
        if number > 0 { for id in ids.reversed() { recording.next(id, at: time + later) } }
      }
      recording.end(ids + [source], at: time + 0.3)
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Signals that send at short intervals and then complete, with a `debounce` downstream that
  /// passes only the last value.
  static func streams(_ count: Int, of values: Int, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Search.swift", 9, .root)
    let debounce = recording.site("debounce", "App/Search.swift", 8, .keepsLatest)
    let interval = recording.site("take", "App/Search.swift", 7, [.passes, .bounding])
    for time in times(count, from: 0.1, to: 3) {
      let ids = recording.chain([root, debounce, interval], at: time)
      for number in 0..<values { recording.next(ids[2], at: time + Double(number) * 0.05) }
      let end = time + Double(values) * 0.05
      recording.end(ids[2], .completed, at: end)
      for id in [ids[1], ids[0]] { recording.next(id, at: end) }
      for id in [ids[1], ids[0]] { recording.end(id, .completed, at: end) }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Presses of a button, `counts[n]` of them at time `n`; each press starts work that takes a
  /// tenth of a second.
  static func presses(_ counts: [Int], saysNothing: Bool = true, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Button.swift", 9, .root)
    let traits: SiteTraits =
      saysNothing ? [.merging, .flattens, .ofNothing] : [.merging, .flattens]
    let merge = recording.site("flatMap", "App/Button.swift", 8, traits)
    let timer = recording.site("timer(after:)", "App/Button.swift", 5, .timer)
    let subject = recording.site("Subject", "App/Button.swift", 4, [.hot, .endless, .subject])
    let stages = recording.chain([root, merge], at: 0)
    recording.subscribe(subject, to: stages[1], at: 0)
    for (count, time) in Swift.zip(counts, times(counts.count, from: 0.2, to: 3)) {
      let ids = (0..<count).map {
        recording.subscribe(timer, to: stages[1], at: time + Double($0) * 0.01)
      }
      for (number, id) in ids.enumerated() {
        recording.next(id, at: time + 0.1 + Double(number) * 0.01)
        recording.end(id, .completed, at: time + 0.1 + Double(number) * 0.01)
      }
    }
    recording.mark("later", at: 4)
    return recording
  }

  /// Pages that act when a `flatMap` of a property ends.
  ///
  /// The `flatMap` starts a request for the value of the property, and cannot end before the
  /// property does. The property ends only if `endsFirst` is true; otherwise the pages never act.
  static func leaves(_ count: Int, endsFirst: Bool = false, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Leaf.swift", 9, [.root, .handlesEnd])
    let merge = recording.site("flatMap", "App/Leaf.swift", 8, [.merging, .flattens])
    let timer = recording.site("timer(after:)", "App/Leaf.swift", 5, .timer)
    let property = recording.site("MutableProperty", "App/Leaf.swift", 4, [.hot, .endless])
    for time in times(count, from: 0.2, to: 2) {
      let stages = recording.chain([root, merge, property], at: time)
      recording.next(stages[2], at: time + 0.1)
      let inner = recording.subscribe(timer, to: stages[1], at: time + 0.1)
      for id in [inner, stages[1], stages[0]] { recording.next(id, at: time + 0.15) }
      recording.end(inner, .completed, at: time + 0.15)
      if endsFirst { for id in stages.reversed() { recording.end(id, .completed, at: time + 0.2) } }
    }
    recording.mark("later", at: 4)
    return recording
  }
}
