import CReactiveTraceShims

/// Reads the value of a property of any type, or derives it from the value of another property.
@usableFromInline
class AnyPropertyReader: @unchecked Sendable {
  // Unchecked because the class has subclasses; all their properties are constant, except the one
  // that `DerivedReader` gives to `releaseElsewhere` when it is released.
  /// The number of derivations from a directly read property to this one.
  final let height: Int

  @usableFromInline
  init(height: Int) { self.height = height }

  /// The reader that this one is derived from; nil if it is read directly.
  var source: AnyPropertyReader? { nil }

  func readAny() -> Any { () }

  /// Derives the value from `value`, which is the value of ``source``.
  func derive(from value: Any) -> Any { value }
}

/// Reads the value of a property.
///
/// A long chain of derived properties is read by a loop, so that reading it cannot overflow the
/// stack.
@usableFromInline
class PropertyReader<Value: Sendable>: AnyPropertyReader, @unchecked Sendable {
  // Unchecked for the same reason as its superclass.
  private static var highest: Int { 64 }

  @usableFromInline
  override init(height: Int) { super.init(height: height) }

  @usableFromInline
  func read() -> Value { preconditionFailure("a property without a reader") }

  final override func readAny() -> Any { read() }

  final var value: Value {
    guard height > Self.highest else { return read() }
    var readers: [AnyPropertyReader] = []
    var lowest: AnyPropertyReader = self
    while lowest.height > Self.highest, let source = lowest.source {
      readers.append(lowest)
      lowest = source
    }
    var value = lowest.readAny()
    for reader in readers.reversed() { value = reader.derive(from: value) }
    guard let value = value as? Value else { preconditionFailure("a property of another type") }
    return value
  }
}

extension PropertyReader {
  /// Reads both values; the result is derived from the reader with more derivations.
  final func combined<Other: Sendable>(
    with other: PropertyReader<Other>
  ) -> PropertyReader<(Value, Other)> {
    height < other.height
      ? DerivedReader(other) { (self.value, $0) } : DerivedReader(self) { ($0, other.value) }
  }
}

/// Reads the value with a closure.
@usableFromInline
final class DirectReader<Value: Sendable>: PropertyReader<Value>, @unchecked Sendable {
  // Unchecked for the same reason as its superclass.
  @usableFromInline let closure: @Sendable () -> Value

  @inlinable
  init(_ closure: @escaping @Sendable () -> Value) {
    self.closure = closure
    super.init(height: 0)
  }

  @usableFromInline
  override func read() -> Value { closure() }
}

/// Derives the value from the value of another reader.
///
/// Unchecked because of `origin`, which only `deinit` changes.
final class DerivedReader<Source: Sendable, Value: Sendable>: PropertyReader<Value>,
  @unchecked Sendable
{
  private enum Origin: Sendable {
    case reader(PropertyReader<Source>)
    case handedOver
  }

  private var origin: Origin
  private let transform: @Sendable (Source) -> Value

  init(_ source: PropertyReader<Source>, _ transform: @escaping @Sendable (Source) -> Value) {
    origin = .reader(source)
    self.transform = transform
    super.init(height: source.height + 1)
  }

  // The source may be derived from another one, and so on: a long chain must not overflow the
  // stack.
  deinit { if rxt_releases_deep() { releaseElsewhere(&origin, leaving: .handedOver) } }

  private var reader: PropertyReader<Source> {
    guard case .reader(let reader) = origin else {
      preconditionFailure("a property was read after its end")
    }
    return reader
  }

  override var source: AnyPropertyReader? { reader }

  @usableFromInline
  override func read() -> Value { transform(reader.value) }

  override func derive(from value: Any) -> Any {
    guard let value = value as? Source else { preconditionFailure("a property of another type") }
    return transform(value)
  }
}
