/// The common part of the operators whose closure may fail: if the closure fails, the result fails,
/// and the source is disposed of.
extension Signal {
  /// Calls `step` with each value of this signal, sends the results that are not nil, and fails
  /// when `step` throws.
  ///
  /// `upstream` is the scope that ends the subscription to this signal.
  @inlinable @inline(__always)
  func attachTrying<Result: Sendable, NewFailure: Error>(
    to down: Sink<Result, NewFailure>,
    _ upstream: Scope<Failure>,
    _ step: @escaping @Sendable (Value) throws(NewFailure) -> Result?
  ) {
    attach(
      Sink(upstream, down.trace, down.downstreamGate) {
        [next = down.next, scope = down.scope] value in
        do throws(NewFailure) {
          if let result = try step(value) { next(result) }
        } catch {
          scope.end(.failed(error))
        }
      }
    )
  }
}
