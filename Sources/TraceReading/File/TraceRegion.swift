/// One row of the region table, as read: where a table or heap is in the file, and how large it is.
public struct TraceRegion: Sendable, Equatable {
  /// What the region holds.
  public var kind: RegionKind = .segments
  /// Bytes from the start of the file.
  public var offset: UInt64 = 0
  /// The size of the region in bytes, according to the file.
  public var size: UInt64 = 0
  /// Bytes from one entry to the next.
  ///
  /// May exceed the size that this package knows, if a later version wrote the file.
  public var entrySize: UInt32 = 0
  /// The number of entries for which there is room.
  public var capacity: UInt32 = 0
  /// Entries, or bytes of a heap, that are complete.
  public var used: UInt64 = 0
  /// Entries that were dropped for lack of room.
  public var lost: UInt64 = 0
  /// Entries, or bytes of a heap, that can be read: never more than the region or the file holds.
  public var readable: Int = 0

  /// An empty region.
  public init() {}

  /// Where an entry begins.
  ///
  /// To be called only for rows below ``readable``, for which the result cannot overflow.
  package func offset(ofRow row: Int) -> Int { start + row * Int(entrySize) }

  /// ``offset`` if there is something to read, otherwise 0, because an invalid offset may not even
  /// fit into an `Int`.
  package var start: Int { readable > 0 ? Int(clamping: offset) : 0 }
}

extension RegionKind {
  /// The size of an entry in bytes, as this package knows it; 1 for heaps.
  var knownEntrySize: Int {
    switch self {
    case .segments, .tail: Layout.Segment.size
    case .slab: Layout.Slot.byteCount
    case .sites: Layout.Site.byteCount
    case .upstreams: Layout.Upstream.byteCount
    case .strings, .stacks: 1
    case .chains: Layout.Chain.byteCount
    case .schedulers: Layout.Scheduler.byteCount
    case .arguments: Layout.Argument.byteCount
    case .threads: Layout.Thread.byteCount
    case .images: Layout.Image.byteCount
    case .marks: Layout.Mark.byteCount
    case .markCounts: Layout.MarkCount.byteCount
    case .symbols: Layout.Symbol.byteCount
    }
  }

  /// The smallest valid size of an entry in bytes, which is the size in files of the earliest
  /// version.
  var leastEntrySize: Int { self == .marks ? Layout.Mark.earlyByteCount : knownEntrySize }

  /// The maximum number of entries (bytes, for heaps) that a reader reads from one file, so that a
  /// file of holes cannot exhaust its memory.
  var readLimit: Int {
    switch self {
    case .segments: 1 << 18
    case .tail: 1 << 34
    case .slab, .upstreams, .chains: 1 << 24
    case .sites, .schedulers, .threads, .images, .arguments: 1 << 18
    case .marks: 1 << 12
    case .symbols: 1 << 19
    case .markCounts: 1 << 28
    case .strings, .stacks: 1 << 28
    }
  }

  /// The maximum number of empty entries that a reader accepts in a heap or a table, so that a file
  /// of holes cannot exhaust its memory.
  ///
  /// A writer makes only one empty entry.
  static let emptyEntryLimit = 1 << 12
}
