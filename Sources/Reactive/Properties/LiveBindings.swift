import Logging
import TraceFormat

/// The error of binding a signal to a property to which another signal is still bound.
///
/// Each signal would overwrite the values of the other, and the visible value would depend on
/// timing. So the second binding is refused: the disposable that it returns is already disposed of,
/// and the first binding continues. To replace a binding, dispose of it first; to set a property
/// from two signals, merge them.
public enum BindingConflict {
  /// Called on the thread that makes the second binding, with the sites of both bindings, and with
  /// the property: its key path, as far as Swift can name it, or the name of a ``MutableProperty``.
  public typealias Handler =
    @Sendable (_ property: String, _ first: Site, _ second: Site) -> Void

  private static let handler = Locked<Handler>(report)

  /// Sets the function that is called when a property is bound twice.
  ///
  /// By default, an error is logged, and a debug build stops at an assertion with the same
  /// message.
  ///
  /// - Parameter handler: The function to call, or nil to restore the default.
  public static func setHandler(_ handler: Handler?) {
    self.handler.withLock { $0 = handler ?? report }
  }

  static func occurred(_ property: String, _ first: Site, _ second: Site) {
    let handler = self.handler.withLock { $0 }
    handler(property, first, second)
  }

  private static let report: Handler = { property, first, second in
    let message =
      "'\(property)' is bound at \(second.place), but has a live binding from \(first.place): "
      + "dispose of that first, or merge the two signals (BindingConflict)"
    Logger(label: "reactive").error("\(message)")
    assertionFailure(message)
  }
}

/// The properties that are bound now.
enum LiveBindings {
  /// A property of an object.
  ///
  /// Key paths are distinguished only by their 64-bit hash: comparing them would run code of the
  /// program under the lock.
  private struct Key: Hashable, Sendable {
    let object: ObjectIdentifier
    let keyPath: Int
  }

  private struct Binding: Sendable {
    /// Distinguishes the bound object from one that is later allocated at the same address.
    let object: WeakObject
    let site: Site
    let number: UInt64
  }

  private static let all = Locked<[Key: Binding]>([:])

  /// Marks `keyPath` of `object` as bound until `scope` ends.
  ///
  /// - Returns: False if the property was already bound; in this case, `scope` has been ended and
  ///   the conflict reported.
  static func claim(
    _ keyPath: AnyKeyPath,
    of object: AnyObject,
    for scope: Subscription,
    _ site: Site,
    name: @autoclosure () -> String? = nil
  ) -> Bool {
    let key = Key(object: ObjectIdentifier(object), keyPath: keyPath.hashValue)
    let reference = WeakObject(object)
    let number = Stamps.next()
    // `isAlive` briefly retains the object it finds. That object has the same address as `object`,
    // so it is `object`, which the caller keeps alive: its deinit cannot run under the lock.
    let (first, stale) = all.withLock { all -> (Site?, Binding?) in
      let known = all[key]
      if let known, known.object.isAlive { return (known.site, nil) }
      all[key] = Binding(object: reference, site: site, number: number)
      return (nil, known)
    }
    withExtendedLifetime((object, stale)) {}
    if let first {
      scope.cancel(.cancelled)
      BindingConflict.occurred(name() ?? Self.name(of: keyPath), first, site)
      return false
    }
    scope.own(ActionTeardown { release(key, number) })
    return true
  }

  /// For example `\Board.total`, or `\Board.<computed (Int)>`: addresses are left out.
  private static func name(of keyPath: AnyKeyPath) -> String {
    "\(keyPath)".replacing(#/0x[0-9a-f]+ /#, with: "")
  }

  private static func release(_ key: Key, _ number: UInt64) {
    let former = all.withLock { all -> Binding? in
      all[key]?.number == number ? all.removeValue(forKey: key) : nil
    }
    withExtendedLifetime(former) {}
  }
}

/// A weak reference to an object of any type, used only to check whether the object still exists.
///
/// `@unchecked Sendable`: the reference is set once, and the object itself is never accessed.
private final class WeakObject: @unchecked Sendable {
  private weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
  var isAlive: Bool { object != nil }
}
