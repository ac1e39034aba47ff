/// The change of a process's memory from one mark (a recorded instant) to another, in bytes.
public struct MemoryChange: Sendable, Equatable {
  /// The change of the heap in use; nil unless both values are known.
  public var heap: Int64?
  /// The change of the resident size; nil unless both values are known.
  public var resident: Int64?

  /// Computes the change between two readings, which are nil if not known.
  public init(
    heap: (before: UInt64?, after: UInt64?),
    resident: (before: UInt64?, after: UInt64?)
  ) {
    self.heap = Self.difference(heap)
    self.resident = Self.difference(resident)
  }

  /// Whether nothing is known.
  public var isUnknown: Bool { heap == nil && resident == nil }

  private static func difference(_ values: (before: UInt64?, after: UInt64?)) -> Int64? {
    guard let before = values.before, let after = values.after else { return nil }
    return after >= before ? Int64(clamping: after - before) : -Int64(clamping: before - after)
  }
}

extension TraceMark {
  /// The change of the process's memory since an earlier mark.
  public func memoryChange(since earlier: TraceMark) -> MemoryChange {
    MemoryChange(
      heap: (earlier.heapInUse, heapInUse),
      resident: (earlier.residentSize, residentSize)
    )
  }
}
