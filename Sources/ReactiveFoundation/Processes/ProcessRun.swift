import CReactiveTraceShims
import Foundation
import Glibc
import Reactive
import ReactiveTrace

/// One run of a program: it forwards the output, waits for the end of the process, and ends the
/// process on disposal.
///
/// The descriptor monitor, which waits for the descriptors of all signals, retains this object
/// until the process has been waited for, even after the subscription has been disposed of.
final class ProcessRun: Sendable {
  private struct State: Sendable {
    /// The process; nil once it has been waited for, since another process may then get its number.
    var process: (number: pid_t, handle: OwnedDescriptor)?
    var openOutputs = 2
    var end: ProcessFailure.Reason?
    var errorOutput = Data()
    var execution: (any Disposable)?
  }

  private static let longestErrorOutput = 65_536

  private let launch: ProcessLaunch
  private let inlet: Inlet<ProcessOutput, ProcessFailure>
  private let grace: Duration
  private let state = Locked(State())

  init(_ launch: ProcessLaunch, _ inlet: Inlet<ProcessOutput, ProcessFailure>, _ grace: Duration) {
    self.launch = launch
    self.inlet = inlet
    self.grace = grace
  }

  func start() {
    if inlet.isDisposed { return }
    do throws(SystemFailure) {
      let started = try SpawnedProcess(launch)
      if let handle = started.handle { state.withLock { $0.process = (started.process, handle) } }
      // Weak, because the wait for the end of the process already retains this object.
      inlet.onDispose { [weak self] in self?.terminate() }
      read(DescriptorWait(started.output, for: POLLIN)) { .output($0) }
      read(DescriptorWait(started.errorOutput, for: POLLIN)) { [self] data in
        state.withLock { state in
          state.errorOutput += data
          // A slice would keep all that was ever read.
          if state.errorOutput.count > Self.longestErrorOutput {
            state.errorOutput = Data(state.errorOutput.suffix(Self.longestErrorOutput))
          }
        }
        return .error(data)
      }
      feed(started.input)
      if let handle = started.handle {
        awaitEnd(DescriptorWait(handle, for: POLLIN))
      } else {
        ended(nil)
      }
    } catch {
      inlet.fail(ProcessFailure(launch: launch, reason: .notStarted(error), errorOutput: Data()))
    }
  }

  private func read(_ wait: DescriptorWait, _ piece: @escaping @Sendable (Data) -> ProcessOutput) {
    inlet.onDispose { [weak wait] in wait?.cancel() }
    readNext(wait, piece)
  }

  private func readNext(
    _ wait: DescriptorWait,
    _ piece: @escaping @Sendable (Data) -> ProcessOutput
  ) {
    wait { [self] in
      do throws(SystemFailure) {
        let bytes = try wait.descriptor.read(atMost: 65_536) { [launch] code in
          SystemFailure("reading", of: launch.program, code: code)
        }
        // There is nothing to read at the moment.
        guard let bytes else { return readNext(wait, piece) }
        if bytes.isEmpty { return outputEnded() }
        inlet.send(piece(Data(bytes))) { self.readNext(wait, piece) }
      } catch {
        outputEnded()
      }
    }
  }

  /// Writes the input; it is no failure if the process does not read all of it.
  private func feed(_ end: OwnedDescriptor?) {
    guard let end, case .data(let input) = launch.input, !input.isEmpty else { return }
    let wait = DescriptorWait(end, for: POLLOUT)
    inlet.onDispose { [weak wait] in wait?.cancel() }
    write([UInt8](input), from: 0, wait)
  }

  private func write(_ bytes: [UInt8], from start: Int, _ wait: DescriptorWait) {
    if start == bytes.count { return }
    wait { [self] in
      let written = bytes.withUnsafeBytes { all in
        try? wait.descriptor.write(
          UnsafeRawBufferPointer(rebasing: all[start..<min(start + 4096, all.count)])
        ) { SystemFailure("writing", of: launch.program, code: $0) }
      }
      if let written { write(bytes, from: start + written, wait) }
    }
  }

  // MARK: The end

  private func awaitEnd(_ wait: DescriptorWait) {
    wait { [self] in
      let status = state.withLock { state in
        defer { state.process = nil }
        return state.process.flatMap { Self.status(of: $0.handle) }
      }
      withExtendedLifetime(wait) { ended(status) }
    }
  }

  /// Waits for a process that has ended, and returns how it ended, as `waitid` reports it; nil if
  /// another part of the program has waited for it already.
  ///
  /// The process is identified by its handle, because its number may belong to another process by
  /// now.
  private static func status(of handle: OwnedDescriptor) -> (code: Int32, status: Int32)? {
    var info = siginfo_t()
    // P_PIDFD
    guard waitid(idtype_t(3), id_t(handle.number), &info, WEXITED) == 0 else { return nil }
    return (info.si_code, info._sifields._sigchld.si_status)
  }

  private func ended(_ status: (code: Int32, status: Int32)?) {
    let execution = state.withLock { state in
      state.end = Self.reason(status)
      return state.execution
    }
    execution?.dispose()
    finishIfDone()
  }

  private static func reason(_ end: (code: Int32, status: Int32)?) -> ProcessFailure.Reason {
    guard let end else { return .lost }
    return end.code == CLD_EXITED ? .status(end.status) : .signal(end.status)
  }

  private func outputEnded() {
    state.withLock { $0.openOutputs -= 1 }
    finishIfDone()
  }

  private func finishIfDone() {
    let (end, errorOutput) = state.withLock { state in
      (state.openOutputs == 0 ? state.end : nil, state.errorOutput)
    }
    guard let end else { return }
    if end == .status(0) { return inlet.complete() }
    inlet.fail(ProcessFailure(launch: launch, reason: end, errorOutput: errorOutput))
  }

  /// Ends the process after disposal: sends `SIGTERM`, and `SIGKILL` after the grace period.
  private func terminate() {
    guard send(SIGTERM) else { return }
    let execution = QueueScheduler.background.schedule(after: grace) { [self] in _ = send(SIGKILL) }
    let isOver = state.withLock { state in
      state.execution = execution
      return state.process == nil
    }
    if isOver { execution.dispose() }
  }

  /// Sends a Unix signal to the process, unless it has ended; returns whether it was sent.
  ///
  /// A process that has ended gets no signal: if another part of the program has waited for it, its
  /// number may by now belong to another process.
  private func send(_ signal: Int32) -> Bool {
    state.withLock { state in
      guard let (number, handle) = state.process else { return false }
      var end = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
      return poll(&end, 1, 0) == 0 && kill(number, signal) == 0
    }
  }
}
