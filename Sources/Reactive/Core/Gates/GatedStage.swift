import TraceFormat

/// A stage (the part of a subscription that one operator makes) with a gate, which lets one thread
/// at a time deliver events downstream, and with a reference to the next gate downstream.
///
/// Unchecked because the superclass ``Teardown`` is; this class's own properties are constant or
/// atomic.
@usableFromInline
class GatedStage: Teardown, @unchecked Sendable {
  @usableFromInline final let gate = Gate()
  @usableFromInline final let downstream: GatedStage?

  @inlinable
  init(downstream: GatedStage?) {
    self.downstream = downstream
    super.init()
  }

  /// Releases what this stage holds, at once or, if a delivery is under way, when that delivery has
  /// returned.
  @usableFromInline
  override func teardown(_ ending: Ending) {
    if gate.enter() {
      clear()
      gate.leave()
    } else {
      gate.clearLater(self)
    }
  }

  /// Releases closures and values, inside the gate, after the end of the subscription.
  @usableFromInline
  func clear() {}

  /// Whether so many signals have followed one another in `scope` that further ones get no stage in
  /// the trace.
  @usableFromInline
  func joinsStages(of scope: Subscription) -> Bool { false }

  /// Whether no thread is inside this gate or a gate downstream; another thread may enter at any
  /// time.
  @inlinable final var isPathOpen: Bool {
    @inline(__always) get {
      if !gate.isOpen { return false }
      return downstream == nil || isDownstreamOpen
    }
  }

  @usableFromInline final var isDownstreamOpen: Bool {
    var next = downstream
    while let stage = next {
      if !stage.gate.isOpen { return false }
      next = stage.downstream
    }
    return true
  }

  /// Runs `subscribe` when no thread is inside this gate or a gate downstream (event contract, rule
  /// 10).
  ///
  /// If it ran while a thread is inside one of these gates, the values of the new subscription
  /// would only fill the queue of that gate.
  @usableFromInline
  final func whenOpen(_ subscribe: @escaping @Sendable () -> Void) {
    var next: GatedStage? = self
    while let stage = next {
      if !stage.gate.isOpen { return stage.gate.openLater { self.whenOpen(subscribe) } }
      next = stage.downstream
    }
    subscribe()
  }
}

extension Sink {
  /// Subscribes this sink to `signal` when no thread is inside a gate downstream.
  ///
  /// For operators that, when a signal has ended, subscribe to it again or to another signal.
  @inlinable
  func attachLater(_ signal: Signal<Value, Failure>) {
    guard let downstreamGate, !downstreamGate.isPathOpen else { return signal.attach(self) }
    downstreamGate.whenOpen { if scope.isActive { signal.attach(self) } }
  }
}

extension Scope {
  /// Whether a signal of this scope gets no stage in the trace, because too many signals have
  /// followed one another there (``TailLoop``).
  ///
  /// A source always gets a stage, because its values must be recorded.
  @usableFromInline @inline(__always)
  func joins(_ site: Site) -> Bool {
    guard hasLoop, let downstreamGate, downstreamGate.joinsStages(of: self) else { return false }
    return site.traits.isDisjoint(with: [.source, .timer, .hot, .subject])
  }
}
