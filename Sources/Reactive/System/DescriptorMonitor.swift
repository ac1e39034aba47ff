import Dispatch
import Glibc
import TraceFormat

/// One thread that waits for file descriptors on behalf of all subscriptions.
///
/// `poll` accepts any kind of descriptor; the read sources of Dispatch on Linux never report files
/// that `epoll` refuses, such as `/dev/null`.
final class DescriptorMonitor: Sendable {
  static let shared = DescriptorMonitor()

  private struct Watch: Sendable {
    let descriptor: OwnedDescriptor
    let events: Int16
    let ready: @Sendable () -> Void
  }

  private struct State: Sendable {
    var watches: [UInt64: Watch] = [:]
    var lastToken: UInt64 = 0
    var isRunning = false
  }

  private let state = Locked(State())
  /// The end of a pipe that becomes readable when the watches have changed; the other end is
  /// ``wakeUpWriter``.
  private let wakeUpReader: OwnedDescriptor
  private let wakeUpWriter: OwnedDescriptor

  private init() {
    // Without a pipe, changes are checked for periodically.
    (wakeUpReader, wakeUpWriter) =
      OwnedDescriptor.pipe() ?? (OwnedDescriptor(-1), OwnedDescriptor(-1))
    for end in [wakeUpReader, wakeUpWriter] where end.number >= 0 {
      _ = fcntl(end.number, F_SETFL, O_NONBLOCK)
    }
  }

  /// Calls `ready` once, on a thread of the global queue, when the descriptor is ready, has an
  /// error, or is at its end.
  ///
  /// - Returns: A token for ``cancel(_:)``.
  func wait(
    for events: Int16,
    on descriptor: OwnedDescriptor,
    _ ready: @escaping @Sendable () -> Void
  ) -> UInt64 {
    let (token, mustStart) = state.withLock { state in
      state.lastToken += 1
      state.watches[state.lastToken] = Watch(descriptor: descriptor, events: events, ready: ready)
      defer { state.isRunning = true }
      return (state.lastToken, !state.isRunning)
    }
    if mustStart { start() } else { notify() }
    return token
  }

  /// Cancels a wait and releases its closure, which may be running.
  func cancel(_ token: UInt64) {
    let former = state.withLock { $0.watches.removeValue(forKey: token) }
    if former != nil { notify() }
  }

  private func notify() {
    var one: UInt8 = 1
    // If the pipe is full, the thread will wake up anyway.
    _ = write(wakeUpWriter.number, &one, 1)
  }

  private func start() {
    var thread = pthread_t()
    let status = libraryWork {
      pthread_create(&thread, nil, { _ in DescriptorMonitor.shared.run() }, nil)
    }
    // If no thread can be created, the monitor runs on a thread of Dispatch, as soon as one is
    // available.
    guard status == 0 else { return DispatchQueue.global().async { _ = self.run() } }
    pthread_detach(thread)
  }

  private func run() -> UnsafeMutableRawPointer? {
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      // The descriptors are held during the wait, so that their numbers are not reused meanwhile.
      let watches = state.withLock { Array($0.watches) }
      var entries = [pollfd(fd: wakeUpReader.number, events: Int16(POLLIN), revents: 0)]
      entries += watches.map {
        pollfd(fd: $0.value.descriptor.number, events: $0.value.events, revents: 0)
      }
      if poll(&entries, nfds_t(entries.count), wakeUpReader.number < 0 ? 100 : -1) < 0 {
        // If the system lacks memory, or allows fewer descriptors than are watched, it will not
        // succeed sooner for being asked without a pause.
        if errno != EINTR { _ = poll(nil, 0, 100) }
        continue
      }
      if entries[0].revents != 0 {
        _ = read(wakeUpReader.number, &buffer, buffer.count)
      }
      for (entry, watch) in zip(entries.dropFirst(), watches) where entry.revents != 0 {
        let one = state.withLock { $0.watches.removeValue(forKey: watch.key) }
        if let one { DispatchQueue.global().async(execute: one.ready) }
      }
    }
  }
}

/// Waits for a descriptor on behalf of one source.
///
/// The source waits again only when it has handled what was ready, so that nothing accumulates.
package final class DescriptorWait: Sendable {
  package let descriptor: OwnedDescriptor
  private let events: Int16
  private let token = Locked<UInt64>(0)
  private let isOver = BooleanDisposable()

  /// - Parameters:
  ///   - descriptor: The descriptor to wait for.
  ///   - events: Flags as for `poll`.
  package init(_ descriptor: OwnedDescriptor, for events: Int32) {
    self.descriptor = descriptor
    self.events = Int16(events)
  }

  /// Stops waiting, and releases the closure.
  package func cancel() {
    isOver.dispose()
    DescriptorMonitor.shared.cancel(token.withLock { $0 })
  }

  /// Runs `ready` on a thread of the global queue, once, when the descriptor is ready.
  package func callAsFunction(_ ready: @escaping @Sendable () -> Void) {
    if isOver.isDisposed { return }
    if descriptor.isReady(for: events) { return DispatchQueue.global().async(execute: ready) }
    let new = DescriptorMonitor.shared.wait(for: events, on: descriptor, ready)
    // Tokens increase. If the descriptor was ready at once, `ready` may already wait again, so that
    // a newer token is stored.
    token.withLock { $0 = max($0, new) }
    // If `cancel` was called meanwhile, it used the previous token.
    if isOver.isDisposed { DescriptorMonitor.shared.cancel(new) }
  }
}

/// The scheduler that represents, in traces, the threads on which sources of the system send.
package enum SystemCallbacks {
  package static let descriptors = SchedulerIdentity(name: "descriptors", kind: .concurrentQueue)
}
