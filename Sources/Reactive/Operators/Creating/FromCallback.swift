public import TraceFormat
public import Synchronization

extension Signal {
  /// A cold signal of the result that a function passes to its callback.
  ///
  /// ```
  /// fromCallback { load($0) }   ---(1|)   or   ---#
  /// ```
  ///
  /// The first call counts, later ones are dropped; a function that releases the callback without
  /// having called it ends the subscription without an event (contract rule 11). Disposal does not
  /// cancel the work that the function began; if it can be cancelled, use `create`.
  ///
  /// - Parameters:
  ///   - body: Runs once per subscription, with the callback to pass on: at once if there is a
  ///     current scheduler, otherwise in the background. Any thread may call the callback, before
  ///     `body` returns or later.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that sends one value and completes, or fails.
  @inlinable
  public static func fromCallback(
    _ body:
      @escaping @Sendable (
        _ callback: @escaping @Sendable (Result<Value, Failure>) -> Void
      ) -> Void,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("fromCallback", file, line, column, .source)) { down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let callback = Callback(ObserverHandle(outlet, down.scope))
      down.startCold {
        body { callback.call($0) }
      }
    }
  }
}

/// Forwards the first call, and drops later ones.
@usableFromInline
final class Callback<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let handle: ObserverHandle<Value, Failure>
  @usableFromInline let wasCalled = Atomic<Bool>(false)

  @inlinable
  init(_ handle: ObserverHandle<Value, Failure>) { self.handle = handle }

  @inlinable
  func call(_ result: Result<Value, Failure>) {
    if wasCalled.exchange(true, ordering: .relaxed) { return }
    switch result {
    case .success(let value):
      handle.send(value)
      handle.end(.completed)
    case .failure(let error): handle.end(.failed(error))
    }
  }
}
