/// The state of one stage of a subscription.
///
/// Unchecked because contract rule 3 makes the events of a stage serial, and the gate before it, or
/// the thread of the source, orders them.
@usableFromInline
final class StageState<State>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var value: State

  @inlinable @inline(__always)
  init(_ value: State) { self.value = value }
}
