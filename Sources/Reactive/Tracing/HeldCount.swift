public import ReactiveTrace

/// Records how many values a buffer or a gate holds; the buffer or gate reports each change itself.
///
/// A gate lets one thread at a time deliver events; the events of other threads wait in it.
@usableFromInline
struct HeldCount: Sendable {
  @usableFromInline let id: TraceID

  /// Creates the count of a stage; `trace` is nil if the stage is not traced.
  @inlinable @inline(__always)
  init(of trace: SubscriptionTrace?) { id = trace?.id ?? .none }

  /// Creates the count of a subscription or a signal; `id` is none if it is not traced.
  @inlinable @inline(__always)
  init(ofEntity id: TraceID) { self.id = id }

  @inlinable var isRecorded: Bool { @inline(__always) get { id != .none } }

  /// Records the number, which is only evaluated if it is recorded.
  @inlinable @inline(__always)
  func changed(to held: @autoclosure () -> Int) {
    if isRecorded { Tracer.depth(id, held()) }
  }
}
