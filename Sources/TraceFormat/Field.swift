/// The position of one integer in a structure of the trace file, and how it is read and written.
///
/// The file is little-endian throughout (TraceFormat §1), so an access converts the byte order on a
/// big-endian machine, and is a single load or store on all others.
@frozen
public struct Field<Value: FixedWidthInteger & Sendable>: Sendable {
  /// The offset from the beginning of the structure, in bytes.
  ///
  /// Always a multiple of the size of `Value`.
  public let offset: Int

  /// Declares the field at `offset` bytes from the start of its structure.
  @inlinable @inline(__always)
  public init(at offset: Int) { self.offset = offset }

  /// The byte after the field, where the next one may begin.
  @inlinable @inline(__always)
  public var end: Int { offset + MemoryLayout<Value>.size }

  /// Reads the field of the structure that begins at `base`.
  ///
  /// The memory must extend at least to ``end``.
  @inlinable @inline(__always)
  public func load(from base: UnsafeRawPointer) -> Value {
    Value(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  /// Reads the field of the structure that begins `start` bytes into `bytes`; zero if the field is
  /// not entirely inside, so that a truncated file can be read without a crash.
  @inlinable
  public func load(from bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Value {
    let first = start &+ offset
    guard first >= 0, first <= bytes.count &- MemoryLayout<Value>.size else { return 0 }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: first, as: Value.self))
  }

  /// Writes the field of the structure that begins at `base`.
  ///
  /// Not atomic.
  @inlinable @inline(__always)
  public func store(_ value: Value, to base: UnsafeMutableRawPointer) {
    base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }
}
