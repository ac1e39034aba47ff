public import Synchronization

/// One subscription to an operator that merges several signals: the outlet (a gate in front of the
/// subscriber) to which all these signals send, and the number of signals that still run.
@usableFromInline
final class Merging<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let running = Atomic<Int>(1)
  @usableFromInline let hasLostSource = Atomic<Bool>(false)
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  @usableFromInline let outlet: Outlet<Value, Failure>
  @usableFromInline let nestedStarts = Locked(NestedStarts())

  @inlinable
  init(_ down: Sink<Value, Failure>) {
    scope = down.scope
    trace = down.trace
    outlet = Outlet(down)
    scope.own(outlet)
  }

  /// A scope (the object that ends a subscription) for one signal, which is counted as running
  /// until it ends.
  ///
  /// The first signal is counted from the start, without a call to ``join()``.
  @inlinable
  func part() -> MergePart<Value, Failure> { MergePart(of: self) }

  /// A scope for one signal that cannot fail, which is counted as running until it ends.
  @inlinable
  func infalliblePart() -> UpstreamScope<Never> {
    UpstreamScope(in: scope) { self.ended($0.promoted()) }
  }

  /// Counts one more running signal.
  @inlinable @inline(__always)
  func join() { running.wrappingAdd(1, ordering: .relaxed) }

  /// Subscribes to an inner signal when no thread is inside the outlet's gate or a gate downstream.
  ///
  /// Otherwise, the values of an endless signal would only be queued, and nothing could end it.
  @inlinable @inline(__always)
  func subscribe(to inner: Signal<Value, Failure>) {
    join()
    if join(inner) { return }
    run(inner, in: part())
  }

  @inlinable @inline(__always)
  func attach(_ inner: Signal<Value, Failure>, _ part: __owned MergePart<Value, Failure>) {
    guard part.isActive else { return }
    let handler = part.handler()
    inner.attach(in: consume part, trace, next: handler)
  }

  /// Subscribes to an inner signal in a scope that itself handles the end of the signal.
  @inlinable @inline(__always)
  func attach(_ inner: Signal<Value, Failure>, _ part: Scope<Failure>) {
    guard part.isActive else { return }
    inner.attach(Sink(part, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  /// Subscribes to an inner signal that cannot fail, in the same way as ``subscribe(to:)``.
  @inlinable @inline(__always)
  func subscribe(toInfallible inner: Signal<Value, Never>) {
    join()
    let part = infalliblePart()
    if outlet.isPathOpen {
      attachInfallible(inner, part)
    } else {
      outlet.whenOpen { self.attachInfallible(inner, part) }
    }
  }

  /// Subscribes to an inner signal that cannot fail, in a scope that itself handles the end of the
  /// signal.
  @inlinable
  func attach(infallible inner: Signal<Value, Never>, _ part: Scope<Failure>) {
    guard part.isActive else { return }
    let upstream = UpstreamScope<Never>(in: part) { part.end($0.promoted()) }
    inner.attach(Sink(upstream, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  @inlinable @inline(__always)
  func attachInfallible(_ inner: Signal<Value, Never>, _ part: Scope<Never>) {
    guard part.isActive else { return }
    inner.attach(Sink(part, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  /// Counts one signal as ended.
  ///
  /// The end of the last running signal ends the outlet; a failure ends the outlet at once.
  @inlinable
  func ended(_ end: End<Failure>) {
    switch end {
    case .failed: outlet.end(end)
    case .completed: endedWithoutFailure(isSourceGone: false)
    case .sourceGone: endedWithoutFailure(isSourceGone: true)
    }
  }

  @inlinable
  func endedWithoutFailure(isSourceGone: Bool) {
    if isSourceGone { hasLostSource.store(true, ordering: .relaxed) }
    // The last decrement acquires what all other decrements released, and therefore sees
    // `hasLostSource` if any signal has set it.
    if running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { endOutlet() }
  }

  @usableFromInline @inline(never)
  func endOutlet() { outlet.end(hasLostSource.load(ordering: .relaxed) ? .sourceGone : .completed) }
}

/// The scope of one signal of a merge.
///
/// The scope refers to the merge, so its handlers capture only the scope, and no closure context
/// has to be allocated for them.
@usableFromInline
final class MergePart<Value: Sendable, Failure: Error>: Scope<Failure>, @unchecked Sendable {
  // This class is `@unchecked Sendable` because its superclass `Scope` is.
  @usableFromInline let merging: Merging<Value, Failure>
  // The merge keeps the owner and the outlet alive.
  @usableFromInline let owner: Unmanaged<Subscription>
  @usableFromInline let outlet: Unmanaged<Outlet<Value, Failure>>
  /// The nearest gate downstream; nil if that gate is the outlet's.
  @exclusivity(unchecked) @usableFromInline var nearest: GatedStage?
  @usableFromInline let stages = StageList()

  @inlinable
  init(of merging: __owned Merging<Value, Failure>) {
    let outlet = Unmanaged.passUnretained(merging.outlet)
    let owner = Unmanaged<Subscription>.passUnretained(merging.scope)
    self.outlet = outlet
    self.owner = owner
    self.merging = consume merging
    super.init()
    owner._withUnsafeGuaranteedRef { $0.own(self) }
  }

  @usableFromInline override var downstreamGate: GatedStage? {
    get { nearest ?? merging.outlet }
    set { nearest = newValue }
  }

  @usableFromInline
  override func ended(_ end: End<Failure>) {
    owner._withUnsafeGuaranteedRef { $0.release(self) }
    merging.ended(end)
  }

  @usableFromInline
  override func endedWithoutFailure(isSourceGone: Bool) {
    owner._withUnsafeGuaranteedRef { $0.release(self) }
    merging.endedWithoutFailure(isSourceGone: isSourceGone)
  }

  @usableFromInline
  override func keep(_ stages: TracedStages) -> Bool { keep(stages, in: self.stages) }

  @usableFromInline
  override func endStages(_ ending: Ending) { stages.end(ending) }

  // The scope is closed here rather than by the superclass, because `stages` still exists here.
  deinit { closeReleased() }

  /// A closure that receives values; it captures only this object, which serves as its context.
  @inlinable @inline(__always)
  func handler() -> @Sendable (Value) -> Void { { self.receive($0) } }

  @inlinable @inline(__always)
  func receive(_ value: Value) {
    outlet._withUnsafeGuaranteedRef { $0.send(value, from: self) }
  }
}

extension End where Failure == Never {
  /// The same end, for a signal with a different failure type.
  @inlinable
  func promoted<Other: Error>() -> End<Other> {
    switch self {
    case .completed: .completed
    case .sourceGone: .sourceGone
    }
  }
}
