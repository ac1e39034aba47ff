public import ReactiveTrace

/// Records the end of traced stages that are not in the ``StageList`` of their scope.
///
/// A stage is the subscription to one signal of a chain of operators.
@usableFromInline
final class StageEnd: Teardown, @unchecked Sendable {
  private let id: TraceID

  @usableFromInline
  init(_ id: TraceID) {
    self.id = id
    super.init()
  }

  @usableFromInline
  override func teardown(_ ending: Ending) { ending.record(id) }
}

extension Ending {
  /// Records that a stage has ended, together with the stages that the trace has linked to it.
  @usableFromInline
  func record(_ id: TraceID) {
    switch reason {
    case .completed: Tracer.ended(id, by: nil)
    case .failed: Tracer.ended(id, by: errorType ?? (any Error).self)
    case .cancelled, .ownerGone, .sourceGone: Tracer.ended(id, reason, cause, by: owner)
    }
  }
}

extension Ending {
  /// Creates the ending for a failure that is about to be forwarded, and records the failure.
  @inlinable @inline(__always)
  init(of error: some Error) {
    Tracer.failure(error)
    self.init(.failed, type(of: error), by: .event)
  }
}
