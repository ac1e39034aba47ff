import TraceFormat

/// A stage with a gate in front of its downstream, and with a reference to the next gate
/// downstream.
///
/// Unchecked for the reason that ``Teardown`` gives; its own members are constant or atomic.
@usableFromInline
class GatedStage: Teardown, @unchecked Sendable {
  @usableFromInline final let gate = Gate()
  @usableFromInline final let downstream: GatedStage?

  @inlinable
  init(downstream: GatedStage?) {
    self.downstream = downstream
    super.init()
  }

  /// Releases what this stage holds, at once or when the delivery under way has returned.
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

  /// Whether so many signals have replaced each other in this scope that the next ones get no stage
  /// in the trace.
  @usableFromInline
  func joinsStages(of scope: Subscription) -> Bool { false }

  /// Whether this gate and all gates downstream are open, as far as this thread can see.
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

  /// Runs `subscribe` when this gate and all gates downstream are open (contract rule 10): if a
  /// gate were taken, the values of the new subscription would only fill the queue of that gate.
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
  /// Subscribes this sink to `signal` when the gates downstream are open.
  ///
  /// Operators that subscribe again, or to another signal, when a signal has ended use this.
  @inlinable
  func attachLater(_ signal: Signal<Value, Failure>) {
    guard let downstreamGate, !downstreamGate.isPathOpen else { return signal.attach(self) }
    downstreamGate.whenOpen { if scope.isActive { signal.attach(self) } }
  }
}

extension Scope {
  /// Whether a signal that is subscribed to in this scope gets no stage in the trace, because it
  /// belongs to a long sequence of operators, each of which replaces the previous one
  /// (``TailLoop``).
  ///
  /// A source always gets a stage, because its values must be recorded.
  @usableFromInline @inline(__always)
  func joins(_ site: Site) -> Bool {
    guard let downstreamGate, downstreamGate.joinsStages(of: self) else { return false }
    return site.traits.isDisjoint(with: [.source, .timer, .hot, .subject])
  }
}
