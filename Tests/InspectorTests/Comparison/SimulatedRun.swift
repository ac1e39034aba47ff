import TraceFindings
import TraceModel
import TraceReading

/// A simulated run of a program with four lines of code, or five if `blinks`, for comparisons.
struct SimulatedRun {
  /// Requests per second.
  var requests = 8
  /// One in this many requests fails; nil if none does.
  var failing: Int? = 4
  /// Events of each request.
  var events = 3
  /// Tiles made per second, whose subscriptions never end.
  var tiles = 0
  /// Whether each tile also arms a timer on another line, so that timers fire more and more often.
  var blinks = false
  /// Tiles that live for the whole run.
  var lasting = 2
  /// Subscriptions that complete when the program starts.
  var loads = 60
  /// The lifetime of a request is at least 2^`lifetime` nanoseconds and less than twice that.
  var lifetime = 24
  /// The number of the line that makes the requests.
  var line: UInt32 = 20

  /// The snapshot after a number of seconds.
  func snapshot(seconds: Int, _ change: (inout TraceSnapshot) -> Void = { _ in }) -> TraceSnapshot {
    var trace = TraceSimulator()
    _ = trace.thread("main", isMain: true)
    let load = trace.site("load", "Start.swift", 10)
    let request = trace.site("request", "Service.swift", line)
    let tile = trace.site("tile", "Wall.swift", 30)
    let clock = trace.site("interval", "Wall.swift", 40, [.timer])
    let blink = blinks ? trace.site("schedule(every:)", "Wall.swift", 50, [.timer]) : 0
    for _ in 0..<loads {
      let subscription = trace.subscribe(load)
      trace.next(subscription)
      trace.end(subscription, .completed)
      trace.release(subscription)
    }
    for _ in 0..<lasting { _ = trace.subscribe(tile) }
    let timer = trace.arm(clock, every: .milliseconds(100))
    var made = 0
    var blinking: [TraceID] = []
    for _ in 0..<seconds {
      for _ in 0..<requests {
        let subscription = trace.subscribe(request)
        for _ in 0..<events { trace.next(subscription) }
        made += 1
        let fails = failing.map { made % $0 == 0 } ?? false
        trace.end(subscription, fails ? .failed : .completed)
        trace.release(subscription)
      }
      for _ in 0..<tiles {
        _ = trace.subscribe(tile)
        if blinks { blinking.append(trace.arm(blink, every: .seconds(1))) }
      }
      for timer in blinking { trace.fire(timer) }
      for _ in 0..<10 {
        trace.wait(.milliseconds(100))
        trace.fire(timer)
      }
    }
    var snapshot = trace.finish()
    snapshot.sites[Int(request)].lifetimes[lifetime] = UInt32(made)
    change(&snapshot)
    return snapshot
  }

  /// The inspection after a number of seconds, without findings.
  func inspection(seconds: Int, _ change: (inout TraceSnapshot) -> Void = { _ in }) -> Inspection {
    var inspection = Inspection(snapshot: snapshot(seconds: seconds, change))
    inspection.findings = []
    return inspection
  }
}

extension RunComparison {
  /// Compares an inspection with an earlier one.
  init(_ before: Inspection, to after: Inspection) {
    self.init(after, since: SiteBase(before, of: after, name: "before"))
  }

  /// Entries of `worse` in short, such as `live tile@Wall.swift:30`.
  var worseLabels: [String] { worse.map { "\($0.aspect.rawValue) \($0.name)@\($0.location)" } }
  var betterLabels: [String] { better.map { "\($0.aspect.rawValue) \($0.name)@\($0.location)" } }
}
