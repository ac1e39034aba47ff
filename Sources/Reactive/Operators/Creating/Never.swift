public import TraceFormat

extension Signal {
  /// A signal that sends nothing and does not end; a subscription to it stays active until it is
  /// disposed of.
  @inlinable
  public static func never(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("never", file, line, column, .endless), argument: .none) { down in
      down.scope.own(NeverStage(down))
    }
  }
}

/// Keeps a subscription alive to which nothing else refers: a cycle that its end breaks.
///
/// Unchecked because of `down`, which only the creator uses, and later the end.
@usableFromInline
final class NeverStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private var down: Sink<Value, Failure>?
  @usableFromInline init(_ down: Sink<Value, Failure>) { self.down = down }
  @usableFromInline override func teardown(_ ending: Ending) { down = nil }
}
