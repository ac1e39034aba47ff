public import CReactiveTraceShims
public import TraceFormat

// The fields of a trace are little-endian. The recorder only runs on little-endian machines,
// because elsewhere it could not increment a counter in place. So these accesses do not convert the
// byte order.
#if _endian(big)
#error("the recorder has no port to big-endian machines; the reader has")
#endif

extension Field where Value == UInt32 {
  @inlinable @inline(__always)
  package func relaxed(at base: UnsafeRawPointer) -> UInt32 { rxt_load_relaxed_u32(base + offset) }

  @inlinable @inline(__always)
  package func acquire(at base: UnsafeRawPointer) -> UInt32 { rxt_load_acquire_u32(base + offset) }

  @inlinable @inline(__always)
  package func setRelaxed(_ value: UInt32, at base: UnsafeMutableRawPointer) {
    rxt_store_relaxed_u32(base + offset, value)
  }

  @inlinable @inline(__always)
  package func setRelease(_ value: UInt32, at base: UnsafeMutableRawPointer) {
    rxt_store_release_u32(base + offset, value)
  }

  /// Adds atomically and returns the previous value.
  @discardableResult
  @inlinable package func add(_ value: UInt32, at base: UnsafeMutableRawPointer) -> UInt32 {
    rxt_add_u32(base + offset, value)
  }

  /// Lowers the field to `value` if it is higher.
  @inlinable package func lower(to value: UInt32, at base: UnsafeMutableRawPointer) {
    var seen = relaxed(at: base)
    while value < seen, !rxt_compare_exchange_u32(base + offset, seen, value) {
      seen = relaxed(at: base)
    }
  }

  /// Replaces the field with the result of `change`, and retries if another thread has changed it
  /// in the meantime.
  @inlinable package func update(at base: UnsafeMutableRawPointer, _ change: (UInt32) -> UInt32) {
    var seen = relaxed(at: base)
    while !rxt_compare_exchange_u32(base + offset, seen, change(seen)) { seen = relaxed(at: base) }
  }
}

extension Field where Value == UInt64 {
  @inlinable @inline(__always)
  package func relaxed(at base: UnsafeRawPointer) -> UInt64 { rxt_load_relaxed_u64(base + offset) }

  @inlinable @inline(__always)
  package func acquire(at base: UnsafeRawPointer) -> UInt64 { rxt_load_acquire_u64(base + offset) }

  @inlinable @inline(__always)
  package func setRelaxed(_ value: UInt64, at base: UnsafeMutableRawPointer) {
    rxt_store_relaxed_u64(base + offset, value)
  }

  @inlinable @inline(__always)
  package func setRelease(_ value: UInt64, at base: UnsafeMutableRawPointer) {
    rxt_store_release_u64(base + offset, value)
  }

  /// Adds atomically and returns the previous value.
  @discardableResult
  @inlinable package func add(_ value: UInt64, at base: UnsafeMutableRawPointer) -> UInt64 {
    rxt_add_u64(base + offset, value)
  }
}
