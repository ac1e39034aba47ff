public import TraceFormat

extension Signal {
  /// A signal that sends nothing and does not end; a subscription to it stays active until it is
  /// disposed of.
  @inlinable
  public static func never(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("never", file, line, column, .endless), argument: .none) { down in
      down.scope.own(NeverStage(down))
    }
  }
}

/// Keeps a subscription to `never` alive, although nothing else refers to that subscription: this
/// object and the subscription retain each other until the subscription ends.
///
/// This class is `@unchecked Sendable` because of `down`, which is never read, and is written only
/// on creation and when the subscription ends.
@usableFromInline
final class NeverStage<Value: Sendable, Failure: Error>: Teardown, @unchecked Sendable {
  private var down: Sink<Value, Failure>?
  @usableFromInline init(_ down: Sink<Value, Failure>) { self.down = down }
  @usableFromInline override func teardown(_ ending: Ending) { down = nil }
}
