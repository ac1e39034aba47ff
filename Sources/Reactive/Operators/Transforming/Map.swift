public import TraceFormat

extension Signal {
  /// Applies a function to each value.
  ///
  /// ```
  /// source          -1-2-3-|
  /// map { $0 * 10 } -a-b-c-|   a: 10, b: 20, c: 30
  /// ```
  ///
  /// - Parameters:
  ///   - transform: Runs once per value and subscription.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public consuming func map<Result: Sendable>(
    _ transform: consuming @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    let site = Site("map", file, line, column, .passes)
    return MapSignal(site, self, transform)
  }
}

/// The signal that `map` returns.
///
/// Subscriptions to the signal retain the function, but not the signal itself.
@usableFromInline
final class MapSignal<Upstream: Sendable, Value: Sendable, Failure: Error>: Signal<Value, Failure>,
  @unchecked Sendable
{
  @usableFromInline let upstream: Signal<Upstream, Failure>
  @usableFromInline let transform: Function<Upstream, Value>

  @inlinable @inline(__always)
  init(
    _ site: Site,
    _ upstream: Signal<Upstream, Failure>,
    _ transform: @escaping @Sendable (Upstream) -> Value
  ) {
    self.transform = Function(consume transform)
    self.upstream = consume upstream
    super.init(linear: site, on: self.upstream.node.id) { signal, scope, trace, next, kind in
      let map = unsafeDowncast(signal, to: MapSignal.self)
      let stage =
        switch kind {
        case .inner: map.transform.mapping(consume next)
        case .root: map.transform.mappingLast(in: scope, consume next)
        case .selfTracing: map.transform.mappingTraced(trace, consume next)
        }
      map.upstream.attach(in: scope, trace, next: stage)
    }
  }

  deinit { releaseUpstreams() }

  @usableFromInline override var upstreams: Upstreams { .one(upstream) }
}

/// The closures that receive the values in a subscription to `map`: one for each ``NextKind``,
/// which says what receives the results.
extension Function {
  @inlinable @inline(__always)
  func mapping(_ next: __owned @escaping @Sendable (Output) -> Void) -> @Sendable (Input) -> Void {
    { next(self.call($0)) }
  }

  @inlinable @inline(__always)
  func mappingTraced(
    _ trace: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Output) -> Void
  ) -> @Sendable (Input) -> Void {
    let stage = TracedStage(trace, self, consume next)
    return { value in
      stage.send(stage.operation._withUnsafeGuaranteedRef { $0.call(value) })
    }
  }

  @inlinable @inline(__always)
  func mappingLast(
    in scope: Subscription,
    _ next: __owned @escaping @Sendable (Output) -> Void
  ) -> @Sendable (Input) -> Void {
    {
      let value = self.call($0)
      if scope.isActive { next(value) }
    }
  }
}
