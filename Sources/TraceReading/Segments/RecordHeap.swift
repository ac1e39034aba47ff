/// What stands at a record: a chain of them that is being merged with others.
protocol RecordHeapEntry {
  /// Where the record at which it stands belongs in the order of all.
  var key: RecordKey { get }
}

/// Chains of records, the one whose record comes next first: a binary heap.
struct RecordHeap<Entry: RecordHeapEntry> {
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The one that comes next; there must be one.
  ///
  /// The caller that advances it calls ``settleFirst()``.
  var first: Entry {
    get { entries[0] }
    _modify { yield &entries[0] }
  }

  /// Where the one after the first stands: up to there the first may go on.
  var secondKey: RecordKey? {
    switch entries.count {
    case 0, 1: nil
    case 2: entries[1].key
    default: min(entries[1].key, entries[2].key)
    }
  }

  /// One for which a condition holds; O(n).
  func first(where isWanted: (Entry) -> Bool) -> Entry? { entries.first(where: isWanted) }

  /// O(log n).
  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place].key < entries[(place - 1) / 2].key {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// O(log n).
  mutating func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    settleFirst()
  }

  /// Puts the first, which has gone on, where it belongs; O(log n).
  mutating func settleFirst() {
    var place = 0
    while true {
      var least = place
      for child in (2 * place + 1)..<(2 * place + 3) where child < entries.count {
        if entries[child].key < entries[least].key { least = child }
      }
      if least == place { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
