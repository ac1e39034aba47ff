import TraceFormat

/// Makes a stored property observable: `$name` is a signal of its value, then of each value that is
/// set.
///
/// ```swift
/// @MainActor final class Login {
///   @Observed var username = ""
///   @Observed var password = ""
///   private(set) var canLogIn = false
///
///   init() {
///     combineLatest($username, $password)
///       .map { name, password in !name.isEmpty && password.count > 3 }
///       .subscribeOnMainActor { [weak self] in self?.canLogIn = $0 }
///   }
/// }
/// ```
///
/// Every set is sent exactly once, even if the value is equal: after it has taken effect, on the
/// thread that set it, or on a thread that is delivering an earlier value at that moment. The
/// signal does not keep the owner alive, and completes when the owner is released.
///
/// In logs and traces the signal of a property of a class or an actor has the name of the property,
/// `Login.username`, as soon as `$username` is first read, unless it was given another name. The
/// signal of a property of a structure has no such name, and neither has any signal in a program
/// that was built without the names of its properties (`-disable-reflection-metadata`).
///
/// The wrapper can be used in classes of a global actor, in actors and in structures. In a
/// `Sendable` class that is not isolated, the compiler refuses every `var`, and so also observed
/// ones: use `let username = MutableProperty("")` there. Copies of a structure share the property:
/// setting it in one copy sets it in all.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable {
  /// The underlying property: to bind it, or to pass it on.
  public let property: MutableProperty<Value>

  /// Wraps a property; called by the compiler.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - name: The name of the signal in logs and traces.
  public init(
    wrappedValue value: Value,
    _ name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("Observed", file, line, column, [.hot, .endless])
    property = MutableProperty(value, name, site, isDeclared: true)
  }

  /// The value.
  ///
  /// Setting it notifies all subscribers.
  @inlinable public var wrappedValue: Value {
    get { property.value }
    nonmutating set { property.value = newValue }
  }

  /// The value at the time of the subscription, then each value that is set; completes with the
  /// owner.
  @inlinable public var projectedValue: Signal<Value, Never> { property.signal }

  /// The projected value in a class or an actor; called by the compiler with the object that has
  /// the property.
  ///
  /// - Parameters:
  ///   - instance: The object.
  ///   - projected: The key path of the property with the dollar sign.
  ///   - storage: The key path of the property wrapper.
  public static subscript<Object: AnyObject>(
    _enclosingInstance instance: Object,
    projected projected: KeyPath<Object, Signal<Value, Never>>,
    storage storage: KeyPath<Object, Observed>
  ) -> Signal<Value, Never> {
    let property = instance[keyPath: storage].property
    property.storage.isDeclared(as: storage, property.signal)
    return property.signal
  }
}
