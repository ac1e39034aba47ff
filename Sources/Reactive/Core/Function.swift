/// The function that an operator applies to each value, in an object that is made once, when the
/// operator is applied.
///
/// The operator's signal and the stages of its subscriptions each hold one reference to the object.
/// A running subscription therefore keeps the function alive, but not the signal.
@usableFromInline
final class Function<Input: Sendable, Output: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (Input) -> Output

  @inlinable @inline(__always)
  init(_ call: @escaping @Sendable (Input) -> Output) { self.call = consume call }
}
