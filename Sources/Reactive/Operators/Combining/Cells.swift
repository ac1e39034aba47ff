/// What one of many inputs has sent, for the stages that combine any number of them.
///
/// Unchecked because only whoever is inside the gate of the stage touches it.
@usableFromInline
class InputCell: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var hasEnded = false
  /// Whether it has ended without an event.
  @exclusivity(unchecked) @usableFromInline final var isGone = false

  @usableFromInline
  init() {}

  /// Whether nothing is there to be used.
  @usableFromInline var isEmpty: Bool { true }

  /// Lets go of what is there.
  @usableFromInline
  func clear() {}
}

/// The latest value of one input.
@usableFromInline
final class LatestCell<Value: Sendable>: InputCell, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var value: Value?

  /// The value, where there is one.
  @usableFromInline var latest: Value {
    guard let value else { preconditionFailure("an input without a value was combined") }
    return value
  }

  @usableFromInline override var isEmpty: Bool { value == nil }
  @usableFromInline
  override func clear() { value = nil }
}

/// The values of one input that wait for partners.
@usableFromInline
final class QueueCell<Value: Sendable>: InputCell, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var values = Fifo<Value>()

  /// Takes the oldest value, where there is one.
  @usableFromInline
  func take() -> Value {
    guard let value = values.pop() else { preconditionFailure("an empty input was zipped") }
    return value
  }

  @usableFromInline override var isEmpty: Bool { values.isEmpty }
  @usableFromInline
  override func clear() { values = Fifo() }
}
