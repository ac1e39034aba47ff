import ReactiveTrace

/// A traced stage of an operator, which itself records the values that pass.
///
/// The stage is the context of the operator's closure. It therefore needs no ``Probe``, and
/// allocates no more objects than an untraced one.
@usableFromInline
final class TracedStage<Operation: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
  // `@unchecked` is safe: every property is a constant, and the retained operation is `Sendable`.
  /// The operation, retained manually so that calling its function does not retain it again.
  @usableFromInline let operation: Unmanaged<Operation>
  @usableFromInline let recorder: StageRecorder
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(
    _ trace: SubscriptionTrace?,
    _ operation: Operation,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    self.operation = .passRetained(operation)
    recorder = StageRecorder(trace)
    self.next = consume next
  }

  deinit {
    recorder.release()
    operation.release()
  }

  @inlinable @inline(__always)
  func send(_ value: Value) {
    recorder.record(value)
    next(value)
  }
}
