import ReactiveTrace

/// A traced stage of an operator, used as the context of the operator's closure, so that it needs
/// no probe: it costs no more objects than an untraced stage.
@usableFromInline
final class TracedStage<Operation: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
  // `@unchecked` because of `operation`; the object that it retains is `Sendable`.
  /// Retained manually, so that calling its function retains nothing.
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
