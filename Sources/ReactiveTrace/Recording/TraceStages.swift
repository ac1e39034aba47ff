/// Stages of a subscription that have begun together: a stage is the subscription to one signal of
/// a chain of operators.
public struct TraceStages: Sendable {
  /// The stage that was requested.
  public var first: TraceID = .none
  /// The stage furthest upstream, which ends before all others.
  public var last: TraceID = .none
  /// The stage downstream of the first one, which ends after it; none if there is none.
  public var next: TraceID = .none

  /// No traced stage.
  public init() {}

  /// A single stage.
  @inlinable
  public init(_ only: TraceID) {
    first = only
    last = only
  }

  init(first: TraceID, last: TraceID, next: TraceID) {
    self.first = first
    self.last = last
    self.next = next
  }
}
