import ReactiveTrace
import TraceReading

/// Recordings of programs with an action that a condition enables.
///
/// Times are in seconds.
extension Scene {
  /// An action of which an execution is asked for, and refused, at each of the given times.
  ///
  /// The condition follows a property whose values come at the times `moved`, and sends one of its
  /// own at 0 s and at each time in `conditions`. At the times in `begun`, an execution is asked for
  /// on the same line that begins and completes after 0.1 s. The number of actions with a condition
  /// is `count`. With `isReleased`, all of it ends at 4 s.
  static func refusals(
    at refused: [Double],
    begun: [Double] = [],
    moved: [Double] = [0.5, 1.5, 2.5],
    conditions: [Double] = [],
    count: Int = 1,
    isReleased: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let action = recording.site("Action", "App/Orders.swift", 15)
    let distinct = recording.site("distinct", "App/Orders.swift", 14, .drops)
    let status = recording.site("status", "App/Link.swift", 4, [.hot, .endless])
    let root = recording.site("subscribe", "App/Desk.swift", 49, .root)
    let apply = recording.site("apply", "App/Desk.swift", 49, .source)
    let execution = recording.site("execution", "App/Desk.swift", 49, .executes)
    let write = recording.site("write", "App/Orders.swift", 22, .source)
    let listener = recording.site("subscribe", "App/Desk.swift", 27, .root)
    let names = ["isExecuting", "isEnabled", "values", "errors", "executionSignals"]
    recording.edit { $0.arguments = [.unknown] + names.map { .part($0) } }
    var all: [TraceID] = []
    var followed: [[TraceID]] = []
    for _ in 0..<count {
      let parts = (1...5).map { recording.signal(action, argument: UInt32($0), at: 0) }
      let ids = recording.chain([action, distinct, status], at: 0)
      for id in ids.reversed() { recording.next(id, at: 0) }
      let listening = recording.subscribe(listener, at: 0)
      all += [listening, recording.subscribe(action, to: listening, of: parts[2], at: 0)] + ids
      followed.append(ids)
    }
    let duration = 0.1
    var running: [(end: Double, ids: [TraceID])] = []
    let times = Set(moved + conditions + refused + begun + begun.map { $0 + duration })
    for time in times.sorted() {
      for one in running where one.end <= time {
        for id in one.ids { recording.end(id, .completed, at: one.end) }
      }
      running.removeAll { $0.end <= time }
      for ids in followed {
        if moved.contains(time) { recording.next(ids[2], at: time) }
        if conditions.contains(time) {
          recording.next(ids[1], at: time)
          recording.next(ids[0], at: time)
        }
      }
      guard refused.contains(time) || begun.contains(time) else { continue }
      let signal = recording.signal(apply, at: time)
      let asking = recording.subscribe(root, of: signal, at: time)
      let stage = recording.subscribe(apply, to: asking, of: signal, at: time)
      let one = recording.subscribe(execution, of: signal, at: time)
      if begun.contains(time) {
        let work = recording.subscribe(write, to: one, at: time)
        running.append((time + duration, [work, one, stage, asking]))
      } else {
        recording.fail([one], "Swift.Error", at: time)
        recording.fail([asking, stage], "App.ActionError", at: time)
      }
    }
    if isReleased { for id in all.reversed() { recording.end(id, .completed, at: 4) } }
    recording.mark("later", at: 4)
    return recording
  }
}
