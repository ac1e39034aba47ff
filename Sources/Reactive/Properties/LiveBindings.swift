import Logging
import TraceFormat

/// Two signals were bound to one property at the same time.
///
/// Each would overwrite what the other has set, and the visible value would depend on timing. So
/// the second binding is refused: its disposable is disposed of from the start, and the first
/// continues. To replace a binding, dispose of it first; to set a property from two signals, merge
/// them.
public enum BindingConflict {
  /// Called on the thread that makes the second binding, with the places of both, and with the
  /// property: its key path, as far as Swift can name it, or the name of a ``MutableProperty``.
  public typealias Handler =
    @Sendable (_ property: String, _ first: Site, _ second: Site) -> Void

  private static let handler = Locked<Handler>(report)

  /// Replaces what happens when a property is bound twice.
  ///
  /// By default an entry is logged at level `error`, and a debug build stops with the same
  /// sentence.
  ///
  /// - Parameter handler: nil for the default.
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
    /// Distinguishes it from another object that is later allocated at the same address.
    let object: WeakObject
    let site: Site
    let number: UInt64
  }

  private static let all = Locked<[Key: Binding]>([:])

  /// Notes that `keyPath` of `object` is bound for as long as `scope` lasts.
  ///
  /// - Returns: True if it was not bound; false if it was: then `scope` has been ended and the
  ///   conflict reported.
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
    // A weak reference that is found alive refers to `object`, which the caller holds: nothing is
    // released here.
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

/// An object of any type that is not kept alive, and of which only the existence is checked.
///
/// Its `Sendable` conformance is unchecked for that reason, and because the reference is set once.
private final class WeakObject: @unchecked Sendable {
  private weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
  var isAlive: Bool { object != nil }
}
