import CReactiveTraceShims
public import ReactiveTrace

/// A stream of values over time, hot or cold: a description of what happens when somebody subscribes.
///
/// Operators are methods that return another signal; nothing runs before ``subscribe(next:failed:completed:file:line:column:)``.
/// The event contract holds for every signal: see <doc:EventContract>. Neither signals nor disposables
/// have to be retained: a subscription keeps what it needs alive until it ends.
public class Signal<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked because it has subclasses, for operators that are applied often (`MapSignal`): they, too, hold
  // constants only.
  @usableFromInline final let node: SignalNode
  /// What ``upstreams`` says, where no subclass knows it.
  @usableFromInline final let others: Upstreams
  /// The parts of a sink, each handed over: as one value they would be copied at every stage.
  ///
  /// It gets the signal itself, so that a subclass needs no closure with a context of its own; and whether
  /// `next` is a program's handler, which nothing may be sent to by the thread that has ended the subscription
  /// (contract rule 2). Sources and gates ask before each value anyway; what runs a closure before it sends
  /// asks after that.
  @usableFromInline
  typealias Start =
    @Sendable (
      _ signal: Signal<Value, Failure>,
      _ scope: __owned Scope<Failure>,
      _ trace: __owned SubscriptionTrace?,
      _ next: __owned @escaping @Sendable (Value) -> Void,
      _ isRoot: Bool
    ) -> Void

  @usableFromInline final let start: Start

  @inlinable
  convenience init(
    _ site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    self.init(direct: site, upstreams, argument: argument, name: name) {
      _,
      scope,
      trace,
      next,
      isRoot in
      start(Sink(in: scope, trace, next: isRoot ? scope.guarding(next) : next))
    }
  }

  /// The form for operators that send from inside a gate, and ask before each value whether anybody listens.
  @inlinable
  convenience init(
    gated site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    self.init(direct: site, upstreams, argument: argument) { _, scope, trace, next, _ in
      start(Sink(in: scope, trace, next: next))
    }
  }

  /// The form for what is subscribed to most often: sources, and operators that replace `next` only.
  @inlinable
  init(
    direct site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    start: @escaping Start
  ) {
    node = SignalNode(site, upstreams, argument, name)
    others = upstreams
    self.start = start
  }

  /// The form for subclasses that hold the one signal upstream themselves; see ``SignalNode/id(_:below:)``.
  @inlinable
  init(_ id: TraceID, _ site: Site, start: @escaping Start) {
    node = SignalNode(site, id)
    others = .none
    self.start = start
  }

  deinit {
    if node.id != .none { Tracer.signalReleased(node.id) }
    if case .none = others { return }
    others.releaseFromHere()
  }

  @usableFromInline var upstreams: Upstreams { others }

  /// For the end of subclasses that hold the signal upstream.
  @usableFromInline
  final func releaseUpstreams() { if rxt_releases_deep() { upstreams.releaseOnAnotherStack() } }

  /// Where this signal was made: operator and line.
  @inlinable public final var site: Site { node.site }

  /// Starts this signal into `sink`: the seam of tracing, decided once per subscription.
  @inlinable @inline(__always)
  final func attach(_ sink: consuming Sink<Value, Failure>) {
    attach(in: sink.scope, sink.trace, next: sink.next)
  }

  /// The same for a sink in parts.
  @inlinable @inline(__always)
  final func attach(
    in scope: __owned Scope<Failure>,
    _ trace: __owned SubscriptionTrace?,
    next: __owned @escaping @Sendable (Value) -> Void
  ) {
    if Tracer.isProbing {
      attachProbed(scope, trace, next)
    } else {
      start(self, scope, trace, next, false)
    }
  }

  /// Puts one probe in front of the sink, whose parts are handed on as they came: every copy of one would cost
  /// as much as what is recorded.
  @usableFromInline @inline(never)
  final func attachProbed(
    _ scope: consuming Scope<Failure>,
    _ below: consuming SubscriptionTrace?,
    _ next: consuming @escaping @Sendable (Value) -> Void
  ) {
    if Tracer.isLogging { logEvents(&scope, &next) }
    let id = Self.subscribed(node, to: below)
    guard id != .none else { return start(self, scope, below, next, false) }
    let trace = SubscriptionTrace(id)
    scope.own(trace)
    start(self, scope, trace, Self.probe(trace, next), false)
  }

  @inline(__always)
  private static func subscribed(
    _ node: SignalNode,
    to below: SubscriptionTrace?
  ) -> TraceID {
    let downstream = below?.id ?? .none
    return node.id == .none
      ? Tracer.subscribed(site: node.site.traceNumber, signal: .none, downstream: downstream)
      : Tracer.subscribed(signal: node.id, downstream: downstream)
  }

  @inline(__always)
  private static func probe(
    _ trace: SubscriptionTrace,
    _ next: consuming @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    let next = next
    if Tracer.mayRecordValues {
      return { value in
        Tracer.next(trace.id)
        Tracer.value(trace.id, value)
        next(value)
      }
    }
    return { value in
      Tracer.next(trace.id)
      next(value)
    }
  }
}
