public import ReactiveTrace

extension Signal {
  /// Starts this signal into `sink`; whether it is traced is decided here, once per subscription.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>) {
    attach(in: sink.scope, sink.trace, next: sink.next)
  }

  /// Does the same for a sink in parts.
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

  /// What a traced signal is started with.
  @usableFromInline
  typealias Probed = (
    trace: SubscriptionTrace?, next: @Sendable (Value) -> Void, kind: NextKind, isFirst: Bool
  )

  /// What this signal is started with if it is traced: its stage, with a probe in front of `next`
  /// if the signal does not record its values itself.
  ///
  /// It is made and returned, but not started from here, so that a chain of operators uses no more
  /// stack when it is traced.
  ///
  /// - Returns: Four words, which are returned in registers; a structure would wrap the closure
  ///   once more. `isFirst` says that other stages have begun together with it; these are taken
  ///   while it is started.
  @inlinable @inline(never)
  final func probed(
    _ scope: Scope<Failure>,
    _ downstream: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) -> Probed {
    let ready = Tracer.takeStage(of: node.id)
    if ready != .none { return probed(ready, consume next, isFirst: false) }
    if scope.joins(node.site) { return (downstream, next, .inner, false) }
    // The signal that is subscribed to may be older than the recording.
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

  /// Begins the stage of a signal that is not traced itself, or of one above which something else
  /// may be inserted.
  @usableFromInline @inline(never)
  final func beganSeparately(_ downstream: TraceID, _ scope: UInt) -> TraceStages {
    let site = node.site.traceNumber
    return TraceStages(
      Tracer.subscribed(site: site, signal: node.id, downstream: downstream, scope: scope)
    )
  }
}
