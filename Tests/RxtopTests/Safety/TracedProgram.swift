import Foundation
import Testing
import TraceReading

extension Programs {
  /// A traced program that gets into the kind of trouble that its argument names.
  static let traced = built("traced-program")
}

/// A run of the traced program, and the traces that it has left.
struct TracedRun {
  let outcome: Programs.Outcome
  let folder: URL
  /// The folder, which is removed together with the last run in it.
  private let scratch: Scratch

  /// Runs the program with its traces in a folder of `scratch`.
  init(
    _ arguments: [String],
    in scratch: Scratch,
    program: String? = Programs.traced,
    options: String = "events,size=1M",
    directory: String? = nil
  ) throws {
    self.scratch = scratch
    folder = URL(filePath: directory ?? scratch.path("traces"))
    if directory == nil {
      try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    outcome = try Programs.run(
      try #require(program),
      arguments,
      environment: ["RXTRACE": options, "RXTRACE_DIR": folder.path]
    )
  }

  /// Whether the program has behaved as it does without a trace.
  var hasSucceeded: Bool { outcome.status == 0 && outcome.output.hasSuffix("done\n") }

  /// The lines that the program has written to standard error.
  var errorLines: [Substring] { outcome.errors.split(separator: "\n") }

  /// The traces in the folder, that of the oldest process first.
  func traces() throws -> [TraceSnapshot] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".rxtrace") }
      .map { try TraceReader(path: folder.appending(path: $0).path).snapshot() }
      .sorted { $0.header.start.realtime < $1.header.start.realtime }
  }

  /// The only trace in the folder.
  func trace() throws -> TraceSnapshot {
    let traces = try traces()
    try #require(traces.count == 1, "\(errorLines)")
    return traces[0]
  }
}

extension TraceSnapshot {
  /// The number of events of released and of live entities.
  var events: UInt64 {
    sites.reduce(0) { $0 + $1.eventsOfReleased }
      + slots.filter { $0.kind == .subscription }.reduce(0) { $0 + $1.eventCount }
  }

  /// Whether nothing is missing from the trace.
  var isWhole: Bool {
    problems.isEmpty && header.lostRecords == 0 && missingSegments == 0
      && header.lost.values.allSatisfy { $0 == 0 }
  }
}
