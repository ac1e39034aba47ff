/// Something to which events can be sent.
///
/// `subscribe(_:)` forwards a signal to a receiver. To be a receiver, a type implements the methods
/// `send`, `fail` and `complete`, or only `send` and `complete` if its `Failure` is `Never`:
///
/// ```swift
/// struct Printer: EventReceiver {
///   func send(_ value: String) { print(value) }
///   func complete() { print("done") }
/// }
/// ```
///
/// The subjects are receivers that can also be subscribed to: they conform to ``EventHub``. There
/// are no separate types for subjects that never fail (RxSwift's relays): use a subject whose
/// `Failure` is `Never`. To forward a signal to a subject without completing it, forward only the
/// values:
///
/// ```swift
/// clicks.subscribe { relay.send($0) }
/// ```
public protocol EventReceiver<Value, Failure>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable
  /// The type of the failure.
  associatedtype Failure: Error

  /// Accepts a value.
  func send(_ value: Value)

  /// Ends with a failure; no events are accepted afterwards.
  func fail(_ error: Failure)

  /// Completes; no events are accepted afterwards.
  func complete()
}

/// Something to which events can be sent, and that can be subscribed to: the subjects.
///
/// Subscriptions that forward signals to a hub end when the hub ends, and
/// ``Signal/multicast(_:file:line:column:)`` shares a signal through a hub.
public protocol EventHub<Value, Failure>: EventReceiver, AnyObject {
  /// The events that are sent to this object.
  var signal: Signal<Value, Failure> { get }
}

extension EventReceiver {
  /// Accepts any event.
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
  /// Never called: no method is needed for failures that cannot occur.
  @inlinable
  public func fail(_ error: Never) {}
}
