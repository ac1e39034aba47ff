public import ReactiveTrace

/// A stage of a subscription, as the trace identifies it.
///
/// Exists only if something is recorded. The stage's closures hold it then (``Probe``), and code
/// that reports something about the stage without holding those closures must hold it as well.
@usableFromInline
struct SubscriptionTrace: Sendable {
  @usableFromInline let id: TraceID

  @inlinable @inline(__always)
  init(_ id: TraceID) { self.id = id }

  /// Keeps the stage known after its closures have been freed, until ``release()``: for what may
  /// still report refused events.
  @inlinable @inline(__always)
  func keep() { Tracer.held(id) }

  @inlinable @inline(__always)
  func release() { Tracer.release(id) }
}

extension Sink {
  /// Sends a value of a source that sends many in one go: if something is recorded, each has its
  /// own time.
  @inlinable @inline(__always)
  func nextInTime(_ value: Value) {
    if trace != nil { Tracer.tick() }
    next(value)
  }
}
