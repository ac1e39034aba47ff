import TraceFormat

/// A stage with a gate in front of its downstream, and with a reference to the gates further down.
///
/// Unchecked for the reason that ``Teardown`` gives; its own members are constant or atomic.
@usableFromInline
class GatedStage: Teardown, @unchecked Sendable {
  @usableFromInline final let gate = Gate()
  @usableFromInline final let below: GatedStage?

  @inlinable
  init(above below: GatedStage?) {
    self.below = below
    super.init()
  }

  /// Releases what it holds, at once or when the delivery under way has returned.
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

  /// Whether a value sent now would pass all gates, as far as is known.
  @inlinable final var isPathOpen: Bool {
    @inline(__always) get {
      if !gate.isOpen { return false }
      return below == nil || isPathOpenBelow
    }
  }

  @usableFromInline final var isPathOpenBelow: Bool {
    var next = below
    while let stage = next {
      if !stage.gate.isOpen { return false }
      next = stage.below
    }
    return true
  }

  /// Runs `subscribe` when this gate and all below it are open: if one of them were taken, the
  /// values of the new subscription could only fill its queue, for ever if it never ends (contract
  /// rule 10).
  @usableFromInline
  final func whenOpen(_ subscribe: @escaping @Sendable () -> Void) {
    var next: GatedStage? = self
    while let stage = next {
      if !stage.gate.isOpen { return stage.gate.openLater { self.whenOpen(subscribe) } }
      next = stage.below
    }
    subscribe()
  }
}

extension Sink {
  /// Starts `signal` into this sink when the gates below are open: for operators that subscribe
  /// again, or to another signal, when one has ended.
  @inlinable
  func attachLater(_ signal: Signal<Value, Failure>) {
    guard let below, !below.isPathOpen else { return signal.attach(self) }
    below.whenOpen { if scope.isActive { signal.attach(self) } }
  }
}

extension Scope {
  /// Whether a signal that is subscribed to here gets no stage in the trace: it belongs to a long
  /// sequence of operators that each replace the one before (``TailLoop``), and it is not a source,
  /// whose values are to be recorded.
  @usableFromInline @inline(__always)
  func joins(_ site: Site) -> Bool {
    guard let below, below.joinsStages(of: self) else { return false }
    return site.traits.isDisjoint(with: [.source, .timer, .hot, .subject])
  }
}
