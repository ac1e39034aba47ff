/// Decodes the first page of a file (TraceFormat §2 and §3), trusting nothing in it.
struct HeaderDecoder {
  let file: TraceFile
  var log: ProblemLog
  /// What is found to lie beyond the end of the file.
  private var cut: FileCut?

  init(file: TraceFile, log: ProblemLog) {
    self.file = file
    self.log = log
  }

  private typealias Fields = Layout.FileHeader

  /// Decodes the page; throws if nothing more of the file can be read.
  mutating func decode() throws(TraceError) -> TraceHeader {
    let page = file.bytes(at: 0, count: Fields.byteCount)
    try checkIsTrace(page)
    var header = page.withUnsafeBytes { decode($0) }
    header.latest = latestReading(in: header)
    header.regions = page.withUnsafeBytes { regions($0) }
    header.cut = cut
    for (kind, region) in header.regions where region.lost > 0 { header.lost[kind] = region.lost }
    return header
  }

  private func checkIsTrace(_ page: [UInt8]) throws(TraceError) {
    let fields = page.withUnsafeBytes { page in
      (Fields.magic.load(from: page), Fields.majorVersion.load(from: page))
    }
    if page.isEmpty {
      throw TraceError(
        .notATrace,
        "is empty; a file made with RXTRACE=1 was expected",
        path: file.path
      )
    }
    guard page.count >= 8, fields.0 == Fields.magicNumber else {
      // A recorder stores the magic number last, so an empty page may belong to a recording that
      // has just begun.
      if page.allSatisfy({ $0 == 0 }) {
        throw TraceError(
          .notReady,
          "the header is still empty; its process may be about to write it, try again",
          path: file.path,
          byteOffset: 0
        )
      }
      throw TraceError(
        .notATrace,
        "does not begin with the magic number of a trace; a file made with RXTRACE=1 was expected",
        path: file.path,
        byteOffset: 0
      )
    }
    guard page.count >= 10, fields.1 == Fields.currentMajorVersion || page.count < 12 else {
      throw TraceError(
        .unsupportedVersion,
        "has format version \(fields.1), but this rxtop reads version "
          + "\(Fields.currentMajorVersion); use the rxtop of the library that recorded it",
        path: file.path,
        byteOffset: UInt64(Fields.majorVersion.offset)
      )
    }
    guard page.count == Fields.byteCount else {
      throw TraceError(
        .notATrace,
        "ends after \(page.count) bytes, within its header of \(Fields.byteCount); the file is "
          + "truncated, take a whole copy",
        path: file.path,
        byteOffset: UInt64(page.count)
      )
    }
  }

  private mutating func decode(_ page: UnsafeRawBufferPointer) -> TraceHeader {
    var header = TraceHeader()
    header.majorVersion = Fields.majorVersion.load(from: page)
    header.minorVersion = Fields.minorVersion.load(from: page)
    header.state = known(Fields.state, page, "state") ?? .recording
    header.level = level(ofControl: Fields.control.load(from: page))
    header.startLevel = known(Fields.startLevel, page, "start level") ?? .off
    header.stackMode = known(Fields.stackMode, page, "stack mode") ?? .off
    header.clock = known(Fields.clock, page, "clock") ?? .monotonic
    header.mode = known(Fields.mode, page, "recording mode") ?? .ring
    header.baseLevel = known(Fields.baseLevel, page, "own level") ?? .off
    header.maximumLevel = known(Fields.maximumLevel, page, "highest level") ?? .off
    header.tailState = known(Fields.tailState, page, "tail state") ?? .failed
    header.tailError = Int32(truncatingIfNeeded: Fields.tailError.load(from: page))
    header.stopError = Int32(truncatingIfNeeded: Fields.stopError.load(from: page))
    header.limit = Fields.limit.load(from: page)
    header.lookBack = Fields.lookBack.load(from: page)
    header.ending = ending(page)
    header.architecture = known(Fields.architecture, page, "architecture") ?? .unknown
    header.fixedByteCount = Fields.fixedByteCount.load(from: page)
    header.generation = Fields.generation.load(from: page)
    header.recycledGeneration = Fields.recycledGeneration.load(from: page)
    header.recycledSegments = Fields.recycledSegments.load(from: page)
    header.start = ClockReading(
      ticks: Fields.startTicks.load(from: page),
      monotonic: Fields.startMonotonic.load(from: page),
      realtime: Fields.startRealtime.load(from: page)
    )
    let stopTicks = Fields.stopTicks.load(from: page)
    header.stopTicks = stopTicks == 0 ? nil : stopTicks
    header.processID = Int32(bitPattern: Fields.processID.load(from: page))
    header.userID = Fields.userID.load(from: page)
    header.processStart = Fields.processStart.load(from: page)
    header.processNamespace = Fields.processNamespace.load(from: page)
    header.bootID = (Fields.bootIDHigh.load(from: page), Fields.bootIDLow.load(from: page))
    header.lastSerial = Fields.lastSerial.load(from: page)
    header.lastEpoch = Fields.lastEpoch.load(from: page)
    header.lostRecords = Fields.lostRecords.load(from: page)
    header.slotBits = Fields.slotBits.load(from: page)
    if header.slotBits == 0 || header.slotBits > 31 {
      log.note(
        "header",
        at: Fields.slotBits.offset,
        "claims identifiers with \(header.slotBits) bits of slot index, 1 to 31 were expected; entities cannot be distinguished"
      )
      header.slotBits = min(31, max(1, header.slotBits))
    }
    return header
  }

