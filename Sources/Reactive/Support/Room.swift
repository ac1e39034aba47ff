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
    object = RoomObject.make(byteCount: MemoryLayout<Content>.size) {
      $0.assumingMemoryBound(to: Content.self).deinitialize(count: 1)
    }
    object.header.start.initializeMemory(as: Content.self, to: content)
  }

  /// Runs `body` with the value.
  @inlinable @inline(__always)
  func with<Result>(_ body: (borrowing Content) -> Result) -> Result {
    defer { withExtendedLifetime(object) {} }
    return body(object.header.start.assumingMemoryBound(to: Content.self).pointee)
  }
}

extension Room where Content: ~Copyable {
  /// Runs `body` with exclusive access to the locked state, as ``Locked/withLock(_:)`` does.
  @inlinable @inline(__always)
  func withLock<State: Sendable, Result: Sendable>(_ body: (inout State) -> Result) -> Result
  where Content == Locked<State> {
    with { $0.withLock(body) }
  }
}

/// The storage of a ``Room``, with space for the value behind the header; no type is aligned to more
/// than the 16 bytes of its elements.
@usableFromInline
final class RoomObject: ManagedBuffer<RoomObject.Header, SIMD2<UInt64>> {
  @usableFromInline
  struct Header {
    @usableFromInline let start: UnsafeMutableRawPointer
    /// Destroys the value.
    @usableFromInline let destroy: @Sendable (UnsafeMutableRawPointer) -> Void
  }

  /// Makes an object in which the caller has to put the value.
  ///
  /// Never inlined, so that the optimizer knows nothing of `start`. If it knew that this leads to the
  /// elements, which are numbers, it would conclude that a reference that is put there does not
  /// leave the function, and would put a new object in the value on the stack.
  @usableFromInline @inline(never)
  static func make(
    byteCount: Int,
    destroy: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) -> RoomObject {
    let made = create(minimumCapacity: (byteCount + 15) / 16) { made in
      Header(
        start: made.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) },
        destroy: destroy
      )
    }
    return unsafeDowncast(made, to: RoomObject.self)
  }

  deinit { header.destroy(header.start) }
}
