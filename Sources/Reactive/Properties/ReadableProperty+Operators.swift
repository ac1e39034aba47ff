import TraceFormat

extension ReadableProperty {
  /// A property whose values are pairs of the values of this property and another: the first with
  /// the first, the second with the second, and so on.
  ///
  /// ```
  /// this        1---2---3--
  /// other       a-----b----
  /// zip(with:)  A-----B----      A: 1a, B: 2b
  /// ```
  ///
  /// The first pair consists of the two values at the time of the call. The new property keeps the
  /// values that have no partner yet, and stays subscribed to both properties until the last copy
  /// of it, and of the properties derived from it, has been released.
  ///
  /// - Parameters:
  ///   - other: The other property.
  /// - Returns: A property that completes when no more pairs are possible.
  public func zip<Other: ReadableProperty>(
    with other: Other,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<(Value, Other.Value)> {
    let first = readOnly
    let second = other.readOnly
    return Property(
      initial: (first.value, second.value),
      then: Reactive.zip(first.signal, second.signal, file: file, line: line, column: column),
      Site("zip", file, line, column, [.hot, .root, .pairs, .waitsForAll, .partners]),
      of: .many([first.signal, second.signal]),
      argument: .none,
      keepers: first.keepers + second.keepers
    )
  }

  /// A property that takes on each value of this property that is not equivalent to its own current
  /// value.
  ///
  /// The values of the two properties can therefore differ. The new property stays subscribed to
  /// this property until the last copy of it, and of the properties derived from it, has been
  /// released.
  ///
  /// - Parameters:
  ///   - areEquivalent: Returns true if `next` is to be left out after `previous`.
  /// - Returns: A property that completes with this one.
  public func distinctUntilChanged(
    by areEquivalent: @escaping @Sendable (_ previous: Value, _ next: Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Value> {
    let source = readOnly
    return Property(
      initial: source.value,
      then: source.signal.distinctUntilChanged(
        by: areEquivalent,
        file: file,
        line: line,
        column: column
      ),
      Site("distinctUntilChanged", file, line, column, [.hot, .root, .drops]),
      of: .one(source.signal),
      keepers: source.keepers
    )
  }
}

extension ReadableProperty where Value: Equatable {
  /// A property with the same value as this one, whose signal leaves out values that are equal to
  /// the last value sent.
  ///
  /// ReactiveSwift calls this operator `skipRepeats`. The new property stores no value: it reads
  /// the value of this property.
  ///
  /// - Returns: A property that completes with this one.
  public func distinctUntilChanged(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Value> {
    let source = readOnly
    return Property(
      signal: source.signal.distinctUntilChanged(file: file, line: line, column: column),
      keepers: source.keepers
    ) { source.value }
  }
}

extension ReadableProperty where Value == Bool {
  /// A property that is true while this one and another are both true.
  ///
  /// - Parameters:
  ///   - other: The other property.
  /// - Returns: A property that completes when both have completed; its signal sends whenever one
  ///   of the two sends.
  public func and(
    _ other: some ReadableProperty<Bool>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Bool> {
    let (first, second) = (readOnly, other.readOnly)
    return Property(
      signal: first.signal.and(second.signal, file: file, line: line, column: column),
      keepers: first.keepers + second.keepers
    ) { first.value && second.value }
  }

  /// A property that is true while this one or another is true.
  ///
  /// - Parameters:
  ///   - other: The other property.
  /// - Returns: A property that completes when both have completed; its signal sends whenever one
  ///   of the two sends.
  public func or(
    _ other: some ReadableProperty<Bool>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Bool> {
    let (first, second) = (readOnly, other.readOnly)
    return Property(
      signal: first.signal.or(second.signal, file: file, line: line, column: column),
      keepers: first.keepers + second.keepers
    ) { first.value || second.value }
  }

  /// A property whose value is the negation of the value of this property.
  ///
  /// - Returns: A property that completes with this one.
  public func negate(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Bool> {
    let source = readOnly
    return Property(
      signal: source.signal.negate(file: file, line: line, column: column),
      keepers: source.keepers
    ) { !source.value }
  }
}
