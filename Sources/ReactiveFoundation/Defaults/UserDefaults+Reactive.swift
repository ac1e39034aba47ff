public import Foundation
public import Reactive
import ReactiveTrace

extension UserDefaults: ReactiveBridging {}

extension Bridged where Base: UserDefaults {
  /// A signal of the value of a key: what it is now, then each change.
  ///
  /// ```swift
  /// let size = defaults.reactive.values(forKey: "size", as: Int.self)
  /// field.values.subscribe { defaults.reactive.set($0, forKey: "size") }
  /// ```
  ///
  /// Foundation on Linux tells nobody that defaults are set. So changes are seen that are made with
  /// ``set(_:forKey:)``, through any object of the same defaults; others where somebody posts
  /// `UserDefaults.didChangeNotification` afterwards. A value of another type is sent as nil, as is none.
  ///
  /// - Parameters:
  ///   - key: Its name.
  ///   - type: A type of property lists: text, numbers, data, dates, arrays and dictionaries of these.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that never ends by itself. Changes are sent by the thread that makes them; equal values
  ///   are not repeated.
  public func values<Value: Sendable & Equatable>(
    forKey key: String,
    as type: Value.Type = Value.self,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value?, Never> {
    let defaults = SharedDefaults(base)
    let site = Site("values(forKey:)", file, line, column, [.hot, .endless])
    return .source(site, argument: key) { inlet in
      let latest = Latest<Value>()
      let read: @Sendable () -> Void = {
        latest.take {
          defaults.object.object(forKey: key) as? Value
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

  /// Sets the value of a key, and tells everyone who follows it.
  ///
  /// - Parameters:
  ///   - value: Of a type of property lists; nil removes it.
  ///   - key: Its name.
  public func set<Value: Sendable>(_ value: Value?, forKey key: String) {
    if let value { base.set(value, forKey: key) } else { base.removeObject(forKey: key) }
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: base)
  }
}

/// Unchecked because defaults lock themselves, as their documentation says.
private final class SharedDefaults: @unchecked Sendable {
  let object: UserDefaults
  init(_ object: UserDefaults) { self.object = object }
}

/// The latest value, of which equal ones are no news.
private final class Latest<Value: Sendable & Equatable>: Sendable {
  private let state = Locked(State())

  private struct State {
    var value: Value??
    /// Whether a thread reads and sends now.
    var isBusy = false
    /// Whether something has changed since that thread has read.
    var hasChanged = false

    /// Whether there is something to read; if not, the thread that reads is done.
    mutating func beginsAgain() -> Bool {
      isBusy = hasChanged
      hasChanged = false
      return isBusy
    }
  }

  /// Sends what is read, as long as it is news.
  ///
  /// One thread at a time does so, and reads again where others come meanwhile: of two that read and send, the one
  /// that read first could be the last to send.
  func take(_ read: () -> Value?, send: (Value?) -> Void) {
    let isFirst = state.withLock { state in
      defer { (state.isBusy, state.hasChanged) = (true, true) }
      return !state.isBusy
    }
    guard isFirst else { return }
    while state.withLock({ $0.beginsAgain() }) {
      let value = read()
      let isNews = state.withLock { state in
        // What does not equal itself, as a number that is none, is no news either.
        if let known = state.value, known == value || (known != known && value != value) {
          return false
        }
        state.value = .some(value)
        return true
      }
      if isNews { send(value) }
    }
  }
}
