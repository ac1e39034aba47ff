import TraceFormat

/// The contents of a buffer, which can be counted.
@usableFromInline
protocol Holding {
  /// How many values the buffer holds.
  var held: Int { get }
}

extension Fifo: Holding {
  @inlinable var held: Int { @inline(__always) get { count } }
}

extension Array: Holding {
  @inlinable var held: Int { @inline(__always) get { count } }
}

extension Set: Holding {
  @inlinable var held: Int { @inline(__always) get { count } }
}

extension Optional: Holding {
  @inlinable var held: Int { @inline(__always) get { self == nil ? 0 : 1 } }
}

/// The values that a stage of a subscription holds, and whose number is recorded in the trace.
///
/// This type is for stages that receive one event at a time. If several threads change the
/// contents, use ``HeldLocked``.
@usableFromInline
struct Held<Values: Holding> {
  /// The contents.
  ///
  /// Direct changes are not recorded. Make them only if the number of values stays the same, or
  /// when no values are kept any more, such as at the end of the subscription.
  @usableFromInline var values: Values
  @usableFromInline let count: HeldCount

  @inlinable @inline(__always)
  init(_ values: Values, for trace: SubscriptionTrace?) {
    self.init(values, HeldCount(of: trace))
  }

  /// Creates the contents of a buffer that belongs to a signal rather than to a subscription.
  init(_ values: Values, forSignal id: TraceID) { self.init(values, HeldCount(ofEntity: id)) }

  @inlinable @inline(__always)
  init(_ values: Values, _ count: HeldCount) {
    self.values = values
    self.count = count
  }

  /// Changes the contents, and records how many values there are.
  @inlinable @inline(__always) @discardableResult
  mutating func change<Result>(_ body: (inout Values) -> Result) -> Result {
    let result = body(&values)
    count.changed(to: values.held)
    return result
  }
}

extension Held: Sendable where Values: Sendable {}

extension Held {
  /// Appends a value.
  @inlinable @inline(__always)
  mutating func push<Value>(_ value: Value) where Values == Fifo<Value> {
    change { $0.push(value) }
  }

  /// Takes the oldest value; nil if there is none.
  @inlinable @inline(__always)
  mutating func pop<Value>() -> Value? where Values == Fifo<Value> {
    guard let value = values.pop() else { return nil }
    count.changed(to: values.count)
    return value
  }

  /// Adds a value; returns false if the set already contains it.
  @inlinable @inline(__always)
  mutating func insert<Value>(_ value: Value) -> Bool where Values == Set<Value> {
    guard values.insert(value).inserted else { return false }
    count.changed(to: values.count)
    return true
  }

  /// Takes all values.
  @inlinable @inline(__always)
  mutating func takeAll<Value>() -> [Value] where Values == [Value] {
    change { values in
      defer { values = [] }
      return values
    }
  }
}
