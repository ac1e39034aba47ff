/// The state of one stage of a subscription, that is, of the part that one operator makes.
///
/// Unchecked because rule 3 of the event contract makes the events of a stage serial, and the gate
/// before the stage, or the thread of the source, orders them.
@usableFromInline
final class StageState<State>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var value: State

  @inlinable @inline(__always)
  init(_ value: State) { self.value = value }
}
