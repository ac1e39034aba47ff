/// What a file lacks that ends before its regions do.
package struct FileCut: Sendable, Equatable {
  /// The size of the file in bytes.
  package var byteCount: UInt64
  /// The size in bytes that the file would need for all of its regions.
  package var neededByteCount: UInt64
  /// The number of entries, or bytes of a heap, that lie beyond the end of the file, by region.
  ///
  /// For regions of which the file does not say what is in use, unused entries are counted, too.
  package var entries: [RegionKind: UInt64] = [:]

  /// Whether entries of a region are beyond the end of the file.
  package func lacks(_ kind: RegionKind) -> Bool { entries[kind] != nil }
}
