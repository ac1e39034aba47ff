/// One of the inputs of a ``CombineManyStage``.
///
/// Unchecked because it is only used inside the gate of the stage.
@usableFromInline
class InputCell: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var state = CombinedInput.running

  @inlinable
  init() {}

  /// Whether it holds no value.
  @usableFromInline var isEmpty: Bool { true }

  /// Releases the values.
  @usableFromInline
  func clear() {}
}

/// An input whose values have the type `Value`.
@usableFromInline
class ValueCell<Value: Sendable>: InputCell, @unchecked Sendable {
  /// Makes the kind of cell that a combination needs; `trace` is the operator's stage, if it is
  /// traced.
  @usableFromInline
  static func make(for combination: Combination, _ trace: SubscriptionTrace?) -> ValueCell {
    combination == .zipped ? QueueCell(trace) : LatestCell()
  }

  @inlinable
  override init() { super.init() }

  /// Stores a value; `waits` says whether values of other inputs are still missing.
  @usableFromInline
  func put(_ value: Value, waits: Bool) {}

  /// Returns the value to combine; there must be one.
  @usableFromInline
  func take() -> Value { preconditionFailure("an input without a value was combined") }
}

/// The latest value of an input, which is kept when it has been combined.
private final class LatestCell<Value: Sendable>: ValueCell<Value>, @unchecked Sendable {
  @exclusivity(unchecked) private var value: Value?

  override var isEmpty: Bool { value == nil }
  override func put(_ value: Value, waits: Bool) { self.value = value }
  override func take() -> Value { value ?? super.take() }
  override func clear() { value = nil }
}

/// The values of an input that have not been combined yet.
private final class QueueCell<Value: Sendable>: ValueCell<Value>, @unchecked Sendable {
  @exclusivity(unchecked) private var held: Held<Fifo<Value>>

  init(_ trace: SubscriptionTrace?) {
    held = Held(Fifo(), for: trace)
    super.init()
  }

  override var isEmpty: Bool { held.values.isEmpty }
  override func put(_ value: Value, waits: Bool) {
    // A value that is combined at once is not recorded as held.
    if waits { held.push(value) } else { held.values.push(value) }
  }
  override func take() -> Value { held.values.pop() ?? super.take() }
  override func clear() { held.values = Fifo() }
}
