/// The values that one of many inputs has sent, for stages that combine any number of inputs.
///
/// Unchecked because it is only used inside the gate of the stage.
@usableFromInline
class InputCell: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var hasEnded = false
  /// Whether it has ended without an event.
  @exclusivity(unchecked) @usableFromInline final var isGone = false

  @usableFromInline
  init() {}

  /// Whether it holds no value to use.
  @usableFromInline var isEmpty: Bool { true }

  /// Releases the values.
  @usableFromInline
  func clear() {}
}

/// The latest value of one input.
@usableFromInline
final class LatestCell<Value: Sendable>: InputCell, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  override init() { super.init() }

  /// The value; there must be one.
  @inlinable var latest: Value {
    guard let value else { preconditionFailure("an input without a value was combined") }
    return value
  }

  @usableFromInline override var isEmpty: Bool { value == nil }
  @usableFromInline
  override func clear() { value = nil }
}

/// The values of one input that wait for values of the other inputs.
@usableFromInline
final class QueueCell<Value: Sendable>: InputCell, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var held: Held<Fifo<Value>>

  /// - Parameter trace: The stage, if it is traced.
  @usableFromInline
  init(_ trace: SubscriptionTrace?) {
    held = Held(Fifo(), for: trace)
    super.init()
  }

  /// Takes the oldest value; there must be one.
  @usableFromInline
  func take() -> Value {
    guard let value = held.values.pop() else { preconditionFailure("an empty input was zipped") }
    return value
  }

  @usableFromInline override var isEmpty: Bool { held.values.isEmpty }
  @usableFromInline
  override func clear() { held.values = Fifo() }
}
