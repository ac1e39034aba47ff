public import ReactiveTrace

/// How many values something holds, as the trace records it: for buffers and gates, which report
/// each change themselves.
@usableFromInline
struct HeldCount: Sendable {
  @usableFromInline let id: TraceID

  /// The count of a stage; nil for one that is not traced.
  @inlinable @inline(__always)
  init(of trace: SubscriptionTrace?) { id = trace?.id ?? .none }

  /// The count of a subscription or a signal; none for one that is not traced.
  @inlinable @inline(__always)
  init(ofEntity id: TraceID) { self.id = id }

  @inlinable var isRecorded: Bool { @inline(__always) get { id != .none } }

  /// Records the number, which is read only then.
  @inlinable @inline(__always)
  func changed(to held: @autoclosure () -> Int) {
    if isRecorded { Tracer.depth(id, held()) }
  }
}
