/// The function that an operator applies to each value, in an object that is made once, when the
/// operator is applied.
///
/// The operator's signal refers to it in one word, and so do the stages of its subscriptions. A
/// running subscription therefore holds the function, and no signal.
@usableFromInline
final class Function<Input: Sendable, Output: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (Input) -> Output

  @inlinable @inline(__always)
  init(_ call: @escaping @Sendable (Input) -> Output) { self.call = consume call }
}
