/// Merges the records of all segments into a single order.
///
/// The order is by ticks; at equal ticks, records of the kinds `hopBegan` and `hopCancelled` come
/// after all others, so that they follow the record with which the work was scheduled; then by
/// position. The records of one sorted segment keep their order, and so do those that one thread
/// wrote into two segments in succession.
enum RecordMerge {
  /// Merges `added`, which is made of ordered runs ending at `ends`, into the ordered `records`.
  ///
  /// - Complexity: O(n log k) for n added records in k interleaved runs, plus the length of that
  ///   part of `records` which is not earlier than the first added one.
  static func merge(_ added: [TraceRecord], runs ends: [Int], into records: inout [TraceRecord]) {
    var added = added
    var ends = ends
    guard let first = added.lazy.map(\.ticks).min() else { return }
    let split = firstIndex(in: records, notBefore: first)
    if split < records.count {
      added += records[split...]
      ends.append(added.count)
      records.removeSubrange(split...)
    }
    records.reserveCapacity(roomFor: added.count)
    var heads = Heads(of: chains(of: added, ends))
    while let range = heads.next(in: added) { records += added[range] }
  }

  /// Joins runs that follow each other in time into chains; a run is a range of `added`.
  ///
  /// This leaves only a few chains to be merged, about as many as there were threads working at
  /// once.
  private static func chains(of added: [TraceRecord], _ ends: [Int]) -> [[Range<Int>]] {
    var chains: [[Range<Int>]] = []
    for links in links(of: added, ends) {
      let first = added[links[0].lowerBound].ticks
      // The best chain for the run is the one that ends latest among those that end before the run
      // begins.
      var best: (chain: Int, ticks: UInt64)?
      for (index, chain) in chains.enumerated() {
        guard let last = chain.last else { continue }
        let ticks = added[last.upperBound - 1].ticks
        if ticks < first, best.map({ $0.ticks < ticks }) ?? true { best = (index, ticks) }
      }
      if let best { chains[best.chain] += links } else { chains.append(links) }
    }
    return chains
  }

  /// The runs in the order in which they begin.
  ///
  /// If a thread continues in a new run at exactly the time at which its last run ends, the new run
  /// is linked to that one, so that the records of the thread stay in order.
  private static func links(of added: [TraceRecord], _ ends: [Int]) -> [[Range<Int>]] {
    var runs: [Range<Int>] = []
    for end in ends where end > runs.last?.upperBound ?? 0 {
      runs.append((runs.last?.upperBound ?? 0)..<end)
    }
    runs.sort {
      let (one, other) = (added[$0.lowerBound], added[$1.lowerBound])
      return (one.ticks, one.number) < (other.ticks, other.number)
    }
    var links: [[Range<Int>]] = []
    var latest: [UInt32: Int] = [:]
    for run in runs {
      let (first, last) = (added[run.lowerBound], added[run.upperBound - 1])
      if first.thread != 0, let link = latest[first.thread],
        let end = links[link].last.map({ added[$0.upperBound - 1] }),
        end.thread == first.thread, end.ticks == first.ticks, end.number < first.number
      {
        links[link].append(run)
        latest[last.thread] = link
      } else {
        latest[last.thread] = links.count
        links.append([run])
      }
    }
    return links
  }

  private static func firstIndex(in records: [TraceRecord], notBefore ticks: UInt64) -> Int {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      // Records with equal ticks are merged again, because their order may depend on the new
      // records.
      if records[middle].ticks < ticks { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The key by which records of different segments are ordered.
struct RecordKey: Comparable {
  var ticks: UInt64
  /// 1 for a record that another one with the same time may have caused.
  var rank: UInt8
  var number: UInt64

  static func < (left: RecordKey, right: RecordKey) -> Bool {
    if left.ticks != right.ticks { return left.ticks < right.ticks }
    return left.rank != right.rank ? left.rank < right.rank : left.number < right.number
  }
}

extension RecordKey {
  init(_ record: TraceRecord) {
    let rank: UInt8 = record.kind == .hopBegan || record.kind == .hopCancelled ? 1 : 0
    self.init(ticks: record.ticks, rank: rank, number: record.number)
  }
}

extension RecordMerge {
  /// The next record of each chain.
  private struct Heads {
    private struct Head: RecordHeapEntry {
      var key: RecordKey
      var position: Int
      var range: Range<Int>
      /// The ranges of the chain after this one, in reverse order.
      var rest: [Range<Int>]
    }

    private var waiting: [[Range<Int>]]
    private var heap = RecordHeap<Head>()

    init(of chains: [[Range<Int>]]) { waiting = chains }

    /// The next records: as many of one chain as precede the records of all other chains.
    mutating func next(in added: [TraceRecord]) -> Range<Int>? {
      if !waiting.isEmpty { fill(from: added) }
      guard !heap.isEmpty else { return nil }
      let limit = heap.secondKey
      let start = heap.first.position
      let end = heap.first.range.upperBound
      var position = start + 1
      if let limit {
        while position < end, RecordKey(added[position]) < limit { position += 1 }
      } else {
        position = end
      }
      if position == end {
        guard let range = heap.first.rest.popLast() else {
          heap.removeFirst()
          return start..<end
        }
        heap.first.range = range
        heap.first.position = range.lowerBound
      } else {
        heap.first.position = position
      }
      heap.first.key = RecordKey(added[heap.first.position])
      heap.settleFirst()
      return start..<position
    }

    private mutating func fill(from added: [TraceRecord]) {
      for chain in waiting {
        var rest = Array(chain.reversed())
        guard let range = rest.popLast() else { continue }
        let key = RecordKey(added[range.lowerBound])
        heap.insert(Head(key: key, position: range.lowerBound, range: range, rest: rest))
      }
      waiting = []
    }
  }
}

extension [TraceRecord] {
  /// Reserves room for more elements, but only in an empty array: later, exact reservations would
  /// prevent growth by doubling.
  fileprivate mutating func reserveCapacity(roomFor more: Int) {
    if isEmpty { reserveCapacity(more) }
  }
}
