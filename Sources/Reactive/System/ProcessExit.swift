import CReactiveTraceShims
import Glibc
import TraceFormat

/// How a process has ended.
public struct ProcessExit: Hashable, Sendable {
  /// The reason for the end, as far as the system reports it.
  public enum Reason: Hashable, Sendable {
    /// The process exited with a status.
    case status(Int32)
    /// A signal ended the process.
    case signal(Int32)
    /// The process is not a child of this process, or was waited for before its status could be
    /// read.
    case unknown
  }

  /// The process.
  public let process: Int32
  /// How it has ended.
  public let reason: Reason

  /// Creates an exit, for tests.
  public init(process: Int32, reason: Reason) {
    self.process = process
    self.reason = reason
  }
}

extension Signal where Value == ProcessExit, Failure == SystemFailure {
  /// A cold signal that sends when a process has ended, whether or not it is a child of this
  /// process, then completes.
  ///
  /// Dispatch has no such sources on Linux, so this signal uses `pidfd_open`, of Linux 5.3 and
  /// later. A child is not waited for: it stays a zombie until the program waits for it
  /// (`waitpid`); if it was waited for before its status was read, the reason is
  /// ``ProcessExit/Reason/unknown``.
  ///
  /// - Parameters:
  ///   - process: The number of a process that exists when the signal is subscribed to, at least as
  ///     a zombie.
  /// - Returns: A signal of one value. It sends on a thread of the global queue.
  public static func processExit(
    _ process: Int32,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("processExit", file, line, column)
    let subject = "process \(process)"
    return .source(site, argument: "\(process)", on: SystemCallbacks.descriptors) { inlet in
      let number = rxt_open_process(process)
      guard number >= 0 else {
        return inlet.fail(SystemFailure("waiting for the end", of: subject, code: errno))
      }
      let wait = DescriptorWait(OwnedDescriptor(number), for: POLLIN)
      inlet.onDispose { [weak wait] in wait?.cancel() }
      wait {
        let end = ProcessExit(process: process, reason: .init(of: number))
        inlet.enter { observer in
          observer.send(end)
          if !observer.isDisposed { observer.complete() }
        }
        withExtendedLifetime(wait) {}
      }
    }
  }
}

extension ProcessExit.Reason {
  /// Reads the reason from the descriptor of a process that has ended.
  fileprivate init(of descriptor: Int32) {
    var info = siginfo_t()
    let number = id_t(bitPattern: descriptor)
    guard waitid(P_PIDFD, number, &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo != 0
    else {
      self = .unknown
      return
    }
    let status = info._sifields._sigchld.si_status
    self = info.si_code == Int32(CLD_EXITED) ? .status(status) : .signal(status)
  }
}
