extension TraceReader {
  /// Decodes the strings that were added to the heap since the snapshot was made.
  func readStrings(
    _ tables: TableReader,
    into snapshot: inout TraceSnapshot,
    _ log: inout ProblemLog
  ) {
    let unit = Layout.StringHeap.unit
    let start = snapshot.decodedStringBytes
    let heap = tables.heap(.strings, from: start)
    let base = (tables.header.regions[.strings]?.start ?? 0) + start
    var offset = 0
    var emptyCount = 0
    var isBehindLost = false
    heap.withUnsafeBytes { heap in
      while offset + Layout.StringHeap.bytes <= heap.count {
        if start + offset > 0, let end = tables.lost.end(from: base + offset) {
          offset = max(offset + unit, (end - base) / unit * unit)
          isBehindLost = true
          continue
        }
        let length = Int(Layout.StringHeap.length.load(from: heap, at: offset))
        if isBehindLost, !Self.isString(at: offset, of: length, in: heap) {
          // The beginning of the next string is unknown, so every possible position is tried.
          offset += unit
          continue
        }
        guard length <= Layout.StringHeap.limit,
          offset + Layout.StringHeap.bytes + length <= heap.count
        else {
          log.note(
            "string",
            at: base + offset,
            "a string claims \(length) bytes, at most \(Layout.StringHeap.limit) and no more than the heap has left were expected; this string and those behind it are not shown"
          )
          return
        }
        if length > 0, start + offset == 0 {
          log.note(
            "string",
            at: base,
            "string 0 has \(length) bytes, none were expected; it is ignored"
          )
        }
        if length == 0 {
          emptyCount += 1
          guard emptyCount <= RegionKind.emptyEntryLimit else {
            log.note(
              "string",
              at: base + offset,
              "more than \(RegionKind.emptyEntryLimit) strings are empty, as in a file of holes; those from here on are not shown"
            )
            return
          }
        }
        let first = offset + Layout.StringHeap.bytes
        if tables.lost.touches((base + first)..<(base + first + length)) {
          offset += unit
          isBehindLost = true
          continue
        }
        let bytes = heap[first..<(first + length)]
        let text = String(decoding: bytes, as: UTF8.self)
        if text.utf8.count != length || !text.utf8.elementsEqual(bytes) {
          log.note(
            "utf8",
            at: base + offset,
            isLoss: false,
            "a string is not valid UTF-8; its invalid bytes are shown as U+FFFD"
          )
        }
        snapshot.strings[UInt32(clamping: (start + offset) / unit)] = text
        offset = (first + length + unit - 1) / unit * unit
      }
    }
    snapshot.decodedStringBytes = start + min(offset, heap.count / unit * unit)
  }

  /// Whether there can be a string at an offset.
  ///
  /// This is needed if the string before it is lost.
  private static func isString(
    at offset: Int,
    of length: Int,
    in heap: UnsafeRawBufferPointer
  ) -> Bool {
    let unit = Layout.StringHeap.unit
    let first = offset + Layout.StringHeap.bytes
    let end = (first + length + unit - 1) / unit * unit
    guard length > 0, length <= Layout.StringHeap.limit, end <= heap.count else { return false }
    let text = heap[first..<(first + length)]
    return !text.contains(0) && heap[(first + length)..<end].allSatisfy { $0 == 0 }
      && String(validating: text, as: UTF8.self) != nil
  }

  /// Fills in the names to which the header refers by number.
  ///
  /// If `strings`, the decoded heap, is nil, each name is read separately.
  func resolveNames(
    in header: inout TraceHeader,
    strings: [UInt32: String]?,
    _ log: inout ProblemLog
  ) {
    let page = file.bytes(at: 0, count: Layout.FileHeader.byteCount)
    let fields = [
      Layout.FileHeader.programName, Layout.FileHeader.executablePath, Layout.FileHeader.note,
      Layout.FileHeader.places,
    ]
    let numbers = page.withUnsafeBytes { page in fields.map { $0.load(from: page) } }
    var known = strings ?? [:]
    if strings == nil {
      for number in numbers { known[number] = singleString(number, in: header) }
    }
    var names = NameLookup(strings: known, log: log)
    let texts = zip(fields, numbers).map { field, number in
      names.text(number, in: "header", nil, at: field.offset)
    }
    (header.programName, header.executablePath, header.note) = (texts[0], texts[1], texts[2])
    header.places = texts[3]
    log = names.log
  }

  /// Reads one string without the rest of the heap; nil if the heap does not contain it.
  private func singleString(_ number: UInt32, in header: TraceHeader) -> String? {
    guard let region = header.regions[.strings] else { return nil }
    let start = Int(number) * Layout.StringHeap.unit
    let room = region.readable - start
    guard room >= Layout.StringHeap.bytes else { return nil }
    let longest = Layout.StringHeap.bytes + Layout.StringHeap.limit
    let bytes = file.bytes(at: region.start + start, count: min(room, longest))
    let length = bytes.withUnsafeBytes { Int(Layout.StringHeap.length.load(from: $0)) }
    guard length <= Layout.StringHeap.limit, length <= bytes.count - Layout.StringHeap.bytes,
      length > 0 || number == 0
    else {
      return nil
    }
    return String(decoding: bytes[Layout.StringHeap.bytes...].prefix(length), as: UTF8.self)
  }
}

/// Turns string numbers of rows into text, and logs the numbers of strings that the file does not
/// have.
struct NameLookup {
  let strings: [UInt32: String]
  var log: ProblemLog

  mutating func text(_ number: UInt32, in table: String, _ row: Int?, at place: Int) -> String {
    if number == 0 { return "" }
    if let text = strings[number] { return text }
    log.note(
      "string number",
      at: place,
      "the \(table)\(row.map { " \($0)" } ?? "") names string \(number), which is not in the heap of strings; it is shown as '?'"
    )
    return "?"
  }
}
