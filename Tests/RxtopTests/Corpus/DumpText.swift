import TraceFormat

/// The text that `rxtop dump` prints, from which the lines of records and rows can be removed.
///
/// Subscriptions that are made together may be recorded as a batch: a `stages-subscribed` for the
/// first, and a continuation for each further one, which counts here as a record with a line of its
/// own.
struct DumpText {
  /// A line of the dump, and its fields.
  struct Line {
    var text: Substring
    /// The name of a row, such as `site 4`; nil for a line that is no row of a table.
    var row: Substring?
    /// The number of slots of 16 bytes that a record takes in its segment; 0 for any other line.
    var slots = 0
    /// The epoch, a number that rises with each new segment, of a segment or of a record's segment;
    /// 0 for any other line.
    var epoch: UInt64 = 0

    /// Whether the line is a further subscription of the batch to which the line before belongs.
    var continuesBatch = false

    /// The name of a record in the text; empty for any other line.
    var name: Substring {
      let words = text.split(separator: " ", maxSplits: 3)
      return slots > 0 && words.count > 2 ? words[2] : ""
    }

    /// The kind of a record, such as `subscribed`, also if the record is in a short form; empty for
    /// any other line.
    var kind: Substring {
      if continuesBatch { return "subscribed" }
      let name = name
      return RecordSpec.all.first { $0.name == name }.map {
        Substring(RecordSpec.of($0.kind).name)
      } ?? name
    }

    /// The site that the record names, or that the row refers to.
    var site: UInt64? {
      if continuesBatch { return value("high") }
      return value("site") ?? value("siteAndArgument").map { $0 & (1 << 20 - 1) }
    }

    /// The delta of a record, which is the ticks since its segment's base; for a further
    /// subscription of a batch, the signal, which is stored in its place.
    fileprivate var delta: UInt64 {
      text.split(separator: " ").dropFirst().first.flatMap { UInt64($0.dropFirst()) } ?? 0
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
        line.continuesBatch =
          words.count > 2 && words[2] == "continuation" && (lines.last.map(Self.isBatch) ?? false)
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

  private static func isBatch(_ line: Line) -> Bool {
    line.continuesBatch || line.text.contains(" stages-subscribed ")
  }

  /// Removes lines, and rewrites records in a short form that cannot be read without a removed one.
  mutating func remove(_ places: Set<Int>) {
    var rest: [Line] = []
    var leader = Line(text: "")
    var before: Line?
    var base: UInt64 = 0
    for (place, line) in lines.enumerated() {
      var line = line
      if line.epoch > 0, line.slots == 0 { base = line.value("baseSerial") ?? 0 }
      if line.name == "stages-subscribed" { leader = line }
      let isGone = { (other: Int) in other >= 0 && places.contains(other) }
      if !places.contains(place), isGone(place - 1) {
        if line.continuesBatch {
          line = Self.leader(line, of: leader, below: before?.entity ?? 0)
          leader = line
        } else if line.name == "signal-appended" {
          line = longForm(line, upstream: before?.entity ?? 0, after: base)
        }
      }
      before = lines[place]
      if !places.contains(place) { rest.append(line) }
    }
    lines = rest
  }

  /// Returns a further subscription of a batch as the first one of a new batch.
  private static func leader(_ line: Line, of leader: Line, below: UInt64) -> Line {
    let scheduler = (leader.value("downstreamAndScheduler") ?? 0) >> 32
    let chain = (leader.value("signalAndChain") ?? 0) >> 32
    var new = line
    new.continuesBatch = false
    new.slots = 2
    new.text = Substring(
      "  0: +\(leader.delta) stages-subscribed subscription=\(line.value("low") ?? 0)"
        + " site=\(line.value("high") ?? 0) downstreamAndScheduler=\(scheduler << 32 | below)"
        + " signalAndChain=\(chain << 32 | line.delta)"
    )
    return new
  }

  /// Returns a `signal-appended`, whose upstream is the signal of the record before it, in its long
  /// form, `signal-created`.
  private func longForm(_ line: Line, upstream: UInt64, after base: UInt64) -> Line {
    let word = UInt32(line.value("siteAndArgument") ?? 0)
    let id = TraceID(rawValue: UInt32(line.value("signal") ?? 0))
    let serial = Packing.serial(of: id, after: base, slotBits: UInt32(header("slotBits") ?? 8))
    let argument = UInt64(Packing.argument(ofWord: word))
    var new = line
    new.slots = 2
    new.text = Substring(
      "  0: +\(line.delta) signal-created signal=\(id.rawValue) site=\(Packing.site(ofWord: word))"
        + " upstream=\(argument << 32 | upstream) serial=\(serial)"
    )
    return new
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
      let delta = lines[...place].last(where: { !$0.continuesBatch })?.delta,
      let base = segment.value("baseTicks"), let start = header("startTicks"),
      let stop = header("stopTicks"),
      let ticks = header("latestTicks"), let nanoseconds = header("latestMonotonic"),
      let first = header("startMonotonic"), ticks > start, base + delta >= start, stop >= start
    else { return nil }
    let rate = Double(nanoseconds - first) / Double(ticks - start)
    return (Double(base + delta - start) * rate, Double(stop - start) * rate)
  }
}
