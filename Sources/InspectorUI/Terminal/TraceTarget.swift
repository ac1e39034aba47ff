import TraceModel
public import TraceReading

/// Finds the trace to which an argument of the command line refers.
public enum TraceTarget {
  /// The path of the trace to which a process number or a file name refers.
  ///
  /// A number means a process, unless a file has that name. For a running process, the result is
  /// its own trace, never the trace of an earlier process with the same number.
  ///
  /// - Parameters:
  ///   - argument: The argument as typed.
  ///   - entries: The traces in the usual directories, as returned by `TraceDirectory.list()`.
  ///   - fileExists: Whether there is a file with a given name.
  ///   - mapped: The traces that a process has mapped into memory, which are searched if `entries`
  ///     has no trace of the running process.
  ///   - runningProcess: The process with a given number; nil if there is none.
  /// - Returns: The path of the trace, which may have been deleted in the meantime.
  /// - Throws: ``TraceTargetError`` if there is no such trace, with advice on what to do.
  public static func path(
    for argument: String,
    among entries: [TraceDirectory.Entry],
    fileExists: (String) -> Bool,
    mapped: (Int32) -> [TraceDirectory.Entry] = TraceDirectory.entries,
    runningProcess: (Int32) -> RunningProcess? = RunningProcess.find
  ) throws(TraceTargetError) -> String {
    if fileExists(argument) { return argument }
    let shown = displayName(argument)
    guard let process = Int32(argument), process > 0 else {
      throw TraceTargetError(
        "there is no file '\(shown)'; name a trace file (*.rxtrace) or the number of a process, or run rxtop ls to see the traces there are"
      )
    }
    let traces = entries.filter { $0.header.processID == process }
    let isOwn = { (entry: TraceDirectory.Entry) in ProcessStatus.isRecorderRunning(entry.header) }
    if let own = traces.first(where: isOwn) ?? mapped(process).first(where: isOwn) {
      return own.path
    }
    guard let running = runningProcess(process) else {
      if let latest = traces.first { return latest.path }
      throw TraceTargetError(
        "there is no process \(process) and no trace of one; run rxtop ls to see the traces there are"
      )
    }
    let name = running.name.map { displayName($0, columns: 60) }
    let shownProcess = "process \(process)" + (name.map { " ('\($0)')" } ?? "")
    guard !running.isOfAnotherUser else {
      throw TraceTargetError(
        "\(shownProcess) belongs to another user, whose traces only that user can read; run rxtop as that user"
      )
    }
    // Process numbers are reused, so a trace with this number belongs to an earlier process.
    let earlier = traces.first.map {
      "; '\(displayName($0.path, columns: 400))' is the trace of an earlier process of that number"
    }
    throw TraceTargetError(
      "\(shownProcess) is not traced, and tracing can only be switched on when a process starts; "
        + "restart it as RXTRACE=1 \(name ?? "PROGRAM")\(earlier ?? "")"
    )
  }

  /// Explains how to record a first trace.
  public static let howToTrace = """
    no traced program is running.

    Start one with RXTRACE=1 in its environment, for instance:
        RXTRACE=1 ./app
    and then run rxtop again. To look at past runs: rxtop ls lists traces, rxtop FILE opens one.
    """
}

/// The error that an argument of the command line refers to no trace, with advice on what to do.
public struct TraceTargetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence for the user, without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
