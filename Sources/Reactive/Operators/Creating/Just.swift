extension Signal {
  /// A cold signal that sends one value and completes.
  @inlinable
  public static func just(
    _ value: Value,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("just", file, line, column)) { down in
      down.startCold {
        down.next(value)
        down.scope.end(.completed)
      }
    }
  }

  /// A cold signal that completes without a value.
  @inlinable
  public static func empty(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("empty", file, line, column), argument: .none) { down in
      down.startCold { down.scope.end(.completed) }
    }
  }

  /// A cold signal that fails without a value.
  @inlinable
  public static func failed(
    _ error: Failure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("failed", file, line, column)) { down in
      down.startCold { down.scope.end(.failed(error)) }
    }
  }
}
