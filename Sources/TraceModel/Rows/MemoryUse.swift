package import TraceReading

/// The memory of a process at a mark.
public struct MemoryUse: Sendable, Equatable {
  /// The time from the beginning of the recording to the mark.
  public var time = Duration.zero
  /// Bytes of the heap in use; nil if unknown.
  public var heapInUse: UInt64?
  /// Bytes of the process that were in memory; nil if unknown.
  public var residentSize: UInt64?

  /// A value of which everything is unknown.
  public init() {}

  /// The difference from another mark.
  package func change(since base: MemoryUse) -> MemoryChange {
    MemoryChange(heap: (base.heapInUse, heapInUse), resident: (base.residentSize, residentSize))
  }
}

extension MarkRow {
  /// The memory of the process at that time; nil if it is not known.
  public var memory: MemoryUse? {
    guard heapInUse != nil || residentSize != nil else { return nil }
    var stand = MemoryUse()
    (stand.time, stand.heapInUse, stand.residentSize) = (time, heapInUse, residentSize)
    return stand
  }
}

extension Inspection {
  /// The memory of the process at the latest mark, up to the instant, for which it is known.
  public var memory: MemoryUse? { marks.lazy.reversed().compactMap(\.memory).first }
}

extension MemoryChange {
  /// `heap +3.2 MiB, resident +4.0 MiB`, as far as known; empty if nothing is.
  package var text: String {
    var parts: [String] = []
    if let heap { parts.append("heap \(Quantity.memoryChange(heap))") }
    if let resident { parts.append("resident \(Quantity.memoryChange(resident))") }
    if heap == nil, resident != nil { parts.append("heap not known") }
    return parts.joined(separator: ", ")
  }
}
