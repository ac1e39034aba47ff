/// The totals of a trace's counters, which are read without decoding records, for lists of many
/// traces.
package struct TraceCounters: Sendable, Equatable {
  /// Subscriptions that have not ended.
  package var live: UInt64 = 0
  /// Events that passed through subscriptions, including released ones.
  package var events: UInt64 = 0
  /// Subscriptions that had not ended at the latest mark, an instant that the program has named;
  /// nil if there is no such mark.
  package var liveAtMark: UInt64?
  /// The number of bytes of the file that were read to compute the counters.
  package var bytesRead = 0

  /// Creates counters of zero.
  package init() {}
}

extension TraceReader {
  /// Adds up the counters of the site table and of the slab.
  ///
  /// While the program runs, the counters are read at slightly different moments, so a sum may lack
  /// some of the latest events.
  ///
  /// - Throws: ``/TraceFormat/TraceError`` if the header can no longer be read.
  /// - Complexity: O(sites + slots that were ever used). Reads 384 bytes for each site and 64 for
  ///   each slot, and no records.
  package func counters() throws(TraceError) -> TraceCounters {
    var log = ProblemLog(path: path)
    let tables = TableReader(file: file, header: try header(&log))
    var counters = TraceCounters()
    tables.forEachFilledRow(of: .sites) { _, row in
      counters.bytesRead += row.count
      // If subscriptions end while the row is read, more ends than beginnings may be counted.
      let over = EndReason.allCases.reduce(0 as UInt64) { sum, reason in
        sum &+ Layout.Site.ended(Int(reason.rawValue)).load(from: row)
      }
      let begun = Layout.Site.subscribed.load(from: row)
      counters.live &+= begun > over ? begun - over : 0
      counters.events &+= Layout.Site.eventsOfReleased.load(from: row)
    }
    tables.forEachFilledRow(of: .slab) { _, row in
      counters.bytesRead += row.count
      let state = Layout.Slot.state.load(from: row)
      guard Packing.kind(ofState: state) == EntityKind.subscription.rawValue,
        Layout.Slot.serial.load(from: row) != 0
      else { return }
      counters.events &+= Layout.Slot.eventCount.load(from: row)
    }
    var latest: UInt64 = 0
    tables.forEachFilledRow(of: .marks) { _, row in
      counters.bytesRead += row.count
      let sequence = Layout.Mark.sequence.load(from: row)
      let ticks = Layout.Mark.ticks.load(from: row)
      guard sequence != 0, sequence & 1 == 0, ticks >= latest,
        Layout.Mark.kind.load(from: row) == MarkKind.program.rawValue
      else { return }
      latest = ticks
      counters.liveAtMark = Layout.Mark.liveSubscriptions.load(from: row)
    }
    return counters
  }
}
