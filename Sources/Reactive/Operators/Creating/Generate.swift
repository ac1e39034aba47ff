import TraceFormat

extension Signal where Value: FixedWidthInteger {
  /// A cold signal that sends a number of consecutive integers, then completes.
  ///
  /// ```
  /// range(from: 3, count: 2)   (34|)
  /// ```
  ///
  /// The thread that subscribes sends all numbers before `subscribe` returns; no scheduler is
  /// needed (event contract, rule 8).
  ///
  /// - Parameters:
  ///   - first: The first number.
  ///   - count: How many numbers to send; must not be negative, and the last number must not exceed
  ///     `Value.max`.
  /// - Returns: A signal that completes after the last number.
  public static func range(
    from first: Value,
    count: Int,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    precondition(count >= 0, "range(count: \(count)): the count must be ≥ 0 (OperatorIndex, range)")
    precondition(
      count == 0 || count - 1 <= numbers(above: first),
      "range(from: \(first), count: \(count)): the numbers must not exceed \(Value.max)"
    )
    return Signal(
      Site("range", file, line, column),
      argument: .written { "from: \(first), count: \(count)" }
    ) {
      down in
      // The type may not be able to represent an offset although it can represent the sum: for
      // example, -100 + 149 in an Int8.
      down.send(all: (0..<count).lazy.map { first &+ Value(truncatingIfNeeded: $0) })
    }
  }

  /// The number of values of the type that are larger than a given one.
  private static func numbers(above first: Value) -> Value.Magnitude {
    Value.Magnitude(truncatingIfNeeded: Value.max) &- Value.Magnitude(truncatingIfNeeded: first)
  }
}

extension Signal {
  /// A cold signal that sends a first value, and then values that a closure makes, each from the
  /// previous one.
  ///
  /// ```
  /// generate(1, while: { $0 < 9 }) { $0 * 2 }   (1248|)
  /// ```
  ///
  /// - Parameters:
  ///   - first: The first value.
  ///   - isIncluded: Called with each value; the first value for which it returns false is not
  ///     sent, and completes the signal. By default the signal never completes.
  ///   - next: Makes the next value from the previous one, after the previous one has been handled.
  /// - Returns: A signal that starts over for each subscription.
  public static func generate(
    _ first: Value,
    while isIncluded: @escaping @Sendable (Value) -> Bool = { _ in true },
    next: @escaping @Sendable (Value) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("generate", file, line, column)) { down in
      down.startCold {
        down.send(all: sequence(first: first, next: next).lazy.prefix(while: isIncluded))
      }
    }
  }

  /// A cold signal that sends the values that a closure makes from a state, until the closure
  /// returns nil.
  ///
  /// ```
  /// unfold(3) { left in left == 0 ? nil : …  }   (321|)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state with which each subscription begins.
  ///   - next: Changes the state and returns the next value, or nil to complete. Runs after the
  ///     previous value has been handled.
  /// - Returns: A signal that starts over for each subscription.
  public static func unfold<State: Sendable>(
    _ state: State,
    _ next: @escaping @Sendable (inout State) -> Value?,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("unfold", file, line, column)) { down in
      down.startCold { down.send(all: sequence(state: state, next: next)) }
    }
  }

  /// A cold signal that sends one value again and again, without an end.
  ///
  /// ```
  /// repeating(1)   (1111…
  /// ```
  ///
  /// One thread sends the value in a loop and does nothing else until the subscription ends, for
  /// example because of `take`. To send values at intervals, use `interval`.
  ///
  /// - Parameters:
  ///   - value: Sent to each subscriber.
  /// - Returns: A signal that does not end by itself.
  public static func repeating(
    _ value: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("repeating", file, line, column, .endless)) { down in
      down.startCold {
        while down.scope.isActive { down.nextInTime(value) }
      }
    }
  }
}

extension Sink {
  /// Sends the values of a sequence, for as long as the subscription is active, then completes.
  func send(all values: some Sequence<Value>) {
    if trace != nil { return sendTicking(values) }
    var iterator = values.makeIterator()
    while scope.isActive, let value = iterator.next() { next(value) }
    scope.end(.completed)
  }
}
