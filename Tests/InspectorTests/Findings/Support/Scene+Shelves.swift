import TraceFormat
import TraceReading

/// Recordings of programs whose parts use the same values, or hold what others have made.
extension Scene {
  /// `count` functions that each put two subscriptions to a subject into a bag, which is released
  /// when the function returns, or lives for `seconds`; the subject then sends values.
  static func localBags(
    _ count: Int,
    livingFor seconds: Double = 0.001,
    values: Int = 10,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let bag = recording.site("DisposableBag", "App/Panel.swift", 7)
    let roots = [8, 9].map { recording.site("subscribe", "App/Panel.swift", $0, .root) }
    let source = recording.site("Subject", "App/Panel.swift", 3, [.hot, .endless, .subject])
    let subject = recording.signal(source, at: 0)
    for number in 0..<count {
      let time = 0.1 + Double(number) * 0.1
      let owner = recording.owner(bag, at: time)
      let chains = roots.map { root -> [TraceID] in
        let ids = recording.chain([root], at: time)
        recording.bind(ids[0], to: owner, at: time)
        return ids + [recording.subscribe(source, to: ids[0], of: subject, at: time)]
      }
      for ids in chains { recording.end(ids.reversed(), at: time + seconds) }
      recording.endOwner(owner, at: time + seconds)
    }
    for value in 0..<values { recording.turn(subject, at: 1 + Double(value) * 0.1) }
    recording.mark("later", at: 3)
    return recording
  }

  /// Values that come to a subject from outside at the given times, and are sent to it again by the
  /// handler that follows it, 50 ms later each time, up to `rounds` times.
  static func echoes(
    at times: [Double],
    rounds: Int = .max,
    until end: Double = 2,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(1)
    let main = recording.scheduler("main", .main)
    let root = recording.site("subscribe", "App/Sync.swift", 9, .root)
    let deliver = recording.site("deliver(on:)", "App/Sync.swift", 8, [.queues, .switchesQueue])
    let source = recording.site("Subject", "App/Sync.swift", 3, [.hot, .endless, .subject])
    let subject = recording.signal(source, at: 0)
    let ids = recording.chain([root, deliver], at: 0)
    let input = recording.subscribe(source, to: ids[1], of: subject, at: 0)
    var hop: UInt32 = 0
    var waiting: [(time: Double, hop: UInt32?, round: Int)] = times.map { ($0, nil, 0) }
    while let next = waiting.min(by: { $0.time < $1.time }), next.time < end {
      waiting.removeAll { $0.time == next.time && $0.hop == next.hop }
      hop += 1
      let again = hop
      func deliverValue(_ recording: inout Recording) {
        recording.turn(subject, at: next.time) {
          $0.next(input, at: next.time)
          if next.round < rounds { $0.schedule(again, on: main, for: ids[1], at: next.time) }
        }
      }
      if let number = next.hop {
        recording.hop(number, on: main, thread: 1, at: next.time) {
          for id in ids.reversed() { $0.next(id, at: next.time) }
          deliverValue(&$0)
        }
      } else {
        deliverValue(&recording)
      }
      if next.round < rounds { waiting.append((next.time + 0.05, again, next.round + 1)) }
    }
    recording.mark("later", at: end)
    return recording
  }

  /// A property that two handlers set; one of them replaces a value of the other `count` times
  /// without having read it.
  static func overwritten(_ count: Int, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    recording.threads(2)
    let roots = [12, 15].map { recording.site("subscribe", "App/Stock.swift", $0, .root) }
    let source = recording.site("MutableProperty", "App/Stock.swift", 6, [.hot, .endless])
    let timer = recording.site("interval", "App/Stock.swift", 30, [.timer, .endless])
    let property = recording.signal(source, at: 0)
    let setters = roots.map { recording.chain([$0, timer], at: 0) }
    let queues = ["gate", "shop"].map { recording.scheduler($0, .serialQueue) }
    var hop: UInt32 = 0
    for number in 0..<(count + 4) {
      let start = 0.1 + Double(number) * 0.1
      for (place, ids) in setters.enumerated() {
        let (thread, time) = (UInt32(place + 1), start + Double(place) * 0.03)
        hop += 1
        recording.schedule(hop, on: queues[place], for: ids[1], thread: thread, at: time)
        recording.hop(hop, on: queues[place], thread: thread, at: time) {
          for id in ids.reversed() { $0.next(id, thread: thread, at: time) }
          if place == 1, number < count { $0.overwrite(property, thread: thread, at: time) }
          $0.turn(property, thread: thread, at: time)
        }
      }
    }
    recording.mark("later", at: 3)
    return recording
  }

  /// A `debounce` of 0.4 s behind a `merge`: each of `bursts` times, one input sends three values,
  /// and the other sends one `gap` seconds later.
  static func interrupted(_ bursts: Int, after gap: Double = 0.2, offset: UInt32 = 0) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Editor.swift", 9, .root)
    let debounce = recording.site("debounce", "App/Editor.swift", 8, .keepsLatest)
    let merge = recording.site("merge", "App/Editor.swift", 7, [.merging, .passes, .partners])
    let inputs = [5, 6].map { recording.site("map", "App/Editor.swift", $0, .passes) }
    let ids = recording.chain([root, debounce, merge], at: 0)
    let maps = inputs.map { recording.subscribe($0, to: ids[2], at: 0) }
    for burst in 0..<bursts {
      let start = 0.1 + Double(burst) * 2
      let values = [(0, 0.0), (0, 0.1), (0, 0.2), (1, 0.2 + gap)]
      for (place, (input, later)) in values.enumerated() {
        let time = start + later
        for id in [maps[input], ids[2]] { recording.next(id, at: time) }
        let timer = recording.arm(debounce, every: 0.4, for: ids[1], at: time)
        let next = place + 1 < values.count ? values[place + 1].1 : .infinity
        guard next >= later + 0.4 else {
          recording.endTimer(timer, .cancelled, at: start + next)
          continue
        }
        recording.fire(timer, usefully: true, at: time + 0.4)
        recording.endTimer(timer, .completed, at: time + 0.4)
        for id in [ids[1], ids[0]] { recording.next(id, at: time + 0.4) }
      }
    }
    recording.mark("later", at: 0.1 + Double(bursts) * 2)
    return recording
  }
}
