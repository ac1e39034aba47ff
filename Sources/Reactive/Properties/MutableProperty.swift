public import TraceFormat

/// A value that can be read, set and observed at any time, on any thread.
///
/// ```
/// set       -1-2---      (0 from the start)
/// early     01-2--|      the property is released
/// late        (1)2|
/// ```
///
/// ```swift
/// final class Player: Sendable {
///   let score = MutableProperty(0)
/// }
/// player.score.signal.subscribe { print($0) }   // 0
/// player.score.value = 1                        // 1
/// ```
///
/// Setting takes effect at once: any reader of ``value`` sees the new value, even from inside a
/// delivery. Only the notification of the subscribers waits until earlier deliveries have returned
/// (event contract, rule 3). Equal values are sent, too. When the property is released, usually
/// together with its owner, its signal *completes*; later subscribers get the last value and
/// completion. (When a ``BehaviorSubject`` is released, its subscriptions end without an event.)
///
/// In classes of the main actor, in actors and in structures, use ``Observed``, which is used like
/// a plain property.
public final class MutableProperty<Value: Sendable>: ReadableProperty {
  @usableFromInline let storage: PropertyStorage<Value>

  /// The value at the time of the subscription, then each value that is set; completes with the
  /// property.
  ///
  /// The signal does not keep the property alive. `skip(1)` leaves out the value at the time of the
  /// subscription.
  public let signal: Signal<Value, Never>

  /// Creates a property with a first value.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - name: The name of the signal in logs and traces.
  @inlinable
  public convenience init(
    _ value: Value,
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(value, name, Site("MutableProperty", file, line, column, [.hot, .endless]))
  }

  @inlinable
  init(_ value: Value, _ name: String?, _ site: Site, isDeclared: Bool = false) {
    let storage = PropertyStorage(value)
    self.storage = storage
    let argument = isDeclared && name == nil ? Argument.declared(storage) : .closure
    signal = storage.signal(site, name, argument: argument)
  }

  // Ending a subscription may release another property, whose end releases a third, and so on:
  // `NestingLimit` keeps a long chain from overflowing the stack.
  deinit { NestingLimit.run { [storage] in storage.current.end(.completed) } }

  /// The latest value.
  ///
  /// Setting it notifies all subscribers. If several threads set it to what they make of the value
  /// that they have read, as by `value += 1`, changes are lost: use ``modify(_:)``. A recording can
  /// show such losses, as rxtop's finding `lost-update`.
  @inlinable public var value: Value {
    get {
      let now = storage.current.value
      storage.noteRead(now.stamp)
      return now.value
    }
    set {
      storage.noteSet()
      storage.set(newValue)
    }
  }

  /// Sets the value and returns the previous value.
  ///
  /// If several threads swap values at the same time, each former value is returned to exactly one
  /// of them.
  ///
  /// - Parameter value: The new value.
  /// - Returns: The value that it replaces.
  @discardableResult
  public func swap(_ value: Value) -> Value { storage.set(value) ?? storage.value }

  /// Sets the value to the result of a closure, without losing what other threads set meanwhile.
  ///
  /// ```swift
  /// total.modify { $0 += 1 }
  /// ```
  ///
  /// No thread waits for another: if the value was set while the closure ran, the closure runs
  /// again on the new value, so it should have no other effect. Subscribers are notified once, even
  /// if the closure changes nothing; if it throws, nothing is set.
  ///
  /// - Parameter change: Changes the value.
  /// - Returns: The result of the last run of the closure.
  /// - Throws: What the closure throws.
  /// - Complexity: Copies the value for each run.
  @inlinable @discardableResult
  public func modify<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    try storage.modify(change)
  }

  /// A read-only view, which does not keep this property alive.
  public var readOnly: Property<Value> { Property(signal: signal) { [storage] in storage.value } }
}
