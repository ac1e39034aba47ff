public import ReactiveTrace

/// Counts and records a value, in this module: the C functions of the event path are not inlined
/// where a closure of this module is specialised in another one.
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

  /// A value passes to the next stage.
  @inlinable @inline(__always)
  func record<Value>(_ value: Value) {
    // A separate call, so that nothing has to be kept across it if no value is described.
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
