import CReactiveTraceShims
import Dispatch
import Synchronization

// Whoever is inside a gate delivers what others send. Two things must not come of that (decision 15):
//
// 1. A thread that delivers for others as long as they send. When it has done so for a while, one of those that send
//    takes its place: it *gives way*, which is to wait for a moment, and is woken inside the gate.
// 2. A queue that grows as long as more is sent than handled. Those who find it long give way for longer.
//
// Who gives way waits a bounded time, after its event was put into the queue. So nothing depends on its being woken: it may
// be inside other gates, and hold locks that the delivery needs. The thread that is inside never gives way.

/// A sender that has put its event into the queue and waits for a moment.
///
/// Unchecked for `isListed` and `isSuccessor`, which are read and written under the lock of the gate's queue.
@usableFromInline
final class CrowdedSender: @unchecked Sendable {
  let thread = UInt(rxt_thread_identity())
  /// In milliseconds.
  let pause: Int
  fileprivate var isListed = true
  fileprivate var isSuccessor = false
  private let semaphore = DispatchSemaphore(value: 0)

  fileprivate init(pause: Int) { self.pause = pause }

  func wake() { semaphore.signal() }
  fileprivate func wait() { semaphore.wait() }

  /// False if that took the whole pause.
  fileprivate func waitAMoment() -> Bool {
    semaphore.wait(timeout: .now() + .milliseconds(pause)) == .success
  }
}

/// The senders that give way at one gate.
@usableFromInline
struct Crowd: Sendable {
  /// So many events may wait before those who send give way; 0: they never do.
  var limit = Backlog.limited.limit
  /// Sent by other threads than the one that is inside, as long as it is.
  private var foreign = 0
  /// No more than there are threads.
  private var senders: [CrowdedSender] = []

  /// A thread delivers so many events of others before one of these takes its place.
  private static var most: Int { 64 }
  /// Nobody waits longer, in milliseconds.
  private static var longest: Int { 100 }

  @usableFromInline
  init() {}

  /// An event was sent from another thread, and waits; the sender, if it has to give way.
  fileprivate mutating func add(waitingCount: Int) -> CrowdedSender? {
    if limit == 0 { return nil }
    foreign += 1
    guard foreign > Self.most || waitingCount > limit else { return nil }
    // A millisecond for each time that the limit is exceeded.
    let one = CrowdedSender(pause: min(max(1, waitingCount / limit), Self.longest))
    senders.append(one)
    return one
  }

  /// Who takes the place of the thread that is inside, if it has done enough.
  mutating func takeSuccessor() -> CrowdedSender? {
    guard foreign > Self.most, let next = senders.first else { return nil }
    senders.removeFirst()
    next.isListed = false
    next.isSuccessor = true
    foreign = 0
    return next
  }

  /// Those who need not wait any longer.
  mutating func takeFreed(waitingCount: Int) -> [CrowdedSender] {
    senders.isEmpty || foreign > Self.most || waitingCount > limit / 2 ? [] : takeSenders()
  }

  /// All, where nothing waits any more.
  mutating func takeAll() -> [CrowdedSender] {
    foreign = 0
    return senders.isEmpty ? [] : takeSenders()
  }

  private mutating func takeSenders() -> [CrowdedSender] {
    defer { senders = [] }
    for one in senders { one.isListed = false }
    return senders
  }

  fileprivate mutating func remove(_ one: CrowdedSender) {
    senders.removeAll { $0 === one }
    one.isListed = false
  }
}

extension Gate.Waiting {
  @usableFromInline
  mutating func crowded() -> CrowdedSender? { crowd.add(waitingCount: events.count) }
}

extension Gate {
  /// Under the lock, where something waits: whether this thread is the one that is inside.
  @usableFromInline var isInside: Bool {
    borrowing get {
      isBiasedToMe || insider.load(ordering: .relaxed) == UInt(rxt_thread_identity())
    }
  }

  /// This thread is inside from now on.
  @usableFromInline
  borrowing func noteInside() {
    insider.store(UInt(rxt_thread_identity()), ordering: .relaxed)
  }

  /// Waits for a moment, and goes on with the delivery where it is this thread's turn.
  @usableFromInline
  borrowing func giveWay(_ sender: CrowdedSender) {
    if !sender.waitAMoment() {
      let isTooLate = waiting.withBusyLock { waiting in
        if !sender.isListed { return false }
        waiting.crowd.remove(sender)
        return true
      }
      if isTooLate { return }
      // Whoever has taken it from the list is about to wake it.
      sender.wait()
    }
    // Under the lock, under which it was set: this thread goes on with what the other one has done.
    if waiting.withBusyLock({ _ in sender.isSuccessor }) { drain() }
  }

  /// Sets when those who send give way; before the gate is entered.
  @usableFromInline
  borrowing func limit(_ backlog: Backlog) {
    let limit = backlog.limit
    if limit != Backlog.limited.limit { waiting.withLock { $0.crowd.limit = limit } }
  }
}
