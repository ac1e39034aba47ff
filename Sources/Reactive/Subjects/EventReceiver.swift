/// Something events can be sent to.
///
/// `subscribe(_:)` forwards a signal to one. A type of a program's own has three methods, or
/// two where nothing fails:
///
/// ```swift
/// struct Printer: EventReceiver {
///   func send(_ value: String) { print(value) }
///   func complete() { print("done") }
/// }
/// ```
///
/// The subjects are more than that, an ``EventHub``. There are no types of their own
/// for subjects that never fail (RxSwift's relays): that is a subject whose `Failure` is `Never`. One
/// that must not be completed by what is forwarded to it gets the values only:
///
/// ```swift
/// clicks.subscribe { relay.send($0) }
/// ```
public protocol EventReceiver<Value, Failure>: Sendable {
  /// What it takes.
  associatedtype Value: Sendable
  /// How it fails.
  associatedtype Failure: Error

  /// Takes a value.
  func send(_ value: Value)

  /// Ends with a failure; takes nothing more.
  func fail(_ error: Failure)

  /// Ends in order; takes nothing more.
  func complete()
}

/// Something events can be sent to and subscribed to: the subjects.
///
/// What is forwarded to one ends with it, and ``Signal/multicast(_:file:line:column:)`` shares a signal through one.
public protocol EventHub<Value, Failure>: EventReceiver, AnyObject {
  /// What was sent to it.
  var signal: Signal<Value, Failure> { get }
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

extension EventReceiver where Failure == Never {
  /// Is never called: what cannot fail needs no method for it.
  @inlinable
  public func fail(_ error: Never) {}
}
