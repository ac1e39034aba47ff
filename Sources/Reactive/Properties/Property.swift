import TraceFormat

/// A value that can be read and observed at any time, but not set from outside.
///
/// A property is made from a constant, from a signal, or from another property:
///
/// ```swift
/// let name = MutableProperty("")
/// let isValid: Property<Bool> = name.map { !$0.isEmpty }
/// ```
public struct Property<Value: Sendable>: ReadableProperty {
  /// The objects that hold the property's subscriptions for as long as the property exists.
  @usableFromInline let keepers: [PropertyKeeper]
  @usableFromInline let reader: PropertyReader<Value>

  /// The value at the time of the subscription, then each value that is set; completes with the
  /// property.
  public let signal: Signal<Value, Never>

  @inlinable
  init(
    signal: Signal<Value, Never>,
    keepers: [PropertyKeeper] = [],
    read: @escaping @Sendable () -> Value
  ) {
    self.init(signal: signal, keepers: keepers, reader: DirectReader(read))
  }

  @inlinable
  init(signal: Signal<Value, Never>, keepers: [PropertyKeeper], reader: PropertyReader<Value>) {
    self.signal = signal
    self.keepers = keepers
    self.reader = reader
  }

  /// Creates a property of a value that does not change.
  ///
  /// Its signal sends the value and completes.
  ///
  /// - Parameters:
  ///   - value: The value.
  public init(
    value: Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(signal: .just(value, file: file, line: line, column: column)) { value }
  }

  /// A read-only view of another property.
  ///
  /// - Parameter other: The other property; a ``MutableProperty`` is not kept alive.
  public init(_ other: some ReadableProperty<Value>) { self = other.readOnly }

  /// Creates a property of the values that a signal sends.
  ///
  /// The property subscribes to `signal` once, when it is created. The subscription ends when the
  /// last copy of the property, and of the properties derived from it, has been released. The
  /// property's own signal completes at that moment, or earlier, when `signal` ends.
  ///
  /// - Parameters:
  ///   - initial: The value until the signal sends its first value.
  ///   - signal: Sends the later values.
  ///   - name: The name of the property's signal in logs and traces.
  public init(
    initial: Value,
    then signal: Signal<Value, Never>,
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Property", file, line, column, [.hot, .endless, .root])
    self.init(initial: initial, then: signal, site, name: name)
  }

  /// Creates a property for an operator that has to keep a value.
  ///
  /// - Parameters:
  ///   - initial: The value until the signal sends its first value.
  ///   - signal: Sends the later values.
  ///   - site: The operator.
  ///   - inputs: The signals that the operator is applied to.
  ///   - argument: The operator's argument that is not a signal.
  ///   - keepers: Keep the inputs alive.
  ///   - name: The name of the property's signal in logs and traces.
  init(
    initial: Value,
    then signal: Signal<Value, Never>,
    _ site: Site,
    of inputs: Upstreams = .none,
    argument: Argument = .closure,
    keepers: [PropertyKeeper] = [],
    name: String? = nil
  ) {
    let storage = PropertyStorage(initial)
    let values = storage.signal(site, name, of: inputs, argument: argument)
    let scope = UpstreamScope<Never> { _ in storage.current.end(.completed) }
    let keeper = PropertyKeeper(site) { storage.current.end(.completed) }
    keeper.members.add(signal.begin(scope, site) { storage.set($0) })
    self.init(signal: values, keepers: keepers + [keeper]) { storage.value }
  }

  /// The current value.
  public var value: Value { reader.value }

  /// This property.
  public var readOnly: Property { self }
}

/// The subscription of a property, which ends when the last copy of the property has been released.
@usableFromInline
final class PropertyKeeper: Sendable {
  let members: CompositeDisposable
  private let end: @Sendable () -> Void

  init(_ site: Site, end: @escaping @Sendable () -> Void) {
    members = CompositeDisposable(owner: site)
    self.end = end
  }

  deinit {
    members.dispose()
    end()
  }
}
