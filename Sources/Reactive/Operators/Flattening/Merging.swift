public import Synchronization

/// What the operators share that run several signals into one: one outlet, and how many signals still
/// run into it.
@usableFromInline
final class Merging<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let running = Atomic<Int>(1)
  @usableFromInline let lostOne = Atomic<Bool>(false)
  @usableFromInline let scope: Scope<Failure>
  @usableFromInline let trace: SubscriptionTrace?
  @usableFromInline let outlet: Outlet<Value, Failure>

  @inlinable
  init(_ down: Sink<Value, Failure>) {
    scope = down.scope
    trace = down.trace
    outlet = Outlet(down)
    scope.own(outlet)
  }

  /// The scope of one signal that counts as running until it ends.
  ///
  /// The first one needs no ``join()``.
  @inlinable
  func part() -> MergePart<Value, Failure> { MergePart(of: self) }

  /// The same for a signal that cannot fail.
  @inlinable
  func infalliblePart() -> Scope<Never> { Scope(in: scope) { self.ended($0.promoted()) } }

  /// One more signal runs.
  @inlinable @inline(__always)
  func join() { running.wrappingAdd(1, ordering: .relaxed) }

  /// Subscribes to an inner signal: outside the gate, so that an endless one can be ended by what it
  /// sends.
  @inlinable @inline(__always)
  func subscribe(to inner: Signal<Value, Failure>) {
    join()
    let part = part()
    if outlet.isPathOpen {
      attach(inner, part)
    } else {
      outlet.whenOpen { self.attach(inner, part) }
    }
  }

  @inlinable @inline(__always)
  func attach(_ inner: Signal<Value, Failure>, _ part: MergePart<Value, Failure>) {
    guard part.isActive else { return }
    part.below = outlet
    inner.attach(in: part, trace) { part.receive($0) }
  }

  /// The same for a part whose end means something of its own.
  @inlinable @inline(__always)
  func attach(_ inner: Signal<Value, Failure>, _ part: Scope<Failure>) {
    guard part.isActive else { return }
    inner.attach(Sink(part, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  /// The same for an inner signal that cannot fail.
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

  /// The same for a part whose end means something of its own.
  @inlinable
  func attach(infallible inner: Signal<Value, Never>, _ part: Scope<Failure>) {
    guard part.isActive else { return }
    let upstream = Scope<Never>(in: part) { part.end($0.promoted()) }
    inner.attach(Sink(upstream, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  @inlinable @inline(__always)
  func attachInfallible(_ inner: Signal<Value, Never>, _ part: Scope<Never>) {
    guard part.isActive else { return }
    inner.attach(Sink(part, trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  /// One signal has ended.
  ///
  /// The last one to do so ends the outlet, unless one has failed.
  @inlinable
  func ended(_ end: End<Failure>) {
    switch end {
    case .failed: return outlet.end(end)
    case .sourceGone: lostOne.store(true, ordering: .relaxed)
    case .completed: break
    }
    // Acquires what the others released: the last one sees `lostOne` of all.
    if running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      outlet.end(lostOne.load(ordering: .relaxed) ? .sourceGone : .completed)
    }
  }
}

/// The scope of one signal that runs into a merge.
///
/// It knows the outlet, so that it is all that its handlers capture: they need no context of their own.
@usableFromInline
final class MergePart<Value: Sendable, Failure: Error>: Scope<Failure>, @unchecked Sendable {
  // Unchecked for what `Scope` says; this is constant.
  @usableFromInline let outlet: Outlet<Value, Failure>

  @inlinable
  init(of merging: Merging<Value, Failure>) {
    outlet = merging.outlet
    super.init(in: merging.scope) { merging.ended($0) }
  }

  @inlinable @inline(__always)
  func receive(_ value: Value) { outlet.send(value, from: self) }
}

extension End where Failure == Never {
  /// The same end for a signal that might have failed.
  @inlinable
  func promoted<Other: Error>() -> End<Other> {
    switch self {
    case .completed: .completed
    case .sourceGone: .sourceGone
    }
  }
}
