import TraceFormat
import TracePlatform

/// What became of the process that recorded a trace.
public enum ProcessStatus: String, Sendable, CaseIterable {
  /// It runs and may be recording.
  case running
  /// It ended without stopping the recording: killed, crashed, or out of power.
  case gone
  /// Recording was stopped in order; the trace is final, whether or not the process runs on.
  case stopped
  /// The trace is from another boot, machine or process namespace: nothing can be said.
  case elsewhere

  /// Compares what the header says with this machine: boot, namespace, process number, and start time,
  /// which tells the process from a later one with the same number.
  public init(of header: TraceHeader) {
    guard header.state != .stopped else {
      self = .stopped
      return
    }
    guard let boot = SystemProcess.bootID(), boot == header.bootID,
      SystemProcess.namespace() == header.processNamespace
    else {
      // Where somebody has seen it end, nothing has to be asked.
      self = header.ending == nil ? .elsewhere : .gone
      return
    }
    self = SystemProcess.isThere(header.processID, since: header.processStart) ? .running : .gone
  }

  /// Whether the process that recorded runs, also where it has stopped recording: the same boot, namespace,
  /// number and start, so that it is no later process of that number.
  public static func isRecorderRunning(_ header: TraceHeader) -> Bool {
    guard let boot = SystemProcess.bootID(), boot == header.bootID,
      SystemProcess.namespace() == header.processNamespace
    else { return false }
    return SystemProcess.isThere(header.processID, since: header.processStart)
  }
}
