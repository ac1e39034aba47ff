import CReactiveTraceShims
public import ReactiveTrace

/// A stream of values over time, hot or cold: a description of what happens when somebody subscribes.
///
/// Operators are methods that return another signal; nothing runs before ``subscribe(next:failed:completed:file:line:column:)``.
/// The event contract holds for every signal: see <doc:EventContract>. Neither signals nor disposables
/// have to be retained: a subscription keeps what it needs alive until it ends.
public final class Signal<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let node: SignalNode
  /// The parts of a sink, each handed over: as one value they would be copied at every stage.
  @usableFromInline
  typealias Start =
    @Sendable (
      _ scope: __owned Scope<Failure>,
      _ trace: __owned SubscriptionTrace?,
      _ next: __owned @escaping @Sendable (Value) -> Void
    ) -> Void

  @usableFromInline let start: Start

  @inlinable
  init(
    _ site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    node = SignalNode(site, upstreams, argument, name)
    self.start = { scope, trace, next in start(Sink(in: scope, trace, next: next)) }
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
    self.start = start
  }

  // A long chain releases itself from the end, each signal inside the release of the next.
  deinit {
    if node.id != .none { Tracer.signalReleased(node.id) }
    if case .none = node.upstreams { return }
    if rxt_releases_deep() { node.upstreams.releaseOnAnotherStack() }
  }

  /// Where this signal was made: operator and line.
  @inlinable public var site: Site { node.site }

  /// Starts this signal into `sink`: the seam of tracing, decided once per subscription.
  @inlinable @inline(__always)
  func attach(_ sink: consuming Sink<Value, Failure>) {
    attach(in: sink.scope, sink.trace, next: sink.next)
  }

  /// The same for a sink in parts.
  @inlinable @inline(__always)
  func attach(
    in scope: __owned Scope<Failure>,
    _ trace: __owned SubscriptionTrace?,
    next: __owned @escaping @Sendable (Value) -> Void
  ) {
    if Tracer.isOn { attachProbed(scope, trace, next) } else { start(scope, trace, next) }
  }

  @usableFromInline @inline(never)
  func attachProbed(
    _ scope: __owned Scope<Failure>,
    _ trace: __owned SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    let sink = probe(Sink(in: scope, trace, next: next))
    start(sink.scope, sink.trace, sink.next)
  }

  /// Puts one probe in front of the sink.
  @usableFromInline @inline(never)
  func probe(_ sink: Sink<Value, Failure>) -> Sink<Value, Failure> {
    let id = Tracer.subscribed(
      site: site.traceNumber,
      signal: node.id,
      downstream: sink.trace?.id ?? .none
    )
    if id == .none { return sink }
    let trace = SubscriptionTrace(id)
    sink.scope.own(trace)
    let next = sink.next
    return Sink(in: sink.scope, trace) { value in
      Tracer.next(trace.id)
      next(value)
    }
  }
}
