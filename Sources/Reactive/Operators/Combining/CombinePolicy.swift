/// The state of one input of a combining operator, or of the operator itself.
@usableFromInline
enum CombinedInput: Sendable {
  case running
  case completed
  /// Ended without an event (event contract, rule 11).
  case gone

  /// Returns nil for a failure, which the operator forwards at once.
  @inlinable
  init?<Failure: Error>(_ end: End<Failure>) {
    switch end {
    case .completed: self = .completed
    case .failed: return nil
    case .sourceGone: self = .gone
    }
  }
}

/// Decides which values of two signals are paired, and when no further pair is possible.
@usableFromInline
protocol CombinePolicy: Sendable {
  associatedtype Left: Sendable
  associatedtype Right: Sendable

  /// Whether events of the second input wait until all values that the first input sends on
  /// subscription have arrived (``Arrival``).
  static var holdsSecond: Bool { get }

  /// Whether each value is used in only one pair, so that the result may have to end directly after
  /// a pair.
  static var consumesValues: Bool { get }

  /// Creates a policy that holds no values; `trace` identifies the operator's subscription in the
  /// trace, and is nil if nothing is recorded.
  init(for trace: SubscriptionTrace?)

  /// Returns the pair to send, if there is one.
  mutating func receiveLeft(_ value: Left) -> (Left, Right)?
  mutating func receiveRight(_ value: Right) -> (Left, Right)?

  /// The state of the operator, given the states of its inputs.
  func result(_ left: CombinedInput, _ right: CombinedInput) -> CombinedInput

  /// Releases the values.
  mutating func clear()
}

/// Pairs the latest values of both signals, once both have sent one, until both have ended.
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

/// Pairs the first values of both signals, then the second values, and so on, until one signal has
/// ended and all its values are paired.
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
    // An input counts as ended only when all its values have been paired. If an input that counts
    // as ended has completed, the result completes, even if the other input has ended without an
    // event.
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
