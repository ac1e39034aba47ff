public import TraceFormat
public import Synchronization

extension Signal {
  /// A cold signal of the result that a function passes to its callback.
  ///
  /// ```
  /// fromCallback { load($0) }   ---(1|)   or   ---#
  /// ```
  ///
  /// Only the first call of the callback has an effect. If the function releases the callback
  /// without having called it, the subscription ends without an event (event contract, rule 11).
  /// Disposal does not cancel the work that the function has begun; if that work can be cancelled,
  /// use `create`.
  ///
  /// - Parameters:
  ///   - body: Receives the callback. Runs once per subscription: at once if there is a current
  ///     scheduler, otherwise on ``QueueScheduler/background`` (event contract, rule 8). Any thread
  ///     may call the callback, before `body` returns or later.
  /// - Returns: A signal that sends one value and completes, or fails.
  @inlinable
  public static func fromCallback(
    _ body:
      @escaping @Sendable (
        _ callback: @escaping @Sendable (Result<Value, Failure>) -> Void
      ) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

/// Forwards the result of the first call, and ignores later calls.
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
