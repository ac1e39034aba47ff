/// A value in a separate object; the code that destroys the value was compiled with its type known.
///
/// The fields of a generic class are destroyed by code that was compiled without their types; this
/// code looks the types up whenever it runs, at a cost of some 600 instructions each. A box is one
/// reference, whatever it contains.
@usableFromInline
struct HeapBox<Content: ~Copyable & Sendable>: @unchecked Sendable {
  // Unchecked because of the object, which gives access to its value only as a borrow.
  @usableFromInline let object: HeapBoxObject

  @inlinable @inline(__always)
  init(_ content: consuming Content) {
    object = HeapBoxObject.make(
      byteCount: MemoryLayout<Content>.size,
      alignment: MemoryLayout<Content>.alignment
    ) {
      $0.assumingMemoryBound(to: Content.self).deinitialize(count: 1)
    }
    object.start.initializeMemory(as: Content.self, to: content)
  }

  /// Runs `body` with the value.
  @inlinable @inline(__always)
  func with<Result>(_ body: (borrowing Content) -> Result) -> Result {
    defer { withExtendedLifetime(object) {} }
    return body(object.start.assumingMemoryBound(to: Content.self).pointee)
  }
}

extension HeapBox where Content: ~Copyable {
  /// Runs `body` with exclusive access to the locked state, as ``Locked/withLock(_:)`` does.
  @inlinable @inline(__always)
  func withLock<State: Sendable, Result: Sendable>(_ body: (inout State) -> Result) -> Result
  where Content == Locked<State> {
    with { $0.withLock(body) }
  }
}

/// The memory of a ``HeapBox``, and the code that destroys its content.
///
/// The class is not generic, so that no type is looked up when an object is made or destroyed.
/// Unchecked because of the memory, which only ``HeapBox`` reads, as a borrow.
@usableFromInline
final class HeapBoxObject: @unchecked Sendable {
  @usableFromInline let start: UnsafeMutableRawPointer
  private let destroy: @Sendable (UnsafeMutableRawPointer) -> Void

  private init(
    _ start: UnsafeMutableRawPointer,
    _ destroy: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.start = start
    self.destroy = destroy
  }

  /// Makes an object without its value, which the caller has to store.
  ///
  /// Never inlined, so that the optimizer knows nothing of `start`: otherwise it could conclude
  /// that an object to which a reference is stored there does not leave the function, and allocate
  /// that object on the stack.
  @usableFromInline @inline(never)
  static func make(
    byteCount: Int,
    alignment: Int,
    destroy: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) -> HeapBoxObject {
    HeapBoxObject(.allocate(byteCount: byteCount, alignment: alignment), destroy)
  }

  deinit {
    destroy(start)
    start.deallocate()
  }
}
