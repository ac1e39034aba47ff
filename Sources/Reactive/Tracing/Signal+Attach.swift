public import ReactiveTrace

extension Signal {
  /// Subscribes to this signal with `sink`, and decides once whether the subscription is traced.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>) {
    attach(in: sink.scope, sink.trace, next: sink.next)
  }

  /// Subscribes with the parts of a sink; see `attach(_:)`.
  @inlinable @inline(__always)
  final func attach(
    in scope: __owned Scope<Failure>,
    _ trace: SubscriptionTrace?,
    next: __owned @escaping @Sendable (Value) -> Void
  ) {
    if !Tracer.isProbing { return start(self, scope, trace, next, .inner) }
    if Tracer.isLogging { return attachLogged(scope, trace, next) }
    let (stage, probedNext, kind, isFirst) = probed(scope, trace, consume next)
    start(self, consume scope, stage, consume probedNext, kind)
    if isFirst { Tracer.stagesTaken() }
  }

  /// The arguments with which a traced signal is started.
  @usableFromInline
  typealias Probed = (
    trace: SubscriptionTrace?, next: @Sendable (Value) -> Void, kind: NextKind, isFirst: Bool
  )

  /// The arguments with which this signal is started if it is traced: its stage (the subscription
  /// to this signal), and `next`, behind a ``Probe`` if the signal does not record its values
  /// itself.
  ///
  /// The caller starts the signal, so that a chain of operators uses no more stack when it is
  /// traced.
  ///
  /// - Returns: A tuple of four machine words, which is returned in registers; a structure would
  ///   wrap the closure once more. `isFirst` says that stages further upstream have begun together
  ///   with this one; they are taken while the signal is started.
  @inlinable @inline(never)
  final func probed(
    _ scope: Scope<Failure>,
    _ downstream: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) -> Probed {
    let ready = Tracer.takeStage(of: node.id)
    if ready != .none { return probed(ready, consume next, isFirst: false) }
    if scope.joins(node.site) { return (downstream, next, .inner, false) }
    // The lowest bit of the number says that something downstream is not traced, such as a signal
    // that is older than the recording.
    let number = downstream == nil ? scope.traceNumber | 1 : scope.traceNumber
    let stages = began(downstream?.id ?? .none, number)
    guard stages.first != .none else { return (downstream, next, .inner, false) }
    scope.own(stages)
    return probed(stages.first, consume next, isFirst: stages.first != stages.last)
  }

  @inlinable @inline(__always)
  final func probed(
    _ id: TraceID,
    _ next: __owned @escaping @Sendable (Value) -> Void,
    isFirst: Bool
  ) -> Probed {
    let trace = SubscriptionTrace(id)
    return recordsOwnEvents
      ? (trace, next, .selfTracing, isFirst)
      : (trace, Probe(trace, next).handler(), .inner, isFirst)
  }

  /// Starts this signal with its events logged.
  @usableFromInline @inline(never)
  final func attachLogged(
    _ scope: consuming Scope<Failure>,
    _ downstream: SubscriptionTrace?,
    _ next: consuming @escaping @Sendable (Value) -> Void
  ) {
    logEvents(&scope, &next)
    let (stage, probedNext, kind, isFirst) = probed(scope, downstream, next)
    start(self, scope, stage, consume probedNext, kind)
    if isFirst { Tracer.stagesTaken() }
  }

  @inlinable @inline(__always)
  final func began(_ downstream: TraceID, _ scope: UInt) -> TraceStages {
    node.id == .none || Tracer.isLogging
      ? beganSeparately(downstream, scope)
      : Tracer.stagesBegan(signal: node.id, downstream: downstream, scope: scope)
  }

  /// Begins only the stage of this signal, because the signal is not recorded, or because logging
  /// may put the stages upstream into separate scopes.
  @usableFromInline @inline(never)
  final func beganSeparately(_ downstream: TraceID, _ scope: UInt) -> TraceStages {
    let site = node.site.traceNumber
    return TraceStages(
      Tracer.subscribed(site: site, signal: node.id, downstream: downstream, scope: scope)
    )
  }
}
