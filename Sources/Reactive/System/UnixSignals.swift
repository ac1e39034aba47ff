import CReactiveTraceShims
import Glibc
import TraceFormat

extension Signal where Value == Int32, Failure == SystemFailure {
  /// The Unix signals that the process receives, by their numbers: `SIGHUP`, `SIGTERM`, `SIGINT`.
  ///
  /// ```swift
  /// Signal.unixSignals(SIGHUP).subscribe { _ in configuration.reload() }
  /// ```
  ///
  /// While there is a subscription, the Unix signal has no other effect; afterwards it has its
  /// previous effect again. The Unix signal is caught from the moment of the subscription. Several
  /// Unix signals that come at once may be reported as fewer, as always in Unix. Unix signals that
  /// report a fault of the thread itself (`SIGSEGV`) cannot be handled in this way. A program must
  /// not set a handler for the same Unix signal meanwhile, by `sigaction` or by Dispatch. (Signal
  /// sources of Dispatch are not used, because they begin to catch a Unix signal some time after
  /// they are made, and still do so after they are released.)
  ///
  /// - Parameters:
  ///   - numbers: The numbers of one or several signals.
  /// - Returns: A signal that never ends by itself, and fails for a number that cannot be caught
  ///   (`SIGKILL`). It sends on threads of the global queue.
  public static func unixSignals(
    _ numbers: Int32...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("unixSignals", file, line, column, [.hot, .endless])
    let names = numbers.map { "\($0)" }.joined(separator: ", ")
    return .source(site, argument: names, on: UnixSignals.callbacks) { inlet in
      for number in numbers where !inlet.isDisposed {
        do throws(SystemFailure) {
          let key = try UnixSignals.shared.listen(to: number) { inlet.send(number) }
          inlet.onDispose { UnixSignals.shared.stop(listening: number, key) }
        } catch {
          inlet.fail(error)
        }
      }
    }
  }
}

/// The subscribers of each Unix signal, and the previous effects of the Unix signals.
private final class UnixSignals: Sendable {
  static let callbacks = SchedulerIdentity(name: "unix signals", kind: .serialQueue)
  static let shared = UnixSignals()

  /// Unchecked because of the pointers in `former`, which point to functions of the program.
  private struct Caught: @unchecked Sendable {
    var former = sigaction()
    var listeners: [Int: @Sendable () -> Void] = [:]
  }

  private struct State: Sendable {
    var caught: [Int32: Caught] = [:]
    var lastKey = 0
    /// The end of the pipe that the signal handler writes into.
    var pipe: OwnedDescriptor?
  }

  private let state = Locked(State())

  func listen(
    to number: Int32,
    _ listener: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> Int {
    try startReading()
    let (key, code) = state.withLock { state -> (Int, Int32) in
      state.lastKey += 1
      if state.caught[number] == nil {
        var caught = Caught()
        let pipe = state.pipe?.number ?? -1
        if rxt_signals_forward(number, pipe, &caught.former) != 0 { return (0, errno) }
        state.caught[number] = caught
      }
      state.caught[number]?.listeners[state.lastKey] = listener
      return (state.lastKey, 0)
    }
    if code == 0 { return key }
    throw SystemFailure("catching", of: "signal \(number)", code: code)
  }

  func stop(listening number: Int32, _ key: Int) {
    let former = state.withLock { state in
      let former = state.caught[number]?.listeners.removeValue(forKey: key)
      if var last = state.caught[number], last.listeners.isEmpty {
        sigaction(number, &last.former, nil)
        state.caught[number] = nil
      }
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// Creates the pipe for the first subscriber, and reads from it for ever.
  private func startReading() throws(SystemFailure) {
    if state.withLock({ $0.pipe != nil }) { return }
    guard let (reader, writer) = OwnedDescriptor.pipe() else {
      throw SystemFailure("catching", of: "signals", code: errno)
    }
    for end in [reader, writer] { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
    let isFirst = state.withLock { state in
      if state.pipe != nil { return false }
      state.pipe = writer
      return true
    }
    if isFirst { read(DescriptorWait(reader, for: POLLIN)) }
  }

  private func read(_ wait: DescriptorWait) {
    wait {
      var numbers = [UInt8](repeating: 0, count: 64)
      let count = Glibc.read(wait.descriptor.number, &numbers, numbers.count)
      for number in numbers.prefix(max(0, count)) { self.notify(Int32(number)) }
      self.read(wait)
    }
  }

  private func notify(_ number: Int32) {
    let listeners = state.withLock { state in
      (state.caught[number]?.listeners ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
    for listener in listeners { listener() }
  }
}
