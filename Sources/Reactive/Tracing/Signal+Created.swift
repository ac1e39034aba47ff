public import ReactiveTrace

extension Signal {
  /// Records the creation of the signal, if anything is recorded.
  ///
  /// Nothing else refers to the signal yet.
  @inlinable @inline(__always)
  final func recordCreation(passesOn: Bool) {
    if Tracer.isOn { noteCreated(passesOn: passesOn) }
  }

  /// Records the creation of the signal once it exists: if the site of the operator were passed as
  /// an argument, it would first be laid out on the stack, even if nothing is recorded.
  @usableFromInline @inline(never)
  final func noteCreated(passesOn: Bool) {
    // Nothing is copied in the usual case.
    let argument =
      if case .closure = node.argument { SignalArgument.closure } else { node.argument.recorded }
    // No array is made in the usual case either.
    let (first, others): (TraceID, [TraceID]) =
      switch upstreams {
      case .none: (.none, [])
      case .one(let signal): (signal.traceID, [])
      case .many(let signals):
        (signals.first?.traceID ?? .none, signals.dropFirst().map(\.traceID))
      }
    node.id = Tracer.signalCreated(
      site: node.site.traceNumber,
      upstream: first,
      others: others,
      argument: argument,
      passesOn: passesOn
    )
    if let name = node.name { Tracer.signalNamed(node.id, name) }
  }

  /// Takes the place of an unnamed signal in the trace, to which nothing else refers; returns false
  /// if that one is not recorded.
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
