import CReactiveTraceShims
import TracePlatform

/// Writes values of an enumeration.
///
/// The properties of a case are determined when it first occurs.
final class EnumWriter<Value>: ValueWriter, @unchecked Sendable {
  private let way: Way
  private let names: CaseNames

  init(_ way: Way) {
    self.way = way
    names = CaseNames()
  }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let value = value.assumingMemoryBound(to: Value.self)
    let tag = Reflection.tag(value) ?? .max
    let hasPayload: Bool
    if let known = names[tag] {
      hasPayload = known._withUnsafeGuaranteedRef { $0.write(&text) }
    } else {
      let new = name(value)
      names.insert(new, tag)
      hasPayload = new.write(&text)
    }
    if !hasPayload { return }
    if text.isFull { return text.stop() }
    // The payload is taken from a copy, because other threads may read the program's value
    // meanwhile.
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
      let copy = room.baseAddress.unsafelyUnwrapped
      // Initializes a single value rather than an array of one, because an array's elements are
      // copied with the padding after them.
      copy.initialize(to: value.pointee)
      PayloadWriter.write(Reflection.payload(copy), &text)
      copy.deinitialize(count: 1)
    }
  }

  /// The name of a value's case, preceded by the name of its type if the value is a part of another
  /// value.
  private func name(_ value: UnsafePointer<Value>) -> CaseName {
    let type = _typeName(Value.self, qualified: way == .nested)
    let text = Reflection.caseName(value).map { way == .nested ? "\(type).\($0)" : $0 } ?? type
    return CaseName(text, hasPayload: Reflection.hasPayload(value))
  }
}

/// A case of an enumeration.
final class CaseName: Sendable {
  let text: String
  let hasPayload: Bool

  init(_ text: String, hasPayload: Bool) { (self.text, self.hasPayload) = (text, hasPayload) }

  /// Writes the name of the case, and returns whether the case has a payload.
  func write(_ text: inout ClippedText) -> Bool {
    text.write(self.text)
    return hasPayload
  }
}

/// The cases of an enumeration that have occurred, by their tags.
///
/// `@unchecked Sendable`: what the pointer points at is only accessed atomically.
final class CaseNames: @unchecked Sendable {
  /// The number of cases that are kept; further ones are determined each time.
  private static let limit = 64
  private static let lock = Lock()
  private let words: UnsafeMutablePointer<UInt64>

  init() {
    words = .allocate(capacity: Self.limit)
    words.initialize(repeating: 0, count: Self.limit)
  }

  deinit {
    for tag in 0..<Self.limit { self[tag]?.release() }
    words.deallocate()
  }

  @inline(__always)
  subscript(tag: Int) -> Unmanaged<CaseName>? {
    guard tag < Self.limit else { return nil }
    return UnsafeRawPointer(bitPattern: UInt(rxt_load_acquire_u64(words + tag)))
      .map { .fromOpaque($0) }
  }

  /// Keeps a case, unless its tag is too high or another thread holds the lock.
  func insert(_ name: CaseName, _ tag: Int) {
    guard tag < Self.limit, Self.lock.tryLock() else { return }
    defer { Self.lock.unlock() }
    guard self[tag] == nil else { return }
    let address = UInt(bitPattern: Unmanaged.passRetained(name).toOpaque())
    rxt_store_release_u64(words + tag, UInt64(address))
  }
}

/// Writes the payloads of cases.
enum PayloadWriter {
  /// Writes a payload in parentheses, except for a tuple, which has its own.
  static func write(_ payload: Any, _ text: inout ClippedText) {
    withUnsafeMutablePointer(to: &text) { text in
      func write<Payload>(_ payload: Payload) { Self.write(payload, &text.pointee) }
      _openExistential(payload, do: write)
    }
  }

  private static func write<Payload>(_ payload: Payload, _ text: inout ClippedText) {
    let writer = ValueWriter.find(Payload.self, .nested)
    let isBare = isTuple(payload, writer)
    if !isBare { text.write(UInt8(ascii: "(")) }
    if let writer {
      withUnsafePointer(to: payload) { payload in
        writer._withUnsafeGuaranteedRef { $0.write(payload, &text) }
      }
    } else {
      ValueWriter.writeSlowly(payload, .nested, &text)
    }
    if !isBare { text.write(UInt8(ascii: ")")) }
  }

  /// Whether a value is displayed as a tuple.
  static func isTuple<Value>(_ value: Value, _ writer: ValueWriter.Reference?) -> Bool {
    guard let writer else { return Mirror(reflecting: value).displayStyle == .tuple }
    return withUnsafePointer(to: value) { value in
      writer._withUnsafeGuaranteedRef { $0.isTuple(value) }
    }
  }
}
