public import CReactiveTraceShims
public import Synchronization

/// Serializes the events that several threads may send to one stage (event contract, rule 3).
///
/// The thread that enters delivers. If the gate is taken, by another thread or further up the stack
/// of this one, the event waits in the queue and is delivered by the thread inside. No thread waits
/// for another; but a sender that finds too many events waiting gives way for a moment
/// (`Gate+Backpressure.swift`).
///
///     gate.run(stage, value) { $0.deliver($1) }
///
/// That is short for `if gate.enter() { … gate.leave() } else { gate.enqueue { … } }`, without a
/// closure object for an event that need not wait (`Gate+Run.swift`).
///
/// Besides events, subscriptions to inner signals can wait, as *openings* (``openLater(_:)``). An
/// opening runs when no events are waiting any more, after the thread has left the gate. If it ran
/// inside the gate, everything that the inner signal sends while it is being subscribed to (a call
/// that may never return) would be queued instead of delivered (event contract, rule 10). An
/// opening that is added while another one is running does not wait for the running one to return,
/// which may never happen. It runs nested: inside the call by which the running opening sends its
/// next event through the gate. At a nesting depth of ``deepest``, it waits until one of the
/// running openings returns.
///
/// Most gates are entered by one thread only. The first thread that enters gets the gate *biased*
/// to itself: it enters and leaves with plain loads and stores, until another thread comes. From
/// then on the gate is *shared*, for ever, and entered by compare-and-swap. `Gate+Bias.swift` has
/// the proof.
@usableFromInline
struct Gate: ~Copyable, Sendable {
  /// Pending work.
  ///
  /// Events run before openings, and each kind runs in the order of arrival.
  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline var events = Fifo<Work>()
    @usableFromInline var openings = Fifo<Work>()
    /// The stage of the gate, if it has ended and has to be cleared.
    @usableFromInline var ended: GatedStage?
    /// The number of openings that are running now, nested in each other or on several threads.
    @usableFromInline var running: Int32 = 0
    /// Whether the thread that ended the bias found the owner inside, and marked the gate as taken
    /// on the owner's behalf.
    @usableFromInline var isHandedOver = false
    /// Whether the gate is held until the values of an ``Arrival`` have arrived.
    ///
    /// The arrival waits until its tokens are released. Events that wait in a held gate take none;
    /// otherwise the arrival would wait for events that wait for it.
    @usableFromInline var isHeld = false
    /// The senders that are giving way (``Gate/pause(_:)``), and the length of the queue above
    /// which senders have to give way.
    @usableFromInline var backpressure = Backpressure()
    @inlinable
    init() {}
  }

  @usableFromInline
  enum Batch: Sendable {
    case events([Work])
    case opening(Work)
    case end(of: GatedStage)
    /// Another thread continues the delivery.
    case handedOn
    case nothing
  }

  /// How deeply openings may be nested.
  private static var deepest: Int32 { 32 }
  /// How many events are taken out of the queue at once.
  private static var batch: Int { 32 }

  /// Identity of the thread to which the gate is biased; 0: none yet; 1: shared; 2: about to be
  /// shared.
  @usableFromInline let owner: Atomic<UInt>
  /// 0: idle; 1: taken; 2: taken, and something waits.
  ///
  /// While the gate is biased, this value belongs to the owner; other threads only read it: to end
  /// the bias, and in ``isOpen``.
  @usableFromInline let inside = Atomic<UInt8>(0)
  /// The state of a shared gate, with the same values as `inside`.
  @usableFromInline let state = Atomic<UInt8>(0)
  /// The thread that was last known to be inside, for a shared gate.
  ///
  /// A thread may use this value only to find out whether it is itself inside, and only while
  /// something waits in the gate.
  @usableFromInline let insider = Atomic<UInt>(0)
  @usableFromInline let waiting = Locked(Waiting())

  @inlinable @inline(__always) static var shared: UInt { 1 }

  @inlinable
  init() { owner = Atomic(UInt(rxt_gate_birth())) }

  @inlinable @inline(__always)
  borrowing func enter() -> Bool {
    let me = UInt(rxt_thread_identity())
    guard owner.load(ordering: .relaxed) == me else { return enterSlow(me) }
    if inside.load(ordering: .relaxed) != 0 { return false }
    inside.store(1, ordering: .relaxed)
    rxt_gate_light_barrier()  // keeps the store before the load: see `Gate+Bias.swift`
    if owner.load(ordering: .relaxed) == me { return true }
    return enterAfterLoss()
  }

  @inlinable @inline(__always)
  borrowing func leave() {
    let me = UInt(rxt_thread_identity())
    guard owner.load(ordering: .relaxed) == me else { return leaveShared() }
    if inside.load(ordering: .relaxed) != 1 { return drain() }
    inside.store(0, ordering: .releasing)
    rxt_gate_light_barrier()  // keeps the store before the load: see `Gate+Bias.swift`
    if owner.load(ordering: .relaxed) != me { leaveAfterLoss() }
  }

  @inlinable @inline(__always)
  borrowing func leaveShared() {
    if !state.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { drain() }
  }

  /// The slow path of a delivery: queues `event` for the thread inside, or runs it here if that
  /// thread has just left.
  ///
  /// - Parameters:
  ///   - event: Delivers the event.
  ///   - count: Records each new length of the queue, in order.
  ///   - isSent: Whether the event has a sender, which gives way if too many events are waiting.
  @usableFromInline @inline(never)
  borrowing func enqueue(
    _ event: @escaping @Sendable () -> Void,
    countedAs count: HeldCount = HeldCount(of: nil),
    isSent: Bool = false
  ) {
    enqueueOrRun(Self.withOrigin(event), countedAs: count, isSent: isSent)
  }

  /// Queues or runs an event that only releases something and sends nothing: no backtrace of its
  /// sender is captured, because none is needed.
  borrowing func enqueueClear(_ clear: @escaping @Sendable () -> Void) {
    enqueueOrRun(clear, countedAs: HeldCount(of: nil), isSent: false)
  }

  /// Clears `stage`, the stage of this gate, which has ended: when the delivery under way has
  /// returned, or at once if it has just returned.
  ///
  /// The stage is cleared before the events that are still in the queue are delivered, so that it
  /// drops them.
  ///
  /// May only be called if ``enter()`` has returned false.
  @usableFromInline @inline(never)
  borrowing func clearLater(_ stage: GatedStage) {
    let isWaiting = waiting.withBusyLock { waiting in
      guard mustWait(&waiting) else { return false }
      waiting.ended = stage
      return true
    }
    if !isWaiting {
      stage.clear()
      leave()
    }
  }

  private borrowing func enqueueOrRun(
    _ event: @escaping @Sendable () -> Void,
    countedAs count: HeldCount,
    isSent: Bool
  ) {
    let (isWaiting, sender) = waiting.withBusyLock { waiting -> (Bool, PausedSender?) in
      guard mustWait(&waiting) else { return (false, nil) }
      waiting.events.push(Work(waiting.isHeld ? event : Arrival.holdingToken(event)))
      count.changed(to: waiting.events.count)
      return (true, isSent && !waiting.isHeld && !isInside ? waiting.addSender() : nil)
    }
    if !isWaiting {
      event()
      leave()
    } else if let sender {
      pause(sender)
    }
  }

  /// Records how many events wait behind those that are being delivered.
  borrowing func recordWaiting(as count: HeldCount) {
    waiting.withBusyLock { count.changed(to: $0.events.count) }
  }

  /// Whether no thread is inside at this moment.
  @inlinable var isOpen: Bool {
    @inline(__always) borrowing get {
      owner.load(ordering: .relaxed) == Self.shared
        ? state.load(ordering: .relaxed) == 0 : inside.load(ordering: .relaxed) == 0
    }
  }

  /// Subscribes to an inner signal as soon as the gate is open.
  ///
  /// Callers that find ``isOpen`` true subscribe directly instead of calling this.
  @usableFromInline @inline(never)
  borrowing func openLater(_ subscribe: @escaping @Sendable () -> Void) {
    let subscribe = Self.withOrigin(subscribe)
    let isQueued = waiting.withBusyLock { waiting in
      guard mustWait(&waiting) else { return false }
      waiting.openings.push(Work(subscribe))
      return true
    }
    if !isQueued {
      leave()
      subscribe()
    }
  }

  /// Returns true if the gate is taken and the thread inside will check the queue before leaving;
  /// false if this call has just taken it.
  ///
  /// The caller holds the lock.
  ///
  /// Setting the state to 2 under the lock prevents `drain` from leaving before the caller has put
  /// something into the queue.
  @usableFromInline
  borrowing func mustWait(_ waiting: inout Waiting) -> Bool {
    if isBiasedToMe {
      defer { inside.store(inside.load(ordering: .relaxed) == 0 ? 1 : 2, ordering: .relaxed) }
      return inside.load(ordering: .relaxed) != 0
    }
    revokeBias(&waiting)
    while true {
      if state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
        noteInside()
        return false
      }
      if state.compareExchange(expected: 1, desired: 2, ordering: .relaxed).original != 0 {
        return true
      }
    }
  }

  /// Delivers pending work until none is left, then leaves; or hands the delivery over to another
  /// thread.
  ///
  /// The gate must be taken when this is called.
  @usableFromInline @inline(never)
  borrowing func drain() {
    let outer = rxt_thread_state().pointee.looped
    defer { rxt_thread_state().pointee.looped = outer }
    noteInside()
    while true {
      switch take() {
      case .nothing, .handedOn: return
      case .events(let events):
        for event in events {
          event.run()
          rxt_thread_state().pointee.looped &+= 1
        }
      case .end(let stage): stage.clear()
      case .opening(let subscribe):
        subscribe.run()
        if !retake() { return }
      }
    }
  }

  borrowing func take() -> Batch {
    let (batch, senders) = waiting.withBusyLock { waiting -> (Batch, [PausedSender]) in
      if let stage = waiting.ended {
        waiting.ended = nil
        return (.end(of: stage), [])
      }
      if !waiting.events.isEmpty {
        if let next = waiting.backpressure.takeSuccessor() {
          insider.store(next.thread, ordering: .relaxed)
          return (.handedOn, [next])
        }
        let events = waiting.events.pop(atMost: Self.batch)
        return (
          .events(events), waiting.backpressure.takeResumable(waitingCount: waiting.events.count)
        )
      }
      let subscribe = waiting.running < Self.deepest ? waiting.openings.pop() : nil
      let senders = waiting.backpressure.takeAll()
      open(&waiting)
      guard let subscribe else { return (.nothing, senders) }
      waiting.running += 1
      return (.opening(subscribe), senders)
    }
    for sender in senders { sender.wake() }
    return batch
  }

  /// Takes the gate again after an opening has run, if something is waiting.
  ///
  /// Returns false if nothing is waiting, or if another thread is inside; that thread then delivers
  /// what is waiting.
  borrowing func retake() -> Bool {
    waiting.withBusyLock { waiting in
      waiting.running -= 1
      if waiting.events.isEmpty, waiting.openings.isEmpty { return false }
      return !mustWait(&waiting)
    }
  }
}
