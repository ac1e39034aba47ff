import TraceFormat
import TracePlatform

/// Whether the process that recorded a trace is running, as far as that can be determined.
public enum ProcessStatus: String, Sendable, CaseIterable {
  /// The process is running and may be recording.
  case running
  /// The process ended without stopping the recording: it crashed or was killed.
  case died = "gone"
  /// Recording was stopped; the trace is final, whether or not the process is still running.
  case stopped
  /// The trace is from another boot, machine or process namespace: its process cannot be examined.
  case elsewhere

  /// Determines the status by comparing the header with this machine: the boot, the namespace, the
  /// process number, and the start time, which distinguishes the process from a later one with the
  /// same number.
  public init(of header: TraceHeader) {
    guard header.state != .stopped else {
      self = .stopped
      return
    }
    guard let boot = SystemProcess.bootID(), boot == header.bootID,
      SystemProcess.namespace() == header.processNamespace
    else {
      // If the header says how the process ended, it has ended, although it cannot be examined.
      self = header.ending == nil ? .elsewhere : .died
      return
    }
    self = SystemProcess.isThere(header.processID, since: header.processStart) ? .running : .died
  }

  /// Whether the process that recorded is running, even if it has stopped recording.
  ///
  /// It is identified by boot, namespace, number and start time, so that a later process with the
  /// same number is not mistaken for it.
  public static func isRecorderRunning(_ header: TraceHeader) -> Bool {
    guard let boot = SystemProcess.bootID(), boot == header.bootID,
      SystemProcess.namespace() == header.processNamespace
    else { return false }
    return SystemProcess.isThere(header.processID, since: header.processStart)
  }
}
