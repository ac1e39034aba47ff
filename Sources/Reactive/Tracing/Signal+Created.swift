public import ReactiveTrace

extension Signal {
  /// Records the creation of the signal, if anything is recorded.
  ///
  /// Must be called before anything else refers to the signal.
  @inlinable @inline(__always)
  final func recordCreation() { if Tracer.isOn { noteCreated() } }

  /// Does the same for a signal whose only argument is a closure, and whose subscription first
  /// subscribes to `upstream`, in the same scope.
  @inlinable @inline(__always)
  final func recordCreation(on upstream: TraceID) { if Tracer.isOn { noteCreated(on: upstream) } }

  // Both functions below read the site from the signal, because a site that is an argument would be
  // written to the stack even if nothing is recorded.

  @usableFromInline @inline(never)
  final func noteCreated() {
    // In the usual case, a closure, no argument is copied.
    let argument =
      if case .closure = node.argument { SignalArgument.closure } else { node.argument.recorded }
    // No array is made for at most one upstream signal.
    let (first, others): (TraceID, [TraceID]) =
      switch others {
      case .none: (.none, [])
      case .one(let signal): (signal.traceID, [])
      case .many(let signals):
        (signals.first?.traceID ?? .none, signals.dropFirst().map(\.traceID))
      }
    node.id = Tracer.signalCreated(
      site: node.site.traceNumber,
      upstream: first,
      others: others,
      argument: argument
    )
    if let name = node.name { Tracer.signalNamed(node.id, name) }
  }

  @usableFromInline @inline(never)
  final func noteCreated(on upstream: TraceID) {
    node.id = Tracer.signalCreated(
      site: node.site.traceNumber,
      upstream: upstream,
      argument: .closure,
      passesOn: true
    )
  }

  /// Gives this signal the identifier of `unnamed`, to which nothing else refers, and records its
  /// name; returns false if `unnamed` is not recorded.
  final func recordName(_ name: String, of unnamed: Signal) -> Bool {
    guard unnamed.node.id != .none else { return false }
    node.id = unnamed.node.id
    unnamed.node.id = .none
    Tracer.signalNamed(node.id, name)
    return true
  }

  /// Records the name of the property from which the signal is read.
  final func recordName(_ name: @autoclosure () -> String?) {
    if node.id != .none, let name = name() { Tracer.signalNamed(node.id, name) }
  }

  /// Records that nothing refers to the signal any more.
  @inline(__always)
  final func recordRelease() { if node.id != .none { Tracer.signalReleased(node.id) } }
}
