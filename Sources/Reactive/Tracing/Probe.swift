public import ReactiveTrace

/// Records the values that pass from one stage to the next, and its own release, which shows that
/// the stage's closures have been freed.
///
/// A stage is the subscription to one signal of a chain of operators.
///
/// The probe is the only capture of its closure, and therefore the closure's context: a traced
/// stage costs only one object more than a stage that is not traced.
@usableFromInline
final class Probe<Value: Sendable>: Sendable {
  @usableFromInline let recorder: StageRecorder
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(_ trace: SubscriptionTrace?, _ next: __owned @escaping @Sendable (Value) -> Void) {
    recorder = StageRecorder(trace)
    self.next = consume next
  }

  deinit { recorder.release() }

  @inlinable @inline(__always)
  func handler() -> @Sendable (Value) -> Void {
    {
      self.recorder.record($0)
      self.next($0)
    }
  }
}

/// Records the values that reach the closure of a subscription: a program's handler, or a closure
/// of the library itself.
@usableFromInline
final class RootProbe<Value: Sendable>: Sendable {
  @usableFromInline let id: TraceID
  @usableFromInline let whole: Subscription
  /// Whether values that come after the end are recorded as refused.
  @usableFromInline let recordsRefused: Bool
  @usableFromInline let next: @Sendable (Value) -> Void

  @inlinable @inline(__always)
  init(
    _ id: TraceID,
    _ whole: Subscription,
    recordsRefused: Bool = true,
    _ next: __owned @escaping @Sendable (Value) -> Void
  ) {
    self.id = id
    self.whole = whole
    self.recordsRefused = recordsRefused
    self.next = consume next
  }

  deinit { Tracer.release(id) }

  @inlinable @inline(__always)
  func handler() -> @Sendable (Value) -> Void {
    {
      if self.whole.isActive {
        recordNext(self.id)
        self.next($0)
      } else if self.recordsRefused {
        Tracer.refused(self.id, .next)
      }
    }
  }
}
