public import TraceFormat

extension Signal {
  /// Forwards a value only if no earlier value of the subscription had the same key.
  ///
  /// ```
  /// source                 -1-2-1-3-2-|
  /// distinct(by: \.self)   -1-2---3---|
  /// ```
  ///
  /// Unlike ``distinctUntilChanged(file:line:column:)``, this operator remembers every key for as
  /// long as the subscription lasts.
  ///
  /// - Parameters:
  ///   - key: Runs once per value and subscription; may be a key path.
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains every distinct key, without a bound. A trace shows how many keys a
  ///   subscription holds.
  @inlinable
  public func distinct<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) -> Key,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("distinct", file, line, column, [.drops, .retains]), .one(self)) { [self] down in
      attachDistinctValues(to: down, by: key)
    }
  }

  @inlinable
  func attachDistinctValues<Key: Hashable & Sendable>(
    to down: Sink<Value, Failure>,
    by key: @escaping @Sendable (Value) -> Key
  ) {
    let seen = StageState(Held<Set<Key>>([], for: down.trace))
    attach(
      down.with { [next = down.next] value in
        if seen.value.insert(key(value)) { next(value) }
      }
    )
  }
}

extension Signal where Value: Hashable {
  /// Forwards a value only if no earlier value of the subscription was equal to it.
  ///
  /// ```
  /// source       -1-2-1-3-2-|
  /// distinct()   -1-2---3---|
  /// ```
  ///
  /// - Returns: A signal that ends exactly when this one does, and in the same way.
  /// - Complexity: Retains every distinct value, without a bound; see
  ///   ``distinct(by:file:line:column:)``.
  @inlinable
  public func distinct(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("distinct", file, line, column, [.drops, .retains]), .one(self), argument: .none) {
      [self] down in
      attachDistinctValues(to: down) { $0 }
    }
  }
}
