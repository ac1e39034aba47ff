/// The text that `rxtop dump` prints, from which the lines of records and rows can be removed.
struct DumpText {
  /// A line of the dump, and its fields.
  struct Line {
    var text: Substring
    /// The name of a row, such as `site 4`; nil for a line that is no row of a table.
    var row: Substring?
    /// The number of slots that a record takes in its segment; 0 for any other line.
    var slots = 0
    /// The epoch of a segment or of a record's segment; 0 for any other line.
    var epoch: UInt64 = 0

    /// The kind of a record, such as `subscribed`; empty for any other line.
    var kind: Substring {
      let words = text.split(separator: " ", maxSplits: 3)
      return slots > 0 && words.count > 2 ? words[2] : ""
    }

    /// The value of a field or of an argument.
    func value(_ name: String) -> UInt64? {
      text.split(separator: " ").first { $0.hasPrefix(name + "=") }
        .flatMap { UInt64($0.dropFirst(name.count + 1)) }
    }

    /// The identifier of the entity that the record is about, which is its first argument.
    var entity: UInt64? {
      text.split(separator: " ").dropFirst(2).first.flatMap { word in
        word.split(separator: "=").last.flatMap { UInt64($0) }
      }
    }
  }

  private(set) var lines: [Line] = []

  init(_ text: String) {
    var numbers: [(line: Int, number: UInt64)] = []
    var (epoch, committed): (UInt64, UInt64) = (0, 0)
    func close(_ lines: inout [Line]) {
      // A record takes all slots up to the next record.
      for (place, one) in numbers.enumerated() {
        let end =
          place + 1 < numbers.count
          ? numbers[place + 1].number : epoch << 12 + (committed - 64) / 16
        lines[one.line].slots = Int(end - one.number)
      }
      numbers = []
    }
    for text in text.split(separator: "\n") {
      var line = Line(text: text)
      let words = text.split(separator: " ", maxSplits: 3)
      if text.hasPrefix("  "), let number = words.first.flatMap({ UInt64($0.dropLast()) }) {
        numbers.append((lines.count, number))
        line.epoch = epoch
      } else if ["segment", "tail"].contains(words.first) {
        close(&lines)
        epoch = line.value("epoch") ?? 0
        committed = line.value("committed") ?? 64
        line.epoch = epoch
      } else if words.count > 2 {
        let count = words[0] == "count" ? 3 : 2
        let name = text.split(separator: " ").prefix(count)
        line.row = name.isEmpty ? nil : text[name[0].startIndex..<name[name.count - 1].endIndex]
      }
      lines.append(line)
    }
    close(&lines)
  }

  /// The index of the line of each record, by its number in a trace assembled from these lines.
  var records: [UInt64: Int] {
    var records: [UInt64: Int] = [:]
    var (epoch, slot): (UInt64, UInt64) = (0, 0)
    for (place, line) in lines.enumerated() where line.epoch > 0 {
      if line.slots == 0 {
        (epoch, slot) = (line.epoch, 0)
      } else {
        records[epoch << 12 + slot] = place
        slot += UInt64(line.slots)
      }
    }
    return records
  }

  /// The index of the line of each row, by the row's name.
  var rows: [String: Int] {
    var rows: [String: Int] = [:]
    for (place, line) in lines.enumerated() { if let row = line.row { rows[String(row)] = place } }
    return rows
  }

  /// Removes lines.
  mutating func remove(_ places: Set<Int>) {
    lines = lines.indices.filter { !places.contains($0) }.map { lines[$0] }
  }

  /// The remaining lines as text.
  ///
  /// If segments do not say how much was written into them, the trace does not show that something
  /// is missing.
  func text(saysWhatWasWritten: Bool) -> String {
    lines.map { line in
      guard !saysWhatWasWritten, line.epoch > 0, line.slots == 0 else { return String(line.text) }
      return line.text.split(separator: " ").filter { !$0.hasPrefix("committed=") }
        .joined(separator: " ")
    }
    .joined(separator: "\n")
  }

  // MARK: Times

  /// A number of the header.
  func header(_ name: String) -> UInt64? {
    lines.first { $0.text.hasPrefix("header \(name)=") }?.value(name)
  }

  /// Nanoseconds from the beginning of the recording to a record, and to the end of the recording.
  func times(ofRecordAt place: Int) -> (record: Double, end: Double)? {
    guard let segment = lines[...place].last(where: { $0.epoch > 0 && $0.slots == 0 }),
      let delta = lines[place].text.split(separator: " ").dropFirst().first.flatMap({
        UInt64($0.dropFirst())
      }),
      let base = segment.value("baseTicks"), let start = header("startTicks"),
      let stop = header("stopTicks"),
      let ticks = header("latestTicks"), let nanoseconds = header("latestMonotonic"),
      let first = header("startMonotonic"), ticks > start, base + delta >= start, stop >= start
    else { return nil }
    let rate = Double(nanoseconds - first) / Double(ticks - start)
    return (Double(base + delta - start) * rate, Double(stop - start) * rate)
  }
}
