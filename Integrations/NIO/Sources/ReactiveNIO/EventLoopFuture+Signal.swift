public import NIOCore
public import Reactive
import ReactiveTrace

/// Identifies the threads of event loops in traces.
private let loopCallbacks = SchedulerIdentity(name: "EventLoop", kind: .serialQueue)

extension EventLoopFuture where Value: Sendable {
  /// A signal of the result of this future.
  ///
  /// ```
  /// future     ---1
  /// signal()   ---(1|)    late: (1|)
  /// ```
  ///
  /// The work of the future continues with or without subscribers, and disposal does not cancel it.
  /// A future cannot remove its callbacks, but disposal immediately releases what they retain.
  ///
  /// - Returns: A signal of one value, which it sends on the event loop.
  public func signal(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, any Error> {
    .source(Site("EventLoopFuture", file, line, column, .hot), on: loopCallbacks) { [self] inlet in
      whenComplete { result in
        inlet.enter { observer in
          switch result {
          case .success(let value):
            observer.send(value)
            observer.complete()
          case .failure(let error): observer.fail(error)
          }
        }
      }
    }
  }

  /// This future as a promise, which keeps its result for every subscriber.
  ///
  /// - Returns: A promise whose results are delivered on the future's event loop.
  public func promise(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Promise<Value, any Error> {
    signal(file: file, line: line, column: column)
      .promise(on: eventLoop.scheduler(), file: file, line: line, column: column)
  }
}

extension Signal {
  /// Subscribes in a Swift task, and completes a future with the last value when the signal ends.
  ///
  /// - Parameters:
  ///   - eventLoop: The event loop of the future.
  /// - Returns: A future that fails if the signal fails. If the signal ends without an event,
  ///   because nothing can send any more, the value is the last one so far. The value is nil if the
  ///   signal sent none. The future is completed unless the signal never ends.
  public func lastValue(
    on eventLoop: any EventLoop,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> EventLoopFuture<Value?> {
    eventLoop.makeFutureWithTask { try await self.last(file: file, line: line, column: column) }
  }

  /// Subscribes in a Swift task, and completes a future with the first value.
  ///
  /// The first value ends the subscription.
  ///
  /// - Parameters:
  ///   - eventLoop: The event loop of the future.
  /// - Returns: A future that fails if the signal fails before it sends a value. The future's value
  ///   is nil if the signal ends without a value.
  public func firstValue(
    on eventLoop: any EventLoop,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> EventLoopFuture<Value?> {
    eventLoop.makeFutureWithTask { try await self.first(file: file, line: line, column: column) }
  }
}

extension Promise {
  /// Begins the work, if it has not begun, and completes a future with its last result.
  ///
  /// - Parameter eventLoop: The event loop of the future.
  /// - Returns: A future that fails if the work fails, and whose value is nil if there is no
  ///   result.
  public func future(on eventLoop: any EventLoop) -> EventLoopFuture<Value?> {
    eventLoop.makeFutureWithTask { try await self.value() }
  }
}
