import CReactiveTraceShims
import Dispatch
import Synchronization

// A gate lets one thread at a time deliver events; the thread inside also delivers what other
// threads send. Two problems have to be prevented (Documentation/Decisions/0015):
//
// 1. A thread could deliver for others for as long as they send. Therefore, after many events, the
// senders *give way*: each waits for a moment after it has queued its event. The thread inside
// hands the delivery over to one of them, and wakes it.
// 2. The queue could grow for as long as more is sent than handled. Therefore, the longer the queue
// is, the longer its senders give way.
//
// A sender that gives way has already queued its event, and waits for a bounded time. So it cannot
// cause a deadlock, although it may be inside other gates, and hold locks that the delivery needs.
// The thread inside never gives way.

/// A sender that has put its event into the queue and now waits for a moment.
///
/// Unchecked because of `isListed` and `isSuccessor`, which are read and written under the lock of
/// the gate's queue.
@usableFromInline
final class PausedSender: @unchecked Sendable {
  let thread = UInt(rxt_thread_identity())
  /// The longest wait, in milliseconds.
  let pause: Int
  fileprivate var isListed = true
  fileprivate var isSuccessor = false
  private let semaphore = DispatchSemaphore(value: 0)

  fileprivate init(pause: Int) { self.pause = pause }

  func wake() { semaphore.signal() }
  fileprivate func wait() { semaphore.wait() }

  /// Waits for the pause, or until ``wake()`` is called; returns false if the whole pause has
  /// passed.
  fileprivate func waitBriefly() -> Bool {
    semaphore.wait(timeout: .now() + .milliseconds(pause)) == .success
  }
}

/// The senders that give way at one gate.
@usableFromInline
struct Backpressure: Sendable {
  /// How many events may wait before senders give way; if it is 0, senders never give way.
  var limit = Backlog.limited.limit
  /// How many events other threads have sent since the thread inside entered or took over.
  private var eventsFromOthers = 0
  /// Contains each waiting thread once.
  private var senders: [PausedSender] = []

  /// How many events of others a thread delivers before one of the senders takes over.
  private static var most: Int { 64 }
  /// The longest wait, in milliseconds.
  private static var longest: Int { 100 }

  @usableFromInline
  init() {}

  /// Counts a queued event from another thread; returns its sender if the sender has to give way.
  fileprivate mutating func add(waitingCount: Int) -> PausedSender? {
    if limit == 0 { return nil }
    eventsFromOthers += 1
    guard eventsFromOthers > Self.most || waitingCount > limit else { return nil }
    // The pause is one millisecond per multiple of the limit.
    let one = PausedSender(pause: min(max(1, waitingCount / limit), Self.longest))
    senders.append(one)
    return one
  }

  /// Removes and returns the sender that takes over from the thread inside, if that thread has
  /// delivered enough events of others.
  mutating func takeSuccessor() -> PausedSender? {
    guard eventsFromOthers > Self.most, let next = senders.first else { return nil }
    senders.removeFirst()
    next.isListed = false
    next.isSuccessor = true
    eventsFromOthers = 0
    return next
  }

  /// Removes and returns all senders if the queue has become short enough for them to continue.
  mutating func takeResumable(waitingCount: Int) -> [PausedSender] {
    senders.isEmpty || eventsFromOthers > Self.most || waitingCount > limit / 2 ? [] : takeSenders()
  }

  /// Removes and returns all senders, when no event is waiting any more.
  mutating func takeAll() -> [PausedSender] {
    eventsFromOthers = 0
    return senders.isEmpty ? [] : takeSenders()
  }

  private mutating func takeSenders() -> [PausedSender] {
    defer { senders = [] }
    for one in senders { one.isListed = false }
    return senders
  }

  fileprivate mutating func remove(_ one: PausedSender) {
    senders.removeAll { $0 === one }
    one.isListed = false
  }
}

extension Gate.Waiting {
  @usableFromInline
  mutating func addSender() -> PausedSender? { backpressure.add(waitingCount: events.count) }
}

extension Gate {
  /// Whether this thread is inside; to be read under the lock, while something waits.
  @usableFromInline var isInside: Bool {
    borrowing get {
      isBiasedToMe || insider.load(ordering: .relaxed) == UInt(rxt_thread_identity())
    }
  }

  /// Marks this thread as the one inside.
  @usableFromInline
  borrowing func noteInside() {
    insider.store(UInt(rxt_thread_identity()), ordering: .relaxed)
  }

  /// Waits for a moment, and continues the delivery if it was handed over to this thread.
  @usableFromInline
  borrowing func pause(_ sender: PausedSender) {
    if !sender.waitBriefly() {
      let hasTimedOut = waiting.withBusyLock { waiting in
        if !sender.isListed { return false }
        waiting.backpressure.remove(sender)
        return true
      }
      if hasTimedOut { return }
      // The thread that has taken the sender from the list is about to wake it.
      sender.wait()
    }
    // The flag was set under this lock, so everything that the previous thread did inside is
    // visible here.
    if waiting.withBusyLock({ _ in sender.isSuccessor }) { drain() }
  }

  /// Sets when senders give way; to be called before the gate is entered.
  @usableFromInline
  borrowing func limit(_ backlog: Backlog) {
    let limit = backlog.limit
    if limit != Backlog.limited.limit { waiting.withLock { $0.backpressure.limit = limit } }
  }
}
