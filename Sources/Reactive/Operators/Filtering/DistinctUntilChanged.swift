public import TraceFormat

extension Signal {
  /// Forwards a value only when it differs from the last value forwarded.
  ///
  /// ```
  /// source   -1-1-2-2-1-|
  /// result   -1---2---1-|
  /// ```
  ///
  /// Each value is compared with the value last *forwarded*, not with the value last received. So
  /// if values drift in steps that each count as equivalent, a value is forwarded as soon as the
  /// steps have added up to a difference.
  ///
  /// - Parameters:
  ///   - areEquivalent: Returns `true` if `next` is to be left out after `previous`.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains one value per subscription.
  @inlinable
  public func distinctUntilChanged(
    by areEquivalent: @escaping @Sendable (_ previous: Value, _ next: Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("distinctUntilChanged", file, line, column, .drops), .one(self)) { [self] down in
      attachDistinct(to: down, by: areEquivalent)
    }
  }

  @inlinable
  func attachDistinct(
    to down: Sink<Value, Failure>,
    by areEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) {
    let last = StageState<Value?>(nil)
    attach(
      down.with { [next = down.next] value in
        if let previous = last.value, areEquivalent(previous, value) { return }
        last.value = value
        next(value)
      }
    )
  }

  /// Forwards a value only when one of its properties differs from the same property of the last
  /// value forwarded.
  ///
  /// ```
  /// source                           -1-2-3-4-|   1 and 2, 3 and 4 have the same name
  /// distinctUntilChanged(by: \.name) -1---3---|
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: Read once per value and subscription; differences in other properties do not
  ///     count.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains the property of one value per subscription.
  @inlinable @_disfavoredOverload
  public func distinctUntilChanged<Key: Equatable & Sendable>(
    by keyPath: any KeyPath<Value, Key> & Sendable,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("distinctUntilChanged", file, line, column, .drops), .one(self)) { [self] down in
      let last = StageState<Key?>(nil)
      attach(
        down.with { [next = down.next] value in
          let key = value[keyPath: keyPath]
          if key == last.value { return }
          last.value = key
          next(value)
        }
      )
    }
  }
}

extension Signal where Value: Equatable {
  /// Forwards a value only when it is not equal to the last value forwarded.
  ///
  /// See `distinctUntilChanged(by:)`.
  @inlinable
  public func distinctUntilChanged(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("distinctUntilChanged", file, line, column, .drops), .one(self), argument: .none) {
      [self] down in
      attachDistinct(to: down) { $0 == $1 }
    }
  }
}
