public import Foundation
public import Reactive
import ReactiveTrace

extension UserDefaults: ReactiveBridging {}

extension Bridged where Base: UserDefaults {
  /// A signal of the value of a key: the current value, then each change.
  ///
  /// ```swift
  /// let size = defaults.reactive.values(forKey: "size", as: Int.self)
  /// field.values.subscribe { defaults.reactive.set($0, forKey: "size") }
  /// ```
  ///
  /// Foundation on Linux posts no notification when a default is set. The signal therefore sees
  /// changes made with ``set(_:forKey:)``, through any `UserDefaults` object for the same defaults;
  /// it sees other changes only when the program posts `UserDefaults.didChangeNotification`
  /// afterwards. It sends nil if the key has no value, or a value of another type.
  ///
  /// - Parameters:
  ///   - key: The name of the default.
  ///   - type: A property-list type: text, numbers, data, dates, arrays and dictionaries of these.
  /// - Returns: A signal that never ends by itself. A change is sent by the thread that makes it,
  ///   or by one that is already sending; equal values are not repeated.
  public func values<Value: Sendable & Equatable>(
    forKey key: String,
    as type: Value.Type = Value.self,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value?, Never> {
    let defaults = SharedDefaults(base)
    let site = Site("values(forKey:)", file, line, column, [.hot, .endless])
    return .source(site, argument: key) { inlet in
      let latest = Latest<Value>()
      let read: @Sendable () -> Void = {
        latest.sendIfChanged {
          propertyListValue(defaults.object.object(forKey: key))
        } send: {
          inlet.send($0)
        }
      }
      let center = NotificationCenter.default
      let name = UserDefaults.didChangeNotification
      nonisolated(unsafe) let token = center.addObserver(forName: name, object: nil, queue: nil) {
        _ in read()
      }
      inlet.onDispose { center.removeObserver(token) }
      read()
    }
  }

  /// Sets the value of a key, and notifies all observers of the defaults.
  ///
  /// - Parameters:
  ///   - value: A value of a property-list type; nil removes the key.
  ///   - key: The name of the default.
  public func set<Value: Sendable>(_ value: Value?, forKey key: String) {
    switch value {
    case nil: base.removeObject(forKey: key)
    // Foundation for Linux cannot store this type.
    case let number as CGFloat: base.set(Double(number), forKey: key)
    case let value?: base.set(value, forKey: key)
    }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: base)
  }
}

/// A stored value as a type; nil if it has another type.
///
/// Foundation returns each stored integer as `Int`, or `UInt64` if it is too large, and each other
/// number as `Double`.
private func propertyListValue<Value>(_ stored: Any?) -> Value? {
  if let value = stored as? Value { return value }
  func exactly<Number: BinaryInteger>(_ type: Number.Type) -> Number? {
    (stored as? Int).flatMap(Number.init(exactly:))
      ?? (stored as? UInt64).flatMap(Number.init(exactly:))
  }
  func converted<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Number? {
    (stored as? Double).map(Number.init) ?? (stored as? Int).map(Number.init)
  }
  if let type = Value.self as? any BinaryInteger.Type { return exactly(type) as? Value }
  if let type = Value.self as? any BinaryFloatingPoint.Type { return converted(type) as? Value }
  return nil
}

/// Unchecked because `UserDefaults` is thread-safe, according to its documentation.
private final class SharedDefaults: @unchecked Sendable {
  let object: UserDefaults
  init(_ object: UserDefaults) { self.object = object }
}

/// The latest value sent, so that an equal one is not sent again.
private final class Latest<Value: Sendable & Equatable>: Sendable {
  private let state = Locked(State())

  private struct State {
    var value: Value??
    /// Whether a thread is reading and sending.
    var isBusy = false
    /// Whether another change was announced since the reading thread began its last read.
    var hasChanged = false

    /// Returns whether the value has to be read again; if not, the reading thread is done, and
    /// `isBusy` becomes false.
    mutating func beginsAgain() -> Bool {
      isBusy = hasChanged
      hasChanged = false
      return isBusy
    }
  }

  /// Reads the value, and sends it if it differs from the last one.
  ///
  /// One thread at a time does so, and reads again if another thread calls this method meanwhile:
  /// if two threads read and sent at once, the thread with the older value could be the last to
  /// send.
  func sendIfChanged(_ read: () -> Value?, send: (Value?) -> Void) {
    let isFirst = state.withLock { state in
      defer { (state.isBusy, state.hasChanged) = (true, true) }
      return !state.isBusy
    }
    guard isFirst else { return }
    while state.withLock({ $0.beginsAgain() }) {
      let value = read()
      let isNew = state.withLock { state in
        // A value that does not equal itself, such as NaN, is not repeated either.
        if let known = state.value, known == value || (known != known && value != value) {
          return false
        }
        state.value = .some(value)
        return true
      }
      if isNew { send(value) }
    }
  }
}
