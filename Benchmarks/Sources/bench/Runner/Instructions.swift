import ArgumentParser
import ReactiveTrace

/// What tracing does while the instructions of a workload are counted.
enum TracingState: String, CaseIterable, ExpressibleByArgument {
  /// Tracing has never been started in this process.
  case never
  /// Tracing has recorded the same work before, and was stopped.
  case stopped
  /// Tracing records lifecycles and counters.
  case graph
  /// Tracing records every event.
  case events
  /// The work runs in C, without a library.
  case floor
}

extension Workload {
  /// Does `units` units of work once, for a tool that counts the instructions of the whole process.
  ///
  /// All other work does not depend on `units`, so it cancels out in the difference between two
  /// runs.
  ///
  /// - Returns: The checksum; nil if the workload has no such side.
  func once(_ units: Int, _ state: TracingState, by recording: Recording) throws -> Int? {
    switch state {
    case .never: return try ours(opaque(units)).checksum
    case .stopped:
      _ = try recording.traced(.events, ours)(opaque(1000))
      return try ours(opaque(units)).checksum
    case .graph: return try recording.traced(.graph, ours)(opaque(units)).checksum
    case .events: return try recording.traced(.events, ours)(opaque(units)).checksum
    case .floor: return try floor?(opaque(units)).checksum
    }
  }
}

/// Options of a single run.
struct InstructionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only run this workload of ours once, untimed, and print its checksum: for Scripts/bench-instructions.",
      valueName: "name"
    )
  )
  var instructions: String?

  @Option(help: "With --instructions: what tracing does (\(Self.states)).")
  var when = TracingState.never

  @Option(help: ArgumentHelp("With --instructions: how much work.", valueName: "n"))
  var units = 10_000

  private static var states: String {
    TracingState.allCases.map(\.rawValue).joined(separator: ", ")
  }

  func validate() throws {
    if units < 1 {
      throw ValidationError("--units must be a whole number from 1, found '\(units)'")
    }
  }

  /// - Returns: Whether the option was given.
  func run(_ workloads: [Workload]) throws -> Bool {
    guard let instructions else { return false }
    guard let workload = workloads.first(where: { $0.name == instructions }) else {
      throw ValidationError(
        "no workload is called '\(instructions)'; --list prints those there are"
      )
    }
    guard let checksum = try workload.once(units, when, by: Recording(isWarm: false)) else {
      throw ValidationError("'\(instructions)' has no floor")
    }
    print(checksum)
    return true
  }
}
