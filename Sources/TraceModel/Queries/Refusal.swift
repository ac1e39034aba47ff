package import TraceReading

extension TraceSnapshot {
  /// Whether the record in a row is the failure, or the end, of an execution that its action or
  /// command refused.
  ///
  /// Such an execution fails right after its beginning, without having subscribed to anything. If a
  /// record may be missing in between, the result is false.
  ///
  /// - Parameters:
  ///   - row: The row of the record.
  ///   - site: The line of the record's subscription.
  package func isRefusal(at row: Int, of site: UInt32) -> Bool {
    guard self.site(site)?.traits.contains(.executes) == true else { return false }
    let last = records[row]
    guard last.kind == .failed || last.endReason == .failed else { return false }
    let epoch = Packing.position(ofRecord: last.number).epoch
    var next = last
    for place in (max(0, row - Self.refusalLimit)..<row).reversed() {
      let record = records[place]
      guard Packing.position(ofRecord: record.number).epoch == epoch else { continue }
      guard record.number &+ UInt64(record.length) == next.number else { return false }
      switch record.kind {
      case .tearDown, .entityStatus: break
      case .failed: if record.entity != last.entity { return false }
      case .subscribed: return record.entity == last.entity
      default: return false
      }
      next = record
    }
    return false
  }

  /// The maximum number of records that are searched; those of other threads may lie in between.
  private static let refusalLimit = 256
}
