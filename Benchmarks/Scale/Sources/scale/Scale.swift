internal import Glibc
internal import InspectorUI
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// Measures the cost of reading and showing a trace: `scale read|seek|keys FILE ROUNDS`.
///
/// Prints a line `name value` for each figure, with times in milliseconds and memory in MiB.
@main
enum Scale {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let rounds = arguments.last.flatMap({ Int($0) }), rounds > 0,
      let command = arguments.first
    else { return print("usage: scale read|seek|keys FILE ROUNDS") }
    let path = arguments[arguments.startIndex + 1]
    switch command {
    case "read": try read(path, rounds)
    case "seek": try seek(path, rounds)
    case "keys": try keys(path, rounds)
    default: print("usage: scale read|seek|keys FILE ROUNDS")
    }
    print("peak-mib \(peak())")
  }

  /// Decodes all records in order.
  private static func read(_ path: String, _ rounds: Int) throws {
    var opening: [Double] = []
    var passing: [Double] = []
    var count = 0
    for _ in 0..<rounds {
      let reader = try TraceReader(path: path)
      let start = ContinuousClock.now
      let snapshot = try reader.snapshot()
      let middle = ContinuousClock.now
      var sum: UInt64 = 0
      count = 0
      for record in snapshot.records {
        sum &+= record.ticks ^ UInt64(record.argument)
        count += 1
      }
      let end = ContinuousClock.now
      withExtendedLifetime(sum) {}
      opening.append(milliseconds(middle - start))
      passing.append(milliseconds(end - middle))
    }
    print("records \(count)")
    print("open-ms \(text(percentile(opening, 0.5)))")
    print("pass-ms \(text(percentile(passing, 0.5)))")
    print("million-records-per-s \(text(Double(count) / percentile(passing, 0.5) / 1e3))")
    let both = zip(opening, passing).map { $0 + $1 }
    print("million-records-per-s-with-opening \(text(Double(count) / percentile(both, 0.5) / 1e3))")
  }

  /// Shows the first screen, and then screens at random instants of the trace.
  private static func seek(_ path: String, _ rounds: Int) throws {
    let start = ContinuousClock.now
    var source = try TraceSource(path: path)
    var model = Model(size: Size(columns: 120, rows: 40))
    let end = try source.inspection(at: .end)
    _ = model.update(.inspection(end, at: .end))
    _ = model.frame()
    print("first-ms \(text(milliseconds(.now - start)))")
    let length = end.instant.time
    let numbers = end.events.map(\.number)
    var times: [Double] = []
    var steps: [Double] = []
    var random = UInt64(88_172_645_463_325_252)
    for round in 0..<rounds {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      var position = Position.time(length * (Double(random % 1_000_000) / 1e6))
      if round % 8 == 7, let number = numbers.randomElement() { position = .event(number) }
      if round % 8 == 3, let mark = end.marks.randomElement() { position = .mark(mark.id) }
      let start = ContinuousClock.now
      let inspection = try source.inspection(at: position)
      _ = model.update(.inspection(inspection, at: position))
      _ = model.frame()
      let middle = ContinuousClock.now
      times.append(milliseconds(middle - start))
      guard let next = try source.step(.event, forward: round % 2 == 0, from: position) else {
        continue
      }
      _ = model.update(.inspection(next.inspection, at: next.position))
      _ = model.frame()
      steps.append(milliseconds(.now - middle))
    }
    print("first-seek-ms \(text(times.first ?? 0))")
    for (name, values) in [("seek", times), ("step", steps)] {
      print("\(name)-p50-ms \(text(percentile(values, 0.5)))")
      print("\(name)-p95-ms \(text(percentile(values, 0.95)))")
      print("\(name)-max-ms \(text(values.max() ?? 0))")
    }
  }

  /// Measures the processor time from a key to the frames that answer it, for filters on three
  /// screens and for other keys on Subscriptions.
  private static func keys(_ path: String, _ rounds: Int) throws {
    var terminal = KeyClock("")
    for (key, screen) in [("M", "Map"), ("s", "Sites"), ("u", "Subscriptions")] {
      terminal.type(key, "")
      for _ in 0..<rounds {
        for filter in ["map", "s4", "events>1"] {
          terminal.type("\\\(filter)", "filter on \(screen)")
          terminal.type("<Esc>", "")
        }
      }
    }
    for _ in 0..<rounds {
      for key in ["<lt>", ">"] { terminal.type(key, "sort") }
      for (key, name) in [
        (",", "event before"), (".", "event after"), ("[", "change before"), ("]", "change after"),
        ("$", "newest state"),
      ] {
        terminal.type(key, "to the \(name)")
      }
    }
    let helpers = ScreenHelpers(
      save: { $0 },
      describe: { "\($0)" },
      edit: { file, _, _ in file },
      saveSettings: { _ in path }
    )
    var loop = ScreenLoop(
      model: Model(size: terminal.size),
      source: try TraceSource(path: path),
      helpers: helpers
    )
    try loop.run(on: &terminal)
    for (name, values) in terminal.times.sorted(by: { $0.key < $1.key }) where !name.isEmpty {
      let name = name.split(separator: " ").joined(separator: "-")
      print("\(name)-p50-ms \(text(percentile(values, 0.5)))")
      print("\(name)-max-ms \(text(values.max() ?? 0))")
    }
  }

  private static func percentile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

  private static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// The peak resident memory, in MiB.
  private static func peak() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1024
  }
}
