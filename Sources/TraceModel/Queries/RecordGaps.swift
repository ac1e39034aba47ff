package import TraceReading

/// Finds where records of a thread may be missing between two records that are present.
///
/// A thread writes one segment (a block of records) after the other, and all segments are numbered
/// by epochs in the order in which they were begun. If a segment with an epoch between those of two
/// segments of the thread is missing from the trace, the missing segment may have belonged to the
/// thread, and work that the thread had begun may have ended in it. The same applies to damage
/// within a segment.
package struct RecordGaps {
  /// The rank of each segment in the order of epochs, counted from 0, by epoch.
  private let ranks: [UInt64: Int]
  /// For each rank, how many segments up to it are incomplete.
  private let cut: [Int]
  private let isWhole: Bool
  /// The damaged segments, by epoch.
  private let damaged: [UInt64: TraceSegment]
  /// The number of each thread's latest record.
  private var last: [UInt32: UInt64] = [:]

  package init(_ snapshot: TraceSnapshot) {
    let segments = snapshot.segments.sorted { $0.epoch < $1.epoch }
    var ranks: [UInt64: Int] = [:]
    var cut: [Int] = []
    for (rank, segment) in segments.enumerated() {
      ranks[segment.epoch] = rank
      cut.append((cut.last ?? 0) + (segment.isWhole ? 0 : 1))
    }
    self.ranks = ranks
    self.cut = cut
    damaged = Dictionary(
      segments.lazy.filter(\.isDamaged).map { ($0.epoch, $0) },
      uniquingKeysWith: { $1 }
    )
    let span = (segments.last?.epoch ?? 0) &- (segments.first?.epoch ?? 0)
    isWhole = (cut.last ?? 0) == 0 && (segments.isEmpty || span == UInt64(segments.count - 1))
  }

  /// Whether a record may be missing between this one and the previous one of the same thread.
  package mutating func followsGap(_ record: TraceRecord) -> Bool {
    if record.kind == .recordsLost { return true }
    guard !isWhole else { return false }
    // It is unknown which thread wrote this record, and what that thread did before.
    guard record.thread != 0 else { return true }
    guard let earlier = last.updateValue(record.number, forKey: record.thread) else { return false }
    let (one, two) = (
      Packing.position(ofRecord: earlier), Packing.position(ofRecord: record.number)
    )
    if let segment = damaged[two.epoch] {
      let known = one.epoch == two.epoch ? one.index : -1
      if segment.hasWrongTimes { return true }
      if segment.damagedRows.contains(where: { (known..<two.index).contains($0.lowerBound) }) {
        return true
      }
    }
    guard one.epoch < two.epoch else { return false }
    guard let from = ranks[one.epoch], let to = ranks[two.epoch], from < to else { return true }
    let cutBefore = from > 0 ? cut[from - 1] : 0
    return UInt64(to - from) != two.epoch - one.epoch || cut[to - 1] > cutBefore
  }
}
