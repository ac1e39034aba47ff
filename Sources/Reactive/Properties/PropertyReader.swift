import CReactiveTraceShims

/// Reads a property of any type, or makes its value of that of the property that it is derived from.
class AnyPropertyReader: @unchecked Sendable {
  // Unchecked because it has subclasses; all but what `releaseSource` takes is constant.
  /// How many are derived from each other, up to this one.
  final let height: Int

  init(height: Int) { self.height = height }

  /// What this one is derived from; nil where it is read by itself.
  var source: AnyPropertyReader? { nil }

  func readAny() -> Any { () }

  /// The value, from that of ``source``.
  func derive(from value: Any) -> Any { value }
}

/// Reads the value of a property.
///
/// A property that is derived from another, and that from a third, is read by a loop where there are many.
class PropertyReader<Value: Sendable>: AnyPropertyReader, @unchecked Sendable {
  // As above.
  private static var highest: Int { 64 }

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
  /// Reads both, as derived from the one that is derived from more.
  final func combined<Other: Sendable>(
    with other: PropertyReader<Other>
  ) -> PropertyReader<(Value, Other)> {
    height < other.height
      ? DerivedReader(other) { (self.value, $0) } : DerivedReader(self) { ($0, other.value) }
  }
}

/// Reads the value itself.
final class DirectReader<Value: Sendable>: PropertyReader<Value>, @unchecked Sendable {
  // As above.
  private let closure: @Sendable () -> Value

  init(_ closure: @escaping @Sendable () -> Value) {
    self.closure = closure
    super.init(height: 0)
  }

  override func read() -> Value { closure() }
}

/// Makes the value of another's.
///
/// Unchecked for `origin`, which only the end takes.
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

  // One after another: a long chain must not be released recursively.
  deinit { if rxt_releases_deep() { releaseElsewhere(&origin, leaving: .handedOver) } }

  private var reader: PropertyReader<Source> {
    guard case .reader(let reader) = origin else {
      preconditionFailure("a property was read after its end")
    }
    return reader
  }

  override var source: AnyPropertyReader? { reader }

  override func read() -> Value { transform(reader.value) }

  override func derive(from value: Any) -> Any {
    guard let value = value as? Source else { preconditionFailure("a property of another type") }
    return transform(value)
  }
}
