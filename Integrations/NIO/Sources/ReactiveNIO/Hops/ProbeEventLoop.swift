import Dispatch
import NIOCore

/// An event loop that does nothing, used to determine which entry of a ``ConformanceTable`` belongs
/// to which method.
///
/// `@unchecked Sendable`: only one thread uses it.
final class ProbeEventLoop: EventLoop, @unchecked Sendable {
  private let table: ConformanceTable
  /// The number of calls that reached this loop through a ``RedirectingEventLoop``.
  var redirectedCallCount = 0

  init(_ table: ConformanceTable) { self.table = table }

  /// Counts a redirected call, and returns this loop with its own table, so that the call can then
  /// reach the method of this class.
  func countingRedirectedCall() -> any EventLoop {
    redirectedCallCount += 1
    return ConformanceTable.eventLoop(self, UnsafeRawPointer(table.words))
  }

  private func nothing<Value>() -> EventLoopPromise<Value> {
    let promise = makePromise(of: Value.self)
    promise.fail(EventLoopError.unsupportedOperation)
    return promise
  }
  private func unscheduled<Value>() -> Scheduled<Value> {
    Scheduled(promise: nothing(), cancellationTask: {})
  }

  // Every member is implemented here, because NIO's default implementations call other members.
  func execute(_ task: @escaping @Sendable () -> Void) {}
  func submit<Value>(_ task: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
    nothing().futureResult
  }
  func scheduleTask<Value>(
    deadline: NIODeadline,
    _ task: @escaping @Sendable () throws -> Value
  ) -> Scheduled<Value> { unscheduled() }
  func scheduleTask<Value>(
    in delay: TimeAmount,
    _ task: @escaping @Sendable () throws -> Value
  ) -> Scheduled<Value> { unscheduled() }
  func scheduleCallback(
    at deadline: NIODeadline,
    handler: some (NIOScheduledCallbackHandler & Sendable)
  ) throws -> NIOScheduledCallback { throw EventLoopError.unsupportedOperation }
  func scheduleCallback(
    in delay: TimeAmount,
    handler: some (NIOScheduledCallbackHandler & Sendable)
  ) throws -> NIOScheduledCallback { throw EventLoopError.unsupportedOperation }
  func _executeIsolatedUnsafeUnchecked(_ task: @escaping () -> Void) {}
  func _submitIsolatedUnsafeUnchecked<Value>(
    _ task: @escaping () throws -> Value
  ) -> EventLoopFuture<Value> { nothing().futureResult }
  func _scheduleTaskIsolatedUnsafeUnchecked<Value>(
    deadline: NIODeadline,
    _ task: @escaping () throws -> Value
  ) -> Scheduled<Value> { unscheduled() }
  func _scheduleTaskIsolatedUnsafeUnchecked<Value>(
    in delay: TimeAmount,
    _ task: @escaping () throws -> Value
  ) -> Scheduled<Value> { unscheduled() }
  func _scheduleCallbackIsolatedUnsafeUnchecked(
    at deadline: NIODeadline,
    handler: some NIOScheduledCallbackHandler
  ) throws -> NIOScheduledCallback { throw EventLoopError.unsupportedOperation }
  func _scheduleCallbackIsolatedUnsafeUnchecked(
    in delay: TimeAmount,
    handler: some NIOScheduledCallbackHandler
  ) throws -> NIOScheduledCallback { throw EventLoopError.unsupportedOperation }

  var inEventLoop: Bool { true }
  func preconditionInEventLoop(file: StaticString, line: UInt) {}
  func preconditionNotInEventLoop(file: StaticString, line: UInt) {}
  func next() -> any EventLoop { self }
  func makeIterator() -> EventLoopIterator { EventLoopIterator([]) }
  func enqueue(_ job: consuming ExecutorJob) {}
  func shutdownGracefully(
    queue: DispatchQueue,
    _ callback: @escaping @Sendable ((any Error)?) -> Void
  ) {}
}