  private mutating func ending(_ page: UnsafeRawBufferPointer) -> TraceEnding? {
    let number = Fields.endNumber.load(from: page)
    switch known(Fields.endedBy, page, "ending") ?? EndingKind.unknown {
    case .unknown: return nil
    case .exited: return TraceEnding(.exited(Int32(truncatingIfNeeded: number)))
    case .signalled:
      let ticks = Fields.endTicks.load(from: page)
      return TraceEnding(
        .signal(Int32(truncatingIfNeeded: number)),
        ticks: ticks == 0 ? nil : ticks,
        thread: Fields.endThread.load(from: page),
        chain: Fields.endChain.load(from: page),
        stack: Fields.endStack.load(from: page)
      )
    }
  }

  private mutating func level(ofControl word: UInt32) -> TraceLevel {
    let raw = word & 0xF
    if let level = TraceLevel(rawValue: raw) { return level }
    log.note(
      "header",
      at: Fields.control.offset,
      isLoss: false,
      "claims recording level \(raw), 0 to 3 were expected; it is shown as events"
    )
    return .events
  }

  /// The value of an enumeration; nil, and noted in the log, if this package does not know the
  /// value.
  private mutating func known<Value: RawRepresentable>(
    _ field: Field<UInt32>,
    _ page: UnsafeRawBufferPointer,
    _ name: String
  ) -> Value? where Value.RawValue == UInt32 {
    let raw = field.load(from: page)
    if let value = Value(rawValue: raw) { return value }
    log.note(
      "header",
      at: field.offset,
      isLoss: false,
      "claims \(name) \(raw), which this version does not know; the default is shown"
    )
    return nil
  }

  /// The latest readings of the clocks.
  ///
  /// Makes three copies. The header's `latestSequence` is odd while the recorder changes the
  /// readings. If it is even, and the same in the first and the last copy, the readings did not
  /// change while the second copy was made, and the second copy is used.
  private mutating func latestReading(in header: TraceHeader) -> ClockReading {
    let first = Fields.latestTicks.offset
    let count = Fields.latestSequence.end - first
    var sequence: UInt64 = 0
    for _ in 0..<16 {
      let copies = (0..<3).map { _ in file.bytes(at: first, count: count) }
      let sequences = copies.map { copy in
        copy.withUnsafeBytes { Fields.latestSequence.load(from: $0, at: -first) }
      }
      sequence = sequences[0]
      guard sequence & 1 == 0, sequence == sequences[2] else { continue }
      guard sequence > 0 else { return header.start }
      return copies[1].withUnsafeBytes { bytes in
        ClockReading(
          ticks: Fields.latestTicks.load(from: bytes, at: -first),
          monotonic: Fields.latestMonotonic.load(from: bytes, at: -first),
          realtime: Fields.latestRealtime.load(from: bytes, at: -first)
        )
      }
    }
    // In a running process, this is not reported as a problem: a thread that was preempted while it
    // wrote the readings finishes them when it is scheduled again.
    if ProcessStatus(of: header) != .running {
      log.note(
        "header",
        at: Fields.latestSequence.offset,
        isLoss: false,
        "the latest clock readings were being written when the process ended; the first ones are used alone"
      )
    }
    return header.start
  }

  // MARK: Regions

  private mutating func regions(_ page: UnsafeRawBufferPointer) -> [RegionKind: TraceRegion] {
    var regions: [RegionKind: TraceRegion] = [:]
    let fileSize = file.byteCount
    for kind in RegionKind.allCases {
      let row = Fields.regions + kind.rawValue * Layout.Region.byteCount
      var region = TraceRegion()
      region.kind = kind
      region.offset = Layout.Region.offset.load(from: page, at: row)
      region.size = Layout.Region.size.load(from: page, at: row)
      region.entrySize = Layout.Region.entrySize.load(from: page, at: row)
      region.capacity = Layout.Region.capacity.load(from: page, at: row)
      region.used = Layout.Region.used.load(from: page, at: row)
      region.lost = Layout.Region.lost.load(from: page, at: row)
      guard region.offset != 0 else { continue }
      region.readable = readable(region, row: row, fileSize: fileSize)
      regions[kind] = region
    }
    // A recorder creates all regions, and together they fill the file except for alignment padding.
    let fixed = Fields.fixedByteCount.load(from: page)
    let known = regions.values.reduce(UInt64(Fields.byteCount)) { $0 &+ $1.size }
    let isRecorded = Fields.bootIDHigh.load(from: page) != 0
    if isRecorded, regions[.markCounts] == nil, fixed > known, fixed - known > 256 {
      log.note(
        "region",
        at: Fields.regions,
        "the table of regions lacks rows that every recording has; what stands in these regions is missing"
      )
    }
    return regions
  }

