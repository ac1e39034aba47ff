public import ReactiveTrace

/// A stream of values over time, hot or cold: a description of what happens when somebody subscribes.
///
/// Operators are methods that return another signal; nothing runs before ``subscribe(next:failed:completed:file:line:column:)``.
/// The event contract holds for every signal: see <doc:EventContract>. Neither signals nor disposables
/// have to be retained: a subscription keeps what it needs alive until it ends.
public final class Signal<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let node: SignalNode
  @usableFromInline let start: @Sendable (consuming Sink<Value, Failure>) -> Void

  @inlinable
  init(
    _ site: Site,
    _ upstreams: Upstreams = .none,
    argument: Argument = .closure,
    name: String? = nil,
    start: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) {
    node = SignalNode(site, upstreams, argument, name)
    self.start = start
  }

  deinit {
    if node.id != .none { Tracer.signalReleased(node.id) }
  }

  /// Where this signal was made: operator and line.
  @inlinable public var site: Site { node.site }

  /// Starts this signal into `sink`: the seam of tracing, decided once per subscription.
  @inlinable @inline(__always)
  func attach(_ sink: consuming Sink<Value, Failure>) {
    if Tracer.isOn { start(probe(sink)) } else { start(sink) }
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
    return Sink(sink.scope, trace, sink.below) { value in
      Tracer.next(trace.id)
      next(value)
    }
  }
}
