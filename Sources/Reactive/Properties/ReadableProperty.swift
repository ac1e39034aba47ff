/// A value that can be read at any time and observed through a signal, such as a
/// ``MutableProperty`` or a ``Property``.
public protocol ReadableProperty<Value>: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The current value.
  ///
  /// Any thread may read it.
  var value: Value { get }

  /// The value at the time of the subscription, then each value that is set; completes when the
  /// property does.
  ///
  /// The signal does not keep the property alive.
  var signal: Signal<Value, Never> { get }

  /// A read-only view of this property.
  ///
  /// The view does not keep a ``MutableProperty`` alive: when the property is released, the view
  /// keeps the last value.
  var readOnly: Property<Value> { get }
}

extension ReadableProperty {
  /// A property whose value a function computes from the value of this property.
  ///
  /// The new property stores no value: the function runs whenever the value is read, and once per
  /// subscriber for each value. Reading or releasing a long chain of derived properties cannot
  /// overflow the stack. The signal of the last property, like any chain of operators (``Signal``),
  /// uses some stack for each property of the chain.
  ///
  /// - Parameters:
  ///   - transform: Must have no side effects; any thread may run it.
  /// - Returns: A property that completes with this one.
  public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Result> {
    let source = readOnly
    return Property(
      signal: source.signal.map(transform, file: file, line: line, column: column),
      keepers: source.keepers,
      reader: DerivedReader(source.reader, transform)
    )
  }

  /// A property whose value is the pair of the values of this property and another.
  ///
  /// - Parameters:
  ///   - other: The other property.
  /// - Returns: A property that completes when both have completed.
  public func combineLatest<Other: ReadableProperty>(
    with other: Other,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<(Value, Other.Value)> {
    let first = readOnly
    let second = other.readOnly
    return Property(
      signal: Reactive.combineLatest(
        first.signal,
        second.signal,
        file: file,
        line: line,
        column: column
      ),
      keepers: first.keepers + second.keepers,
      reader: first.reader.combined(with: second.reader)
    )
  }

  /// A property with the value of the inner property that a function returns for the current value
  /// of this property.
  ///
  /// - Parameters:
  ///   - transform: Must have no side effects; any thread may run it.
  /// - Returns: A property that completes when this property and the last inner property have
  ///   completed.
  public func flatMapLatest<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Property<Result>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Property<Result> {
    let source = readOnly
    return Property(
      signal: source.signal.flatMapLatest(
        { value in
          let inner = transform(value)
          guard !inner.keepers.isEmpty else { return inner.signal }
          // The closure holds the objects that keep the inner property alive, for as long as the
          // inner property is observed.
          return inner.signal.doNext(
            { [keepers = inner.keepers] _ in withExtendedLifetime(keepers) {} },
            file: file,
            line: line,
            column: column
          )
        },
        file: file,
        line: line,
        column: column
      ),
      keepers: source.keepers,
      reader: DerivedReader(source.reader) { transform($0).value }
    )
  }
}
