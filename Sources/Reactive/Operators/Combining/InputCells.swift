/// One of the inputs of a ``CombineManyStage``.
///
/// This class is `@unchecked Sendable` because a cell is used only inside the gate of the stage,
/// which lets one thread at a time deliver events.
@usableFromInline
class InputCell: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var state = CombinedInput.running

  @inlinable
  init() {}

  /// Whether the cell holds no value.
  @usableFromInline var isEmpty: Bool { true }

  /// How many values wait in the cell for values of other inputs.
  @usableFromInline var waiting: Int { 0 }

  /// Releases the values.
  @usableFromInline
  func clear() {}
}

/// All inputs of a ``CombineManyStage``; counts the values that wait in them.
@usableFromInline
struct InputCells: Holding, Sendable {
  @usableFromInline let cells: [InputCell]

  @inlinable
  init(_ cells: [InputCell]) { self.cells = cells }

  @usableFromInline var held: Int { cells.reduce(0) { $0 + $1.waiting } }
}

/// An input whose values have the type `Value`.
@usableFromInline
class ValueCell<Value: Sendable>: InputCell, @unchecked Sendable {
  /// Makes the kind of cell that a combination needs.
  @inlinable
  static func make(for combination: Combination) -> ValueCell {
    combination == .zipped ? QueueCell() : LatestCell()
  }

  @inlinable
  override init() { super.init() }

  /// Stores a value.
  @usableFromInline
  func put(_ value: Value) {}

  /// Returns the value to combine; there must be one.
  @usableFromInline
  func take() -> Value { preconditionFailure("an input without a value was combined") }
}

/// Holds the latest value of an input, even after the value has been combined.
@usableFromInline
final class LatestCell<Value: Sendable>: ValueCell<Value>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  override init() { super.init() }

  override var isEmpty: Bool { value == nil }
  override func put(_ value: Value) { self.value = value }
  override func take() -> Value { value ?? super.take() }
  override func clear() { value = nil }
}

/// Holds the values of an input that have not been combined yet.
@usableFromInline
final class QueueCell<Value: Sendable>: ValueCell<Value>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var values = Fifo<Value>()

  @inlinable
  override init() { super.init() }

  override var isEmpty: Bool { values.isEmpty }
  override var waiting: Int { values.count }
  override func put(_ value: Value) { values.push(value) }
  override func take() -> Value { values.pop() ?? super.take() }
  override func clear() { values = Fifo() }
}
