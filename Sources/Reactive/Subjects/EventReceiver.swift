/// Something events can be sent to and subscribed to: the subjects.
///
/// ``Signal/subscribe(_:file:line:column:)`` forwards a signal to one. There are no types of their own
/// for subjects that never fail (RxSwift's relays): that is a subject whose `Failure` is `Never`. One
/// that must not be completed by what is forwarded to it gets the values only:
///
/// ```swift
/// clicks.subscribe { relay.send($0) }
/// ```
public protocol EventReceiver<Value, Failure>: AnyObject, Sendable {
  /// What it takes.
  associatedtype Value: Sendable
  /// How it fails.
  associatedtype Failure: Error

  /// What was sent to it.
  var signal: Signal<Value, Failure> { get }

  /// Takes a value.
  func send(_ value: Value)

  /// Ends with a failure; takes nothing more.
  func fail(_ error: Failure)

  /// Ends in order; takes nothing more.
  func complete()
}

extension EventReceiver {
  /// Takes any event.
  @inlinable
  public func send(_ event: Event<Value, Failure>) {
    switch event {
    case .next(let value): send(value)
    case .failed(let error): fail(error)
    case .completed: complete()
    }
  }
}
