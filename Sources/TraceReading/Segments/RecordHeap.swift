/// A sequence of records, here called a chain, that is being merged with other chains, and the
/// position in it.
protocol RecordHeapEntry {
  /// The key of its next record, by which all records are ordered.
  var key: RecordKey { get }
}

/// A binary heap of chains of records.
///
/// The first chain is the one whose next record precedes those of all other chains.
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

  /// The key of the chain that would be first without the first one.
  ///
  /// The first chain may advance up to that key.
  var secondKey: RecordKey? {
    switch entries.count {
    case 0, 1: nil
    case 2: entries[1].key
    default: min(entries[1].key, entries[2].key)
    }
  }

  /// A chain for which a condition holds; O(n).
  func first(where isWanted: (Entry) -> Bool) -> Entry? { entries.first(where: isWanted) }

  /// Adds a chain; O(log n).
  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place].key < entries[(place - 1) / 2].key {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the first chain; O(log n).
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
