import TraceFormat
public import Synchronization

/// A value of a property, with a stamp that orders sets, and with the origin of the set.
@usableFromInline
struct Stamped<Value: Sendable>: Sendable {
  @usableFromInline let value: Value
  /// Orders the sets of all properties: linked properties all take the value with the highest
  /// stamp.
  @usableFromInline var stamp: UInt64
  /// The number of the ``ChannelTerminal`` that set the value; 0 if no terminal set it.
  @usableFromInline let origin: UInt64

  @inlinable
  init(_ value: Value, _ stamp: UInt64, _ origin: UInt64 = 0) {
    self.value = value
    self.stamp = stamp
    self.origin = origin
  }
}

/// Numbers that never repeat, in the order in which they are given out.
@usableFromInline
enum Stamps {
  @usableFromInline static let last = Atomic<UInt64>(0)

  @inlinable
  static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The state that a property shares with its signal: the value and the subscribers, without a
/// reference to the property.
@usableFromInline
final class PropertyStorage<Value: Sendable>: Sendable {
  @usableFromInline let current: CurrentValue<Stamped<Value>, Never>
  /// The retained key path of the `@Observed` property that has this storage; 0 if it is not known.
  @usableFromInline let declaration = Atomic<UInt>(0)

  @inlinable
  init(_ value: Value) { current = CurrentValue(Stamped(value, Stamps.next())) }

  deinit {
    if let path = UnsafeRawPointer(bitPattern: declaration.load(ordering: .relaxed)) {
      Unmanaged<AnyKeyPath>.fromOpaque(path).release()
    }
  }

  @inlinable var value: Value { current.value.value }

  /// Sets the value with a new stamp.
  ///
  /// The stamp is taken under the lock, so it is higher than that of the previous value.
  ///
  /// - Returns: The previous value; nil after the end.
  @inlinable @discardableResult
  func set(_ value: Value, origin: UInt64 = 0) -> Value? {
    noteChange()
    return current.update { _ in Stamped(value, Stamps.next(), origin) }?.value
  }

  /// Sets a value that another property was set to, unless this property was set later, or already
  /// has the value of the same set.
  ///
  /// - Returns: False if this property has ended.
  func accept(_ value: Value, _ stamp: UInt64) -> Bool {
    noteChange()
    let old = current.update { $0.stamp < stamp ? Stamped(value, stamp) : nil }
    return old != nil || !current.isOver
  }

  /// Gives the value a new stamp, without notifying subscribers, and returns it with the stamp.
  func restamped() -> Stamped<Value> {
    noteChange()
    return current.state.withBusyLock { state in
      state.value.stamp = Stamps.next()
      return state.value
    }
  }

  /// Sets the value to the result of `change`, which runs again if the value was set meanwhile.
  @inlinable
  func modify<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    noteChange()
    while true {
      let before = current.value
      var value = before.value
      let result = try change(&value)
      let changed = value
      let old = current.update {
        $0.stamp == before.stamp ? Stamped(changed, Stamps.next()) : nil
      }
      if old != nil || current.isOver { return result }
    }
  }

  /// A signal of the value, then of each value that is set.
  @inlinable
  func signal(
    _ site: Site,
    _ name: String?,
    of upstreams: Upstreams = .none,
    argument: Argument = .closure
  ) -> Signal<Value, Never> {
    let signal = Signal<Value, Never>(site, upstreams, argument: argument, name: name) {
      [self] down in
      current.add(down.with { [next = down.next] in next($0.value) })
    }
    current.hub.id = signal.node.id
    return signal
  }

  /// Sends the value and each value that is set, with their stamps, for links between properties.
  ///
  /// The trace shows a subscription of `signal` by `downstream`.
  func feed(
    _ scope: UpstreamScope<Never>,
    of signal: Signal<Value, Never>,
    to downstream: SubscriptionTrace?,
    _ next: @escaping @Sendable (Stamped<Value>) -> Void
  ) {
    guard let downstream else { return current.add(Sink(scope, nil, nil, next: next)) }
    current.add(scope.sink(signal.site, of: signal.node.id, to: downstream, next))
  }
}
