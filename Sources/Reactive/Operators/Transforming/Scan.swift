public import TraceFormat

extension Signal {
  /// Combines each value with the result so far, and sends each result.
  ///
  /// ```
  /// source       -1-2-3-|
  /// scan(0, +)   -1-3-6-|
  /// ```
  ///
  /// The initial result is not sent; an empty source gives an empty signal.
  ///
  /// - Parameters:
  ///   - initial: The result with which the first value of each subscription is combined.
  ///   - combine: Runs once per value and subscription.
  /// - Returns: A signal of results, which ends exactly when this one does, and in the same way.
  /// - Complexity: Retains one result per subscription.
  @inlinable
  public consuming func scan<Result: Sendable>(
    _ initial: consuming Result,
    _ combine: consuming @escaping @Sendable (Result, Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Result, Failure> {
    let site = Site("scan", file, line, column, .passes)
    return ScanSignal(site, self, initial, combine)
  }
}

/// The signal that `scan` returns.
///
/// Subscriptions to the signal retain the combining function, but not the signal itself.
@usableFromInline
final class ScanSignal<Upstream: Sendable, Value: Sendable, Failure: Error>: Signal<Value, Failure>,
  @unchecked Sendable
{
  @usableFromInline let upstream: Signal<Upstream, Failure>
  @usableFromInline let scan: ScanFunction<Upstream, Value>

  @inlinable @inline(__always)
  init(
    _ site: Site,
    _ upstream: Signal<Upstream, Failure>,
    _ initial: Value,
    _ combine: @escaping @Sendable (Value, Upstream) -> Value
  ) {
    scan = ScanFunction(consume initial, consume combine)
    self.upstream = consume upstream
    super.init(linear: site, on: self.upstream.node.id) { signal, scope, trace, next, kind in
      let scanning = unsafeDowncast(signal, to: ScanSignal.self)
      let stage =
        switch kind {
        case .inner: ScanStage(consume next, scanning.scan).handler()
        case .root: LastScanStage(consume next, scanning.scan, scope).lastHandler()
        case .selfTracing: TracedScanStage(trace, consume next, scanning.scan).tracedHandler()
        }
      scanning.upstream.attach(in: scope, trace, next: stage)
    }
  }

  deinit { releaseUpstreams() }

  @usableFromInline override var upstreams: Upstreams { .one(upstream) }
}

/// The initial result and the combining function of `scan`, in an object that is made once, when
/// the operator is applied; the counterpart of ``Function``.
@usableFromInline
final class ScanFunction<Value: Sendable, Result: Sendable>: Sendable {
  @usableFromInline let initial: Result
  @usableFromInline let combine: @Sendable (Result, Value) -> Result

  @inlinable @inline(__always)
  init(_ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result) {
    self.initial = consume initial
    self.combine = consume combine
  }
}

/// The state of `scan` in one subscription.
///
/// The closure that receives the values captures only this object, which therefore serves as the
/// closure's context: one object is allocated instead of two.
///
/// `sum` needs no lock, because values arrive one at a time (<doc:EventContract>, rule 3).
@usableFromInline
class ScanStage<Value: Sendable, Result: Sendable>: @unchecked Sendable {
  @usableFromInline final let next: @Sendable (Result) -> Void
  /// Retained manually, so that calling its function retains nothing.
  @usableFromInline final let scan: Unmanaged<ScanFunction<Value, Result>>
  @exclusivity(unchecked) @usableFromInline final var sum: Result

  @inlinable @inline(__always)
  init(_ next: __owned @escaping @Sendable (Result) -> Void, _ scan: ScanFunction<Value, Result>) {
    self.next = consume next
    self.scan = .passRetained(scan)
    sum = scan.initial
  }

  deinit { scan.release() }

  @inlinable @inline(__always)
  final func handler() -> @Sendable (Value) -> Void { { self.next(self.combined($0)) } }

  @inlinable @inline(__always)
  final func combined(_ value: Value) -> Result {
    let result = scan._withUnsafeGuaranteedRef { $0.combine(sum, value) }
    sum = result
    return result
  }
}

/// The state of a `scan` whose results go directly to a handler of the program; nothing is sent if
/// the combining function has ended the subscription.
@usableFromInline
final class LastScanStage<Value: Sendable, Result: Sendable>: ScanStage<Value, Result>,
  @unchecked Sendable
{
  @usableFromInline let scope: Subscription

  @inlinable @inline(__always)
  init(
    _ next: __owned @escaping @Sendable (Result) -> Void,
    _ scan: ScanFunction<Value, Result>,
    _ scope: Subscription
  ) {
    self.scope = scope
    super.init(consume next, scan)
  }

  @inlinable @inline(__always)
  func lastHandler() -> @Sendable (Value) -> Void {
    {
      let result = self.combined($0)
      if self.scope.isActive { self.next(result) }
    }
  }
}
