import CReactiveTraceShims
import Glibc
import TracePlatform

/// Writes the descriptions of the values of one type, in one of two ways (``Way``).
///
/// The writer of a type is made when its first value is written, and kept for as long as the
/// process lives. Its output is identical to that of `print`, byte by byte, as far as it is kept.
///
/// `@unchecked Sendable`: subclasses have only constants, or document what protects the rest.
class ValueWriter: @unchecked Sendable {
  /// How a value is described.
  enum Way: UInt {
    /// As a whole, as `print` does it.
    case top = 0
    /// As a part of another value, as `debugPrint` does it: strings are quoted, and the names of
    /// types include the module.
    case nested = 1
  }

  /// A reference to a writer without reference counting, because writers are never freed.
  typealias Reference = Unmanaged<ValueWriter>

  init() {}

  /// Writes the value that `value` points at.
  func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {}

  /// Whether the value is displayed as a tuple, which gets no additional parentheses after the name
  /// of an enumeration's case.
  func isTuple(_ value: UnsafeRawPointer) -> Bool { false }

  /// Writes a value with the writer of its type, which is made for the first value.
  @inline(__always)
  static func write<Value>(_ value: UnsafePointer<Value>, _ way: Way, _ text: inout ClippedText) {
    if let writer = find(Value.self, way) {
      writer._withUnsafeGuaranteedRef { $0.write(value, &text) }
    } else {
      writeSlowly(value.pointee, way, &text)
    }
  }

  /// Writes the whole description of a value, through the standard library.
  @inline(never)
  static func writeSlowly<Value>(_ value: Value, _ way: Way, _ text: inout ClippedText) {
    switch way {
    case .top: print(value, terminator: "", to: &text)
    case .nested: debugPrint(value, terminator: "", to: &text)
    }
  }

  /// The writer of a type; nil if there are too many types.
  @inline(__always)
  static func find<Value>(_ type: Value.Type, _ way: Way) -> Reference? {
    let key = UInt(bitPattern: ObjectIdentifier(type)) | way.rawValue
    return WriterTable.shared.find(key) ?? make(type, way, key)
  }

  @inline(never)
  private static func make<Value>(_ type: Value.Type, _ way: Way, _ key: UInt) -> Reference? {
    WriterTable.shared.hasRoom ? WriterTable.shared.insert(key, TypePlan.writer(type, way)) : nil
  }

  /// The writer of objects of exactly this class; nil if there are too many types.
  @inline(__always)
  static func find(exactly type: AnyObject.Type, _ way: Way) -> Reference? {
    let key = UInt(bitPattern: ObjectIdentifier(type)) | way.rawValue | 2
    return WriterTable.shared.find(key) ?? make(exactly: type, way, key)
  }

  @inline(never)
  private static func make(exactly type: AnyObject.Type, _ way: Way, _ key: UInt) -> Reference? {
    func plan<Object>(_ type: Object.Type) -> ValueWriter { TypePlan.writer(exactly: type, way) }
    guard WriterTable.shared.hasRoom else { return nil }
    return WriterTable.shared.insert(key, _openExistential(type, do: plan))
  }
}

/// The writers, by the addresses of their types; the two lowest bits of an address are used for
/// other parts of the key.
///
/// It is a hash table with open addressing, like ``InternIndex``. Looking up needs no lock. Storing
/// waits for a lock, but only for a limited time: a child that was forked while another thread held
/// the lock continues without new writers.
///
/// `@unchecked Sendable`: what the pointers point at is only accessed atomically.
private final class WriterTable: @unchecked Sendable {
  static let shared = WriterTable()

  private static let size = 1 << 14
  private static let limit = 1 << 13
  private let lock = Lock()
  /// Pairs of a key and a writer.
  private let entries: UnsafeMutablePointer<UInt64>
  private let count: UnsafeMutablePointer<UInt64>

  private init() {
    count = .allocate(capacity: 1)
    count.initialize(to: 0)
    entries = .allocate(capacity: 2 * Self.size)
    entries.initialize(repeating: 0, count: 2 * Self.size)
  }

  @inline(__always)
  private static func start(_ key: UInt) -> Int {
    Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 50)
  }

  @inline(__always)
  private static func reference(_ word: UInt64) -> ValueWriter.Reference? {
    UnsafeRawPointer(bitPattern: UInt(word)).map { .fromOpaque($0) }
  }

  @inline(__always)
  func find(_ key: UInt) -> ValueWriter.Reference? {
    var place = Self.start(key)
    while true {
      // The load of the key acquires the writer, which was stored before.
      let entry = rxt_load_acquire_u64(entries + 2 * place)
      if entry == UInt64(key) {
        return Self.reference(rxt_load_relaxed_u64(entries + 2 * place + 1))
      }
      if entry == 0 { return nil }
      place = (place + 1) & (Self.size - 1)
    }
  }

  var hasRoom: Bool { rxt_load_relaxed_u64(count) < Self.limit }

  /// Tries a thousand times to take the lock, and yields the processor in between; returns false if
  /// it does not get the lock.
  private func takeLock() -> Bool {
    for _ in 0..<1000 {
      if lock.tryLock() { return true }
      sched_yield()
    }
    return false
  }

  /// Stores a writer permanently and returns it, or the one that another thread has stored before;
  /// nil if it cannot be stored now.
  func insert(_ key: UInt, _ writer: ValueWriter) -> ValueWriter.Reference? {
    guard takeLock() else { return nil }
    defer { lock.unlock() }
    if let earlier = find(key) { return earlier }
    guard hasRoom else { return nil }
    rxt_store_relaxed_u64(count, rxt_load_relaxed_u64(count) + 1)
    var place = Self.start(key)
    while rxt_load_relaxed_u64(entries + 2 * place) != 0 { place = (place + 1) & (Self.size - 1) }
    let reference = Unmanaged.passRetained(writer)
    let word = UInt64(UInt(bitPattern: reference.toOpaque()))
    rxt_store_relaxed_u64(entries + 2 * place + 1, word)
    // The release store publishes the writer to `find`.
    rxt_store_release_u64(entries + 2 * place, UInt64(key))
    return reference
  }
}
