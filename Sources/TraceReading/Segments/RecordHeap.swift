/// A chain of records that is being merged with others, and its position.
protocol RecordHeapEntry {
  /// The place of its next record in the order of all.
  var key: RecordKey { get }
}

/// A binary heap of chains of records: first the one whose next record precedes all others.
struct RecordHeap<Entry: RecordHeapEntry> {
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The chain whose record comes next; the heap must not be empty.
  ///
  /// A caller that advances it must then call ``settleFirst()``.
  var first: Entry {
    get { entries[0] }
    _modify { yield &entries[0] }
  }

  /// The key of the chain after the first one: the first may advance up to there.
  var secondKey: RecordKey? {
    switch entries.count {
    case 0, 1: nil
    case 2: entries[1].key
    default: min(entries[1].key, entries[2].key)
    }
  }

  /// A chain for which a condition holds; O(n).
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

  /// Moves the first chain to where it belongs after it has advanced; O(log n).
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
