public import ReactiveTrace

/// Records a value that passes a stage.
///
/// This function is compiled in this module, and called from others: where the compiler specialises
/// a closure of this module in another one, it does not inline the C functions that record an
/// event.
///
/// Must not be called for a stage that is not traced.
@usableFromInline @inline(never)
func recordNext(_ stage: TraceID) {
  assert(stage != .none)
  Tracer.nextOfTraced(stage)
}

/// Records a stage's values and its release in the trace.
@usableFromInline
struct StageRecorder: Sendable {
  @usableFromInline let id: TraceID
  @usableFromInline let describes: Bool

  @inlinable @inline(__always)
  init(_ trace: SubscriptionTrace?) {
    id = trace?.id ?? .none
    describes = Tracer.mayRecordValues(of: id)
  }

  /// Records a value that passes to the next stage.
  @inlinable @inline(__always)
  func record<Value>(_ value: Value) {
    // `describe` also calls `recordNext`, so that no value has to be kept across that call here.
    if describes { describe(value) } else { recordNext(id) }
  }

  @inlinable @inline(never)
  func describe<Value>(_ value: Value) {
    recordNext(id)
    Tracer.value(id, value)
  }

  /// Records that the stage's closures have been freed.
  @inlinable @inline(__always)
  func release() { Tracer.release(id) }
}