  /// The number of readable segments of the tail.
  ///
  /// The tail grows, because a stream appends segments to it. So a segment can be read only if
  /// `used` counts it and the file contains it.
  private mutating func readableTail(_ region: TraceRegion, row: Int, fileSize: Int) -> Int {
    let bytes = UInt64(fileSize) - min(UInt64(fileSize), region.offset)
    let partial = UInt64(Layout.Segment.size - Layout.Segment.headerByteCount)
    let there = (bytes + partial) / UInt64(Layout.Segment.size)
    if region.used > bytes / UInt64(Layout.Segment.size) {
      log.note(
        "region",
        at: row,
        "the tail claims \(region.used) segments, the file has room for \(bytes / UInt64(Layout.Segment.size)); what is beyond the end is missing"
      )
      let size = region.used.multipliedReportingOverflow(by: UInt64(Layout.Segment.size))
      let end = region.offset.addingReportingOverflow(size.partialValue)
      noteCut(
        .tail,
        region.used - bytes / UInt64(Layout.Segment.size),
        end: size.overflow || end.overflow ? .max : end.partialValue,
        fileSize: fileSize
      )
    }
    return Int(clamping: min(region.used, there, UInt64(region.kind.readLimit)))
  }

  /// Remembers that a region ends behind the file, without `count` of its entries.
  private mutating func noteCut(_ kind: RegionKind, _ count: UInt64, end: UInt64, fileSize: Int) {
    var found = cut ?? FileCut(byteCount: UInt64(fileSize), neededByteCount: end)
    found.neededByteCount = max(found.neededByteCount, end)
    if count > 0 { found.entries[kind] = count }
    cut = found
  }

  /// The number of readable entries: those that are inside both the region and the file, up to a
  /// limit.
  ///
  /// A segment of the ring is included if its header is inside.
  private mutating func readable(_ region: TraceRegion, row: Int, fileSize: Int) -> Int {
    let name = "\(region.kind)"
    let least = region.kind.leastEntrySize
    let entrySize = Int(region.entrySize)
    guard region.offset >= UInt64(Fields.byteCount), region.offset % 8 == 0 else {
      log.note(
        "region",
        at: row,
        "the region '\(name)' begins at byte \(region.offset), a multiple of 8 after the header was expected; it is skipped"
      )
      return 0
    }
    let isExact = region.kind == .segments || region.kind == .tail || least == 1
    guard
      isExact ? entrySize == least : entrySize >= least && entrySize % 8 == 0 && entrySize <= 65536
    else {
      log.note(
        "region",
        at: row,
        "the region '\(name)' has entries of \(entrySize) bytes, \(isExact ? "" : "at least ")\(least) were expected; it is skipped"
      )
      return 0
    }
    if region.kind == .tail { return readableTail(region, row: row, fileSize: fileSize) }
    let (end, overflow) = region.offset.addingReportingOverflow(region.size)
    var bytes = region.size
    if overflow || end > UInt64(fileSize) {
      log.note(
        "region",
        at: row,
        "the region '\(name)' claims bytes \(region.offset) to \(overflow ? "beyond 2^64" : "\(end)"), the file has \(fileSize); what is beyond the end is missing"
      )
      bytes = region.offset < UInt64(fileSize) ? UInt64(fileSize) - region.offset : 0
    }
    // A segment can be read if at least its header is in the file.
    let partial = region.kind == .segments ? entrySize - Layout.Segment.headerByteCount : 0
    let room = Int(
      clamping: bytes.addingReportingOverflow(UInt64(partial)).partialValue / UInt64(entrySize)
    )
    let roomClaimed = region.size / UInt64(entrySize)
    let capacity = least == 1 ? roomClaimed : UInt64(region.capacity)
    if capacity > roomClaimed {
      log.note(
        "region",
        at: row,
        "the region '\(name)' claims \(capacity) entries and has room for \(roomClaimed); the rest is ignored"
      )
    }
    if region.used > capacity {
      log.note(
        "region",
        at: row,
        "the region '\(name)' claims \(region.used) entries in use of \(capacity); the rest is ignored"
      )
    }
    let claimed = region.kind.countsAllEntries ? capacity : min(region.used, capacity)
    let count = min(room, Int(clamping: claimed))
    if overflow || end > UInt64(fileSize) {
      // A reserved row 0, which contains nothing, does not count as missing.
      let nothing = room == 0 && region.kind.beginsWithNothing && entrySize > 1 ? 1 : 0
      noteCut(
        region.kind,
        UInt64(max(0, Int(clamping: claimed) - room - nothing)),
        end: overflow ? .max : end,
        fileSize: fileSize
      )
    }
    if count > region.kind.readLimit {
      log.note(
        "region",
        at: row,
        "the region '\(name)' has \(count) entries, more than the \(region.kind.readLimit) that are read; the rest is ignored"
      )
    }
    return min(count, region.kind.readLimit)
  }
}

extension RegionKind {
  /// Whether entries are reused, so that `used` does not show which of them hold data.
  fileprivate var countsAllEntries: Bool {
    self == .segments || self == .upstreams || self == .markCounts
  }
}
