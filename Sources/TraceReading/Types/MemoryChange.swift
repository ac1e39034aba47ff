/// How much memory a process had more, or less, at one mark than at another, in bytes.
public struct MemoryChange: Sendable, Equatable {
  /// Of the heap in use; nil where that is not known of both.
  public var heap: Int64?
  /// Of what is in memory; nil where that is not known of both.
  public var resident: Int64?

  /// The change between two readings; nil for what is not known.
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
  /// How much memory the process has more than at an earlier mark.
  public func memoryChange(since earlier: TraceMark) -> MemoryChange {
    MemoryChange(
      heap: (earlier.heapInUse, heapInUse),
      resident: (earlier.residentSize, residentSize)
    )
  }
}
