public import Foundation
public import Reactive
import ReactiveTrace

extension NotificationCenter: ReactiveBridging {}

extension Bridged where Base: NotificationCenter {
  /// A hot signal of what a closure makes of the notifications of a name.
  ///
  /// ```swift
  /// center.reactive.notifications(.jobDone, object: queue) { $0.userInfo?["count"] as? Int }
  /// ```
  ///
  /// The closure, and what is subscribed, run on the thread that posts, before `post` returns: notifications cannot be
  /// sent to other threads, values can. Neither the sender nor the center is kept alive by a
  /// subscription; when the center is gone, nothing can send any more (contract rule 11).
  ///
  /// - Parameters:
  ///   - name: What is posted.
  ///   - object: Only what this object posts; nil for all.
  ///   - transform: Takes out of each notification what is wanted.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that never ends by itself.
  public func notifications<Value: Sendable>(
    _ name: Notification.Name,
    object: AnyObject? = nil,
    _ transform: @escaping @Sendable (Notification) -> Value,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value, Never> {
    let site = Site("notifications", file, line, column, [.hot, .endless])
    let sender = WeakSender(object)
    return .source(site, argument: name.rawValue) { [weak base] inlet in
      // Its sender is gone: nobody can post any more.
      guard let base, sender.canPost else { return }
      let token = base.addObserver(forName: name, object: sender.object, queue: nil) {
        let value = transform($0)
        inlet.send(value)
      }
      let observer = WeakObserver(token)
      inlet.onDispose { [weak base] in
        if let token = observer.token { base?.removeObserver(token) }
      }
    }
  }

  /// A hot signal that sends whenever something of a name is posted.
  ///
  /// - Parameters:
  ///   - name: What is posted.
  ///   - object: Only what this object posts; nil for all.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: As ``notifications(_:object:_:file:line:column:)``.
  public func notifications(
    _ name: Notification.Name,
    object: AnyObject? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Void, Never> {
    notifications(name, object: object, { _ in }, file: file, line: line, column: column)
  }
}

/// Whose notifications are wanted.
///
/// Unchecked for `object`, which is set once; reading a weak reference is safe on any thread, and the center only
/// compares it.
private final class WeakSender: @unchecked Sendable {
  private(set) weak var object: AnyObject?
  private let isAny: Bool

  var canPost: Bool { isAny || object != nil }

  init(_ object: AnyObject?) {
    self.object = object
    isAny = object == nil
  }
}

/// What the center calls an observer; it holds it, and with it the inlet.
///
/// Unchecked for `token`, which is set once.
private final class WeakObserver: @unchecked Sendable {
  private(set) weak var token: AnyObject?
  init(_ token: any NSObjectProtocol) { self.token = token }
}
