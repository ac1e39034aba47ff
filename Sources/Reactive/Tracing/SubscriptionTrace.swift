public import ReactiveTrace

/// A stage of a subscription, as the trace identifies it: the subscription to one signal of a chain
/// of operators.
///
/// It exists only if something is recorded. The trace then knows the stage until the stage's
/// closures have been freed (``Probe``). Code that may report something about the stage after that
/// calls ``keep()``.
@usableFromInline
struct SubscriptionTrace: Sendable {
  @usableFromInline let id: TraceID

  @inlinable @inline(__always)
  init(_ id: TraceID) { self.id = id }

  /// Keeps the stage known to the trace until ``release()``, even if its closures have been freed:
  /// for code that may still report refused events.
  @inlinable @inline(__always)
  func keep() { Tracer.held(id) }

  @inlinable @inline(__always)
  func release() { Tracer.release(id) }
}

extension Sink {
  /// Sends one of many values that a source sends in one go; if something is recorded, each value
  /// gets its own time.
  @inlinable @inline(__always)
  func nextInTime(_ value: Value) {
    if trace != nil { Tracer.tick() }
    next(value)
  }
}
