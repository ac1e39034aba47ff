/// A value in an object of its own, which is destroyed by code that was compiled with its type known.
///
/// The fields of a generic class are destroyed by code that was compiled without their types, which
/// looks these up whenever it runs, at some 600 instructions each. A room is one reference,
/// whatever it contains.
@usableFromInline
struct Room<Content: ~Copyable & Sendable>: @unchecked Sendable {
  // Unchecked because of the object, which gives access to its value only as a borrow.
  @usableFromInline let object: RoomObject

  @inlinable @inline(__always)
  init(_ content: consuming Content) {
    let made = RoomObject.create(minimumCapacity: MemoryLayout<Content>.size) { _ in
      { Self.place($0).deinitialize(count: 1) }
    }
    object = unsafeDowncast(made, to: RoomObject.self)
    let start = object.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    Self.place(start).initialize(to: content)
  }

  /// Where the value is, which begins where the elements do: behind a header of 16 bytes, these are
  /// aligned to 16 as the object is, and no type needs more.
  @inlinable @inline(__always)
  static func place(_ start: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Content> {
    start.assumingMemoryBound(to: Content.self)
  }

  /// Runs `body` with the value.
  @inlinable @inline(__always)
  func with<Result>(_ body: (borrowing Content) -> Result) -> Result {
    object.withUnsafeMutablePointerToElements {
      body(Self.place(UnsafeMutableRawPointer($0)).pointee)
    }
  }
}

/// The storage of a ``Room``: how to destroy the value, and behind that the value.
@usableFromInline
final class RoomObject: ManagedBuffer<@Sendable (UnsafeMutableRawPointer) -> Void, UInt8> {
  deinit { withUnsafeMutablePointers { $0.pointee($1) } }
}
