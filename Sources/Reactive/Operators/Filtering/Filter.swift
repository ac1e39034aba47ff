public import TraceFormat

extension Signal {
  /// Forwards the values for which a test is true.
  ///
  /// ```
  /// source               -1-2-3-4-|
  /// filter { $0 > 2 }    -----3-4-|
  /// ```
  ///
  /// - Parameters:
  ///   - isIncluded: Runs once per value and subscription.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  @inlinable
  public consuming func filter(
    _ isIncluded: consuming @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("filter", file, line, column, .drops)
    return FilterSignal(site, self, isIncluded)
  }
}

/// The signal that `filter` returns.
///
/// Subscriptions to the signal retain the test, but not the signal itself.
@usableFromInline
final class FilterSignal<Value: Sendable, Failure: Error>: Signal<Value, Failure>,
  @unchecked Sendable
{
  @usableFromInline let upstream: Signal<Value, Failure>
  @usableFromInline let isIncluded: Function<Value, Bool>

  @inlinable @inline(__always)
  init(
    _ site: Site,
    _ upstream: Signal<Value, Failure>,
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) {
    self.isIncluded = Function(consume isIncluded)
    self.upstream = consume upstream
    super.init(linear: site, on: self.upstream.node.id) { signal, scope, trace, next, kind in
      let filter = unsafeDowncast(signal, to: FilterSignal.self)
      let stage =
        switch kind {
        case .inner: filter.isIncluded.filtering(consume next)
        case .root: filter.isIncluded.filteringLast(in: scope, consume next)
        case .selfTracing: filter.isIncluded.filteringTraced(trace, consume next)
        }
      filter.upstream.attach(in: scope, trace, next: stage)
    }
  }

  deinit { releaseUpstreams() }

  @usableFromInline override var upstreams: Upstreams { .one(upstream) }
}

/// The closures that receive the values in a subscription to `filter`: one for each ``NextKind``,
/// which says what receives the results.
extension Function where Output == Bool {
  @inlinable @inline(__always)
  func filtering(_ next: __owned @escaping @Sendable (Input) -> Void) -> @Sendable (Input) -> Void {
    { if self.call($0) { next($0) } }
  }

  @inlinable @inline(__always)
  func filteringTraced(
    _ trace: SubscriptionTrace?,
    _ next: __owned @escaping @Sendable (Input) -> Void
  ) -> @Sendable (Input) -> Void {
    let stage = TracedStage(trace, self, consume next)
    return { value in
      if stage.operation._withUnsafeGuaranteedRef({ $0.call(value) }) { stage.send(value) }
    }
  }

  @inlinable @inline(__always)
  func filteringLast(
    in scope: Subscription,
    _ next: __owned @escaping @Sendable (Input) -> Void
  ) -> @Sendable (Input) -> Void {
    { if self.call($0), scope.isActive { next($0) } }
  }
}
