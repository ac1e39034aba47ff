public import Foundation
public import Reactive
import ReactiveTrace

extension NotificationCenter: ReactiveBridging {}

extension Bridged where Base: NotificationCenter {
  /// A hot signal of the values that a closure extracts from the notifications with a given name.
  ///
  /// ```swift
  /// center.reactive.notifications(.jobDone, object: queue) { $0.userInfo?["count"] as? Int }
  /// ```
  ///
  /// The closure and the subscribers run on the thread that posts, before `post` returns. The
  /// closure is needed because notifications are not sendable, while its values are. A subscription
  /// keeps neither the sender nor the center alive; when the center is released, the subscription
  /// ends, because nothing can send to it any more (rule 11 of Reactive's event contract).
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: Receives only notifications that this object posts; nil for all.
  ///   - transform: Extracts the value from each notification.
  /// - Returns: A signal that never ends by itself.
  public func notifications<Value: Sendable>(
    _ name: Notification.Name,
    object: AnyObject? = nil,
    _ transform: @escaping @Sendable (Notification) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    let site = Site("notifications", file, line, column, [.hot, .endless])
    let sender = WeakSender(object)
    return .source(site, argument: name.rawValue) { [weak base] inlet in
      // The center or the sender is gone, so nothing can post such a notification any more.
      guard let base, sender.canPost else { return }
      let token = base.addObserver(forName: name, object: sender.object, queue: nil) {
        guard sender.hasPosted($0) else { return }
        let value = transform($0)
        inlet.send(value)
      }
      let observer = ObserverToken(token)
      inlet.onDispose { [weak base] in
        if let token = observer.token { base?.removeObserver(token) }
      }
    }
  }

  /// A hot signal that sends whenever a notification with a given name is posted.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: Receives only notifications that this object posts; nil for all.
  /// - Returns: A signal of `()`, like ``notifications(_:object:_:file:line:column:)``.
  public func notifications(
    _ name: Notification.Name,
    object: AnyObject? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Void, Never> {
    notifications(name, object: object, { _ in }, file: file, line: line, column: column)
  }
}

/// The object whose notifications are wanted, held weakly.
///
/// Unchecked because of `object`, which is set once; reading a weak reference is safe on any
/// thread, and the center only compares the object.
private final class WeakSender: @unchecked Sendable {
  private(set) weak var object: AnyObject?
  private let isAny: Bool

  var canPost: Bool { isAny || object != nil }

  /// Whether a notification comes from this object.
  ///
  /// The center compares addresses, and when this object is gone, another one may get its address.
  func hasPosted(_ notification: Notification) -> Bool {
    isAny || (object != nil && object === (notification.object as AnyObject?))
  }

  init(_ object: AnyObject?) {
    self.object = object
    isAny = object == nil
  }
}

/// The center's observer token.
///
/// Unchecked because of `token`, which is set once.
private final class ObserverToken: @unchecked Sendable {
  #if compiler(<6.3)
  // The center retains the token, and the token's block retains the inlet.
  private(set) weak var token: AnyObject?
  #else
  // The center does not retain the token, and the token retains no block.
  let token: AnyObject?
  #endif

  init(_ token: any NSObjectProtocol) { self.token = token }
}
