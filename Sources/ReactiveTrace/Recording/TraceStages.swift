/// Stages of a subscription that have begun together.
public struct TraceStages: Sendable {
  /// The stage that was requested.
  public var first: TraceID = .none
  /// The stage that is linked before all others: the furthest upstream.
  public var last: TraceID = .none
  /// The stage that the first is linked before; none if there is none.
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
