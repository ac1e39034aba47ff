import Glibc
import TracePlatform

/// How the process that recorded a trace ended, as stored by a signal handler in it, or by its
/// parent.
public struct TraceEnding: Sendable, Equatable {
  /// What ended it.
  public enum Cause: Sendable, Equatable {
    /// It exited by itself with this status.
    case exited(Int32)
    /// It was ended by this signal.
    case signal(Int32)
  }

  /// What ended it.
  public var cause: Cause
  /// The time at which the signal arrived, in ticks; nil if that is not known.
  public var ticks: UInt64?
  /// The row of the thread that caused the signal; 0 if that is not known.
  public var thread: UInt32
  /// The chain (asynchronous backtrace) of the work in which the signal arrived; 0 if none is
  /// known.
  public var chain: UInt32
  /// The number of the stack on which it arrived, whose addresses are ``TraceSnapshot/crashStack``;
  /// 0 if none is known.
  public var stack: UInt32

  /// Creates an ending.
  public init(
    _ cause: Cause,
    ticks: UInt64? = nil,
    thread: UInt32 = 0,
    chain: UInt32 = 0,
    stack: UInt32 = 0
  ) {
    self.cause = cause
    self.ticks = ticks
    self.thread = thread
    self.chain = chain
    self.stack = stack
  }

  /// Whether the program crashed, which means that it was ended by a signal that indicates a fault
  /// in it.
  ///
  /// `SIGTERM`, `SIGKILL`, `SIGINT`, `SIGHUP`, `SIGQUIT`, `SIGPIPE` and others do not indicate a
  /// fault.
  public var isCrash: Bool {
    guard case .signal(let number) = cause else { return false }
    return [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS].contains(number)
  }

  /// The name of the signal, such as `SIGSEGV`, or `signal 40` for one without a name; nil if no
  /// signal ended the process.
  public var signalName: String? {
    guard case .signal(let number) = cause else { return nil }
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
      SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
      SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
    ]
    return names[number] ?? "signal \(number)"
  }

  /// Stores in a recording how its process ended.
  ///
  /// This method is for a parent that has waited for the process (TraceFormat §11).
  ///
  /// Details that the process itself has stored about the same signal are kept. Nothing is stored
  /// if the recording belongs to another process, if the process exited after it had stopped
  /// recording, or if it exited with an error after a crash that is stored already.
  ///
  /// - Parameters:
  ///   - cause: The cause according to the wait status.
  ///   - process: The process that has ended.
  ///   - path: The recording.
  /// - Throws: ``/TraceFormat/TraceError`` if the trace cannot be read or written.
  public static func store(_ cause: Cause, of process: Int32, in path: String) throws(TraceError) {
    let header = try TraceReader(path: path).header()
    guard header.processID == process, header.ending?.cause != cause else { return }
    guard SystemProcess.namespace() == header.processNamespace else { return }
    let (kind, number): (EndingKind, Int32)
    switch cause {
    case .exited(let status):
      // The program's own signal handler may have turned a crash into an exit.
      guard header.state != .stopped, status == 0 || header.ending?.isCrash != true else { return }
      (kind, number) = (.exited, status)
    case .signal(let signal): (kind, number) = (.signalled, signal)
    }
    typealias Fields = Layout.FileHeader
    let start = Fields.endedBy.offset
    var bytes = [UInt8](repeating: 0, count: Fields.endThread.offset + 4 - start)
    withUnsafeBytes(of: kind.rawValue.littleEndian) { bytes.replaceSubrange(0..<4, with: $0) }
    withUnsafeBytes(of: UInt32(bitPattern: number).littleEndian) {
      bytes.replaceSubrange(
        Fields.endNumber.offset - start..<Fields.endNumber.offset - start + 4,
        with: $0
      )
    }
    let descriptor = OwnDescriptor.open(path, O_WRONLY)
    defer { if descriptor >= 0 { close(descriptor) } }
    // These zeros clear what a handler has stored about an earlier signal that the process
    // survived.
    let none = [UInt8](repeating: 0, count: 8)
    guard descriptor >= 0,
      pwrite(descriptor, none, none.count, off_t(Fields.endChain.offset)) == none.count,
      pwrite(descriptor, bytes, bytes.count, off_t(start)) == bytes.count
    else {
      throw TraceError(
        .system,
        "how its program ended cannot be stored (\(String(cString: strerror(errno)))); a file that may be written was expected",
        path: path
      )
    }
  }
}
