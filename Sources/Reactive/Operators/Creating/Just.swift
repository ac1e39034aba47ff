extension Signal {
  /// A cold signal that sends one value and completes, before `subscribe` returns.
  ///
  /// The signal needs no scheduler (event contract, rule 8).
  @inlinable
  public static func just(
    _ value: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("just", file, line, column)) { down in
      guard down.scope.isActive else { return }
      down.next(value)
      down.scope.end(.completed)
    }
  }

  /// A cold signal that completes without a value, before `subscribe` returns.
  ///
  /// The signal needs no scheduler (event contract, rule 8).
  @inlinable
  public static func empty(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("empty", file, line, column), argument: .none) { down in
      down.scope.end(.completed)
    }
  }

  /// A cold signal that fails without a value, before `subscribe` returns.
  ///
  /// The signal needs no scheduler (event contract, rule 8).
  @inlinable
  public static func failed(
    _ error: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("failed", file, line, column)) { down in
      down.scope.end(.failed(error))
    }
  }
}
