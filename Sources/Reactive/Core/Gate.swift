public import CReactiveTraceShims
public import ReactiveTrace
public import Synchronization

/// Serialises the events of one place where events can meet (contract rule 3).
///
/// Whoever enters delivers; an event that finds the gate taken, by another thread or further up this
/// one's stack, waits in the queue and is delivered by the one inside. No thread waits for another; but
/// one that sends into a crowd gives way for a moment (`Gate+Crowd.swift`).
///
///     if gate.enter() { deliver(value); gate.leave() } else { gate.wait { deliver(value) } }
///
/// Beside events, subscribing to an inner signal can wait (``openLater(_:)``): it runs when no event waits
/// any more, with the gate open, so that what an endless inner signal sends is delivered instead of
/// queued (contract rule 10). An opening that arrives while others run is run from inside what they send,
/// so that none has to wait for an endless one; but not deeper than ``deepest``, from where on those
/// that run look after it when they return.
///
/// Most gates are entered by one thread only. The first that enters gets the gate *biased* to itself: it
/// enters and leaves with plain loads and stores, until another thread comes. From then on the gate is
/// *shared*, for ever, and entered by compare-and-swap. `Gate+Bias.swift` has the proof.
@usableFromInline
struct Gate: ~Copyable, Sendable {
  /// What waits.
  ///
  /// Events go first, each in its order.
  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline var events = Fifo<@Sendable () -> Void>()
    @usableFromInline var openings = Fifo<@Sendable () -> Void>()
    /// Openings that are being run now, each from inside what another one sends, or on another thread.
    @usableFromInline var running = 0
    /// Whoever ended the bias found its owner inside, and marked the gate as taken in its name.
    @usableFromInline var isHandedOver = false
    /// It is taken until an ``Arrival``, which what waits must not keep from coming.
    @usableFromInline var isHeld = false
    /// Senders that give way, and when they do (``Gate/giveWay(_:)``).
    @usableFromInline var crowd = Crowd()
    @inlinable
    init() {}
  }

  @usableFromInline
  enum Batch: Sendable {
    case events([@Sendable () -> Void])
    case opening(@Sendable () -> Void)
    /// Another thread goes on.
    case handedOn
    case nothing
  }

  /// How deep openings may run inside each other.
  private static var deepest: Int { 32 }
  /// So many events are taken out of the queue at once.
  private static var batch: Int { 32 }

  /// Identity of the thread that the gate is biased to; 0: nobody yet; 1: shared; 2: about to be shared.
  @usableFromInline let owner: Atomic<UInt>
  /// 0: idle; 1: taken; 2: taken, and something waits.
  ///
  /// While the gate is biased, it belongs to the owner; others look at it only to end the bias.
  @usableFromInline let inside = Atomic<UInt8>(0)
  /// The same, when the gate is shared.
  @usableFromInline let state = Atomic<UInt8>(0)
  /// The thread that was last known to be inside, when the gate is shared; for itself to know.
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
    rxt_gate_light_barrier()  // the store before the load: see `revokeBias`
    if owner.load(ordering: .relaxed) == me { return true }
    return enterAfterLoss()
  }

  @inlinable @inline(__always)
  borrowing func leave() {
    let me = UInt(rxt_thread_identity())
    guard owner.load(ordering: .relaxed) == me else { return leaveShared() }
    if inside.load(ordering: .relaxed) != 1 { return drain() }
    inside.store(0, ordering: .releasing)
    rxt_gate_light_barrier()  // the store before the load: see `revokeBias`
    if owner.load(ordering: .relaxed) != me { leaveAfterLoss() }
  }

  @inlinable @inline(__always)
  borrowing func leaveShared() {
    if !state.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { drain() }
  }

  /// The slow path of a delivery: hands `event` to whoever is inside, or runs it here if they have
  /// just left.
  ///
  /// - Parameters:
  ///   - event: What is delivered.
  ///   - id: Who is told how many wait, and in which order that changes.
  ///   - isSent: Whether somebody sends it, who gives way where too many wait.
  @usableFromInline @inline(never)
  borrowing func wait(
    _ event: @escaping @Sendable () -> Void,
    tellingDepthOf id: TraceID = .none,
    isSent: Bool = false
  ) {
    hand(Self.withOrigin(event), tellingDepthOf: id, isSent: isSent)
  }

  /// The same for what only lets something go and sends nothing: of that, nobody asks where it comes from, so that no stack is walked.
  @usableFromInline @inline(never)
  borrowing func waitToClear(_ clear: @escaping @Sendable () -> Void) {
    hand(clear, tellingDepthOf: .none, isSent: false)
  }

  private borrowing func hand(
    _ event: @escaping @Sendable () -> Void,
    tellingDepthOf id: TraceID,
    isSent: Bool
  ) {
    let (isWaiting, sender) = waiting.withBusyLock { waiting -> (Bool, CrowdedSender?) in
      guard mustWait(&waiting) else { return (false, nil) }
      waiting.events.push(waiting.isHeld ? event : Arrival.following(event))
      if id != .none { Tracer.depth(id, waiting.events.count) }
      return (true, isSent && !waiting.isHeld && !isInside ? waiting.crowded() : nil)
    }
    if !isWaiting {
      event()
      leave()
    } else if let sender {
      giveWay(sender)
    }
  }

  /// Tells how many events wait behind those that are being delivered.
  borrowing func recordDepth(of id: TraceID) {
    waiting.withBusyLock { Tracer.depth(id, $0.events.count) }
  }

  /// Whether nobody is inside at this moment.
  @inlinable var isOpen: Bool {
    @inline(__always) borrowing get {
      owner.load(ordering: .relaxed) == Self.shared
        ? state.load(ordering: .relaxed) == 0 : inside.load(ordering: .relaxed) == 0
    }
  }

  /// Subscribes to an inner signal with the gate open: as soon as it is.
  ///
  /// Where ``isOpen`` says so already, subscribe directly.
  @usableFromInline @inline(never)
  borrowing func openLater(_ subscribe: @escaping @Sendable () -> Void) {
    let subscribe = Self.withOrigin(subscribe)
    let isQueued = waiting.withBusyLock { waiting in
      guard mustWait(&waiting) else { return false }
      waiting.openings.push(subscribe)
      return true
    }
    if !isQueued {
      leave()
      subscribe()
    }
  }

  /// Under the lock: true if the gate is taken and its owner will look at the queue before leaving;
  /// false if this call has just taken it.
  ///
  /// Setting 2 under the lock keeps `drain` from leaving before the caller has put something into
  /// the queue.
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

  /// Delivers what waits, until nothing does; then leaves.
  ///
  /// The gate is taken when it is called.
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
          event()
          rxt_thread_state().pointee.looped &+= 1
        }
      case .opening(let subscribe):
        subscribe()
        if !retake() { return }
      }
    }
  }

  borrowing func take() -> Batch {
    let (batch, senders) = waiting.withBusyLock { waiting -> (Batch, [CrowdedSender]) in
      if !waiting.events.isEmpty {
        if let next = waiting.crowd.takeSuccessor() {
          insider.store(next.thread, ordering: .relaxed)
          return (.handedOn, [next])
        }
        let events = waiting.events.pop(atMost: Self.batch)
        return (.events(events), waiting.crowd.takeFreed(waitingCount: waiting.events.count))
      }
      let subscribe = waiting.running < Self.deepest ? waiting.openings.pop() : nil
      let senders = waiting.crowd.takeAll()
      open(&waiting)
      guard let subscribe else { return (.nothing, senders) }
      waiting.running += 1
      return (.opening(subscribe), senders)
    }
    for sender in senders { sender.wake() }
    return batch
  }

  /// After an opening: true if something waits and this call has taken the gate for it.
  ///
  /// Where another is inside, it is told instead.
  borrowing func retake() -> Bool {
    waiting.withBusyLock { waiting in
      waiting.running -= 1
      if waiting.events.isEmpty, waiting.openings.isEmpty { return false }
      return !mustWait(&waiting)
    }
  }
}
