import ReactiveTrace

/// Where records of a thread may be missing between two that are there.
///
/// A thread writes one segment after the other. Where the epochs between two of them are not all in the trace,
/// one that is missing may have been its; so what it had begun may have ended unseen.
struct RecordGaps {
  private let ranks: [UInt64: Int]
  /// How many segments up to each rank lack their end.
  private let cut: [Int]
  private let isWhole: Bool
  private var last: [UInt32: UInt64] = [:]

  init(_ snapshot: TraceSnapshot) {
    let segments = snapshot.segments.sorted { $0.epoch < $1.epoch }
    var ranks: [UInt64: Int] = [:]
    var cut: [Int] = []
    for (rank, segment) in segments.enumerated() {
      ranks[segment.epoch] = rank
      cut.append((cut.last ?? 0) + (segment.isTruncated ? 1 : 0))
    }
    self.ranks = ranks
    self.cut = cut
    let span = (segments.last?.epoch ?? 0) &- (segments.first?.epoch ?? 0)
    isWhole = (cut.last ?? 0) == 0 && (segments.isEmpty || span == UInt64(segments.count - 1))
  }

  /// Whether the thread of a record may have done something since its record before that is not there.
  mutating func isBehindOne(_ record: TraceRecord) -> Bool {
    if record.kind == .recordsLost { return true }
    guard !isWhole else { return false }
    let epoch = Packing.position(ofRecord: record.number).epoch
    guard let before = last.updateValue(epoch, forKey: record.thread), before < epoch else {
      return false
    }
    guard let one = ranks[before], let two = ranks[epoch] else { return true }
    let cutBefore = one > 0 ? cut[one - 1] : 0
    return UInt64(two - one) != epoch - before || cut[two - 1] > cutBefore
  }
}
