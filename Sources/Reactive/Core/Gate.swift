public import CReactiveTraceShims
public import ReactiveTrace
public import Synchronization

/// Serialises the events of one place where events can meet (contract rule 3).
///
/// Whoever enters delivers; an event that finds the gate taken, by another thread or further up this
/// one's stack, waits in the queue and is delivered by the one inside. No thread ever waits.
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
    @usableFromInline var events: [@Sendable () -> Void] = []
    @usableFromInline var openings = Fifo<@Sendable () -> Void>()
    /// Openings that are being run now, each from inside what another one sends, or on another thread.
    @usableFromInline var running = 0
    /// Whoever ended the bias found its owner inside, and marked the gate as taken in its name.
    @usableFromInline var isHandedOver = false
    /// It is taken until an ``Arrival``, which what waits must not keep from coming.
    @usableFromInline var isHeld = false
    @inlinable
    init() {}
  }

  @usableFromInline
  enum Batch: Sendable {
    case events([@Sendable () -> Void])
    case opening(@Sendable () -> Void)
    case nothing
  }

  /// How deep openings may run inside each other.
  private static var deepest: Int { 32 }

  /// Identity of the thread that the gate is biased to; 0: nobody yet; 1: shared; 2: about to be shared.
  @usableFromInline let owner: Atomic<UInt>
  /// 0: idle; 1: taken; 2: taken, and something waits.
  ///
  /// While the gate is biased, it belongs to the owner; others look at it only to end the bias.
  @usableFromInline let inside = Atomic<UInt8>(0)
  /// The same, when the gate is shared.
  @usableFromInline let state = Atomic<UInt8>(0)
  @usableFromInline let waiting = Locked(Waiting())

  @inlinable @inline(__always) static var shared: UInt { 1 }

  @inlinable
  init() { owner = Atomic(UInt(rxt_gate_birth())) }

  @inlinable @inline(__always)
  borrowing func enter() -> Bool {
    let me = UInt(rxt_thread_identity())
    guard owner.load(ordering: .relaxed) == me else { return enterAsStranger(me) }
    if inside.load(ordering: .relaxed) != 0 { return false }
    inside.store(1, ordering: .relaxed)
    rxt_gate_light_barrier()  // the store before the load: see `loseBias`
    if owner.load(ordering: .relaxed) == me { return true }
    return enterAfterLoss()
  }

  @inlinable @inline(__always)
  borrowing func leave() {
    let me = UInt(rxt_thread_identity())
    guard owner.load(ordering: .relaxed) == me else { return leaveShared() }
    if inside.load(ordering: .relaxed) != 1 { return drain() }
    inside.store(0, ordering: .releasing)
    rxt_gate_light_barrier()  // the store before the load: see `loseBias`
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
  /// - Returns: How many events wait, this one included; 0 if it ran.
  @discardableResult
  @usableFromInline @inline(never)
  borrowing func wait(
    _ event: @escaping @Sendable () -> Void,
    tellingDepthOf id: TraceID = .none
  ) -> Int {
    let event = Self.withOrigin(event)
    let waitingCount = waiting.withBusyLock { waiting in
      guard mustWait(&waiting) else { return 0 }
      waiting.events.append(waiting.isHeld ? event : Arrival.following(event))
      if id != .none { Tracer.depth(id, waiting.events.count) }
      return waiting.events.count
    }
    if waitingCount == 0 {
      event()
      leave()
    }
    return waitingCount
  }

  /// Tells how many events wait behind those that are being delivered.
  borrowing func tellDepth(of id: TraceID) {
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
    loseBias(&waiting)
    while true {
      if state.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
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
    while true {
      switch take() {
      case .nothing: return
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
    waiting.withBusyLock { waiting in
      if !waiting.events.isEmpty {
        defer { waiting.events = [] }
        return .events(waiting.events)
      }
      let subscribe = waiting.running < Self.deepest ? waiting.openings.pop() : nil
      open(&waiting)
      guard let subscribe else { return .nothing }
      waiting.running += 1
      return .opening(subscribe)
    }
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
