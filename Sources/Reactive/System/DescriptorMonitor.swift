import Dispatch
import Glibc
import ReactiveTrace

/// One thread that waits for descriptors on behalf of all subscriptions.
///
/// `poll` takes whatever a descriptor can be; the read sources of Dispatch on Linux never tell of files that
/// `epoll` refuses, as `/dev/null`.
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
  /// Readable when the watches have changed: a pipe, whose other end is ``bell``.
  private let news: OwnedDescriptor
  private let bell: OwnedDescriptor

  private init() {
    // Without one, changes are looked for from time to time.
    (news, bell) = OwnedDescriptor.pipe() ?? (OwnedDescriptor(-1), OwnedDescriptor(-1))
    for end in [news, bell] where end.number >= 0 { _ = fcntl(end.number, F_SETFL, O_NONBLOCK) }
  }

  /// Calls `ready` once, on a thread of the global queue, when the descriptor is ready, has an error, or is at
  /// its end.
  ///
  /// - Returns: For ``cancel(_:)``.
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

  /// Lets go of what waits; its closure may be running.
  func cancel(_ token: UInt64) {
    let former = state.withLock { $0.watches.removeValue(forKey: token) }
    if former != nil { notify() }
  }

  private func notify() {
    var one: UInt8 = 1
    // Where the pipe is full, there is news enough.
    _ = write(bell.number, &one, 1)
  }

  private func start() {
    var thread = pthread_t()
    let status = Tracer.apart {
      pthread_create(&thread, nil, { _ in DescriptorMonitor.shared.run() }, nil)
    }
    // Without a thread of its own it takes one of Dispatch, as soon as there is one.
    guard status == 0 else { return DispatchQueue.global().async { _ = self.run() } }
    pthread_detach(thread)
  }

  private func run() -> UnsafeMutableRawPointer? {
    var rung = [UInt8](repeating: 0, count: 256)
    while true {
      // What is waited for is held while it is: no number is reused under its feet.
      let watches = state.withLock { Array($0.watches) }
      var entries = [pollfd(fd: news.number, events: Int16(POLLIN), revents: 0)]
      entries += watches.map {
        pollfd(fd: $0.value.descriptor.number, events: $0.value.events, revents: 0)
      }
      if poll(&entries, nfds_t(entries.count), news.number < 0 ? 100 : -1) < 0 { continue }
      if entries[0].revents != 0 {
        _ = read(news.number, &rung, rung.count)
      }
      for (entry, watch) in zip(entries.dropFirst(), watches) where entry.revents != 0 {
        let one = state.withLock { $0.watches.removeValue(forKey: watch.key) }
        if let one { DispatchQueue.global().async(execute: one.ready) }
      }
    }
  }
}

/// A source that waits for a descriptor, does something when it is ready, and waits again once that has been
/// handled: so that nothing piles up.
package final class DescriptorWait: Sendable {
  package let descriptor: OwnedDescriptor
  private let events: Int16
  private let token = Locked<UInt64>(0)
  private let isOver = BooleanDisposable()

  /// - Parameters:
  ///   - descriptor: What it waits for.
  ///   - events: As `poll` has them.
  package init(_ descriptor: OwnedDescriptor, for events: Int32) {
    self.descriptor = descriptor
    self.events = Int16(events)
  }

  /// Does nothing any more, and lets go of the closure.
  package func cancel() {
    isOver.dispose()
    DescriptorMonitor.shared.cancel(token.withLock { $0 })
  }

  /// Runs `ready` on a thread of the global queue, once, when the descriptor is.
  package func callAsFunction(_ ready: @escaping @Sendable () -> Void) {
    if isOver.isDisposed { return }
    if descriptor.isReady(for: events) { return DispatchQueue.global().async(execute: ready) }
    let new = DescriptorMonitor.shared.wait(for: events, on: descriptor, ready)
    token.withLock { $0 = new }
    // Cancelled meanwhile, with the token before.
    if isOver.isDisposed { DescriptorMonitor.shared.cancel(new) }
  }
}

/// The threads on which sources of the system send, as traces show them.
package enum SystemCallbacks {
  package static let descriptors = SchedulerIdentity(name: "descriptors", kind: .concurrentQueue)
}
