/// How far one of the inputs of a combining operator is, or the operator itself.
@usableFromInline
enum CombinedInput: Sendable {
  case running
  case completed
  /// It can no longer send, without having ended by an event.
  case gone

  /// Nil for a failure, which ends the whole at once.
  @inlinable
  init?<Failure: Error>(_ end: End<Failure>) {
    switch end {
    case .completed: self = .completed
    case .failed: return nil
    case .sourceGone: self = .gone
    }
  }
}

/// Which values of two signals belong together, and when no further pair is possible.
@usableFromInline
protocol CombinePolicy: Sendable {
  associatedtype Left: Sendable
  associatedtype Right: Sendable

  /// Whether the second input is held until the values have come that the first one sends when it is
  /// subscribed to.
  static var holdsSecond: Bool { get }

  /// Whether a value is part of one pair only, so that a pair can be the last.
  static var consumesValues: Bool { get }

  /// Creates a policy without values, in a stage that may be traced.
  init(for trace: SubscriptionTrace?)

  /// Returns the pair to send, if there is one.
  mutating func receiveLeft(_ value: Left) -> (Left, Right)?
  mutating func receiveRight(_ value: Right) -> (Left, Right)?

  /// What the inputs' states mean for the whole.
  func result(_ left: CombinedInput, _ right: CombinedInput) -> CombinedInput

  /// Releases the values.
  mutating func clear()
}

/// The latest value of each, once both have sent one; until both have ended.
@usableFromInline
struct LatestPair<Left: Sendable, Right: Sendable>: CombinePolicy {
  @usableFromInline var left: Left?
  @usableFromInline var right: Right?

  @inlinable static var holdsSecond: Bool { true }
  @inlinable static var consumesValues: Bool { false }

  @inlinable
  init(for trace: SubscriptionTrace?) {}

  @inlinable @inline(__always)
  mutating func receiveLeft(_ value: Left) -> (Left, Right)? {
    left = value
    guard let right else { return nil }
    return (value, right)
  }

  @inlinable @inline(__always)
  mutating func receiveRight(_ value: Right) -> (Left, Right)? {
    right = value
    guard let left else { return nil }
    return (left, value)
  }

  @inlinable @inline(__always)
  func result(_ left: CombinedInput, _ right: CombinedInput) -> CombinedInput {
    if left == .running || right == .running { return .running }
    return left == .gone || right == .gone ? .gone : .completed
  }

  @inlinable
  mutating func clear() {
    left = nil
    right = nil
  }
}

/// The first value with the first, the second with the second; until one has ended and its values are
/// used up.
@usableFromInline
struct ZippedPair<Left: Sendable, Right: Sendable>: CombinePolicy {
  @usableFromInline var left: Held<Fifo<Left>>
  @usableFromInline var right: Held<Fifo<Right>>

  @inlinable static var holdsSecond: Bool { false }
  @inlinable static var consumesValues: Bool { true }

  @inlinable
  init(for trace: SubscriptionTrace?) {
    left = Held(Fifo(), for: trace)
    right = Held(Fifo(), for: trace)
  }

  @inlinable @inline(__always)
  mutating func receiveLeft(_ value: Left) -> (Left, Right)? {
    if let other = right.pop() { return (value, other) }
    left.push(value)
    return nil
  }

  @inlinable @inline(__always)
  mutating func receiveRight(_ value: Right) -> (Left, Right)? {
    if let other = left.pop() { return (other, value) }
    right.push(value)
    return nil
  }

  @inlinable @inline(__always)
  func result(_ left: CombinedInput, _ right: CombinedInput) -> CombinedInput {
    if left == .running, right == .running { return .running }
    // Completed if one of those that are used up has completed.
    let leftResult = self.left.values.isEmpty ? left : .running
    let rightResult = self.right.values.isEmpty ? right : .running
    if leftResult == .completed || rightResult == .completed { return .completed }
    return leftResult == .gone || rightResult == .gone ? .gone : .running
  }

  @inlinable
  mutating func clear() {
    left.values = Fifo()
    right.values = Fifo()
  }
}
