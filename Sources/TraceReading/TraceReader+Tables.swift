extension TraceReader {
  /// Reads all tables.
  ///
  /// The strings are read after the rows that refer to them: a recorder completes a string before a
  /// row refers to it, so no name is missing.
  func readTables(into snapshot: inout TraceSnapshot, _ log: inout ProblemLog) {
    let lost = lostBytes(snapshot.header)
    let tables = TableReader(file: file, header: snapshot.header, lost: lost)
    readSlots(tables, into: &snapshot.slots, &snapshot.slab, &log)
    readChains(tables, into: &snapshot.chains, &log)
    snapshot.crashStack = crashStack(tables)
    // Rows are read before the strings, so their names are filled in afterwards.
    var siteRows: [SiteRow] = []
    tables.forEachRow(of: .sites, &log) { _, row, bytes in
      siteRows.append(tables.isLost(.sites, row) ? .lost : SiteRow(bytes))
    }
    let schedulerRows = readSchedulers(tables, &log)
    let threads = readThreads(tables, &log)
    let imageRows = readImages(tables, from: snapshot.images.count, &log)
    let argumentRows = readArguments(tables, from: snapshot.arguments.count, &log)
    let markRows = readMarks(tables, &log)
    let symbolRows = snapshot.symbols.isEmpty ? SymbolRow.all(in: tables, &log) : []
    // The header is read again, because a running program may have set a mark with a new name since
    // the header was read.
    var ignored = ProblemLog(path: path)
    let now = (try? header(&ignored)).map { TableReader(file: file, header: $0, lost: lost) }
    readStrings(now ?? tables, into: &snapshot, &log)

    var names = NameLookup(strings: snapshot.strings, log: log)
    let statesTraits = snapshot.header.statesTraits
    snapshot.sites = siteRows.enumerated().map { index, row in
      var site = row.site
      site.index = UInt32(index)
      guard !site.isLost else { return site }
      site.name = names.text(row.name, in: "site", index, at: tables.place(.sites, index))
      if !statesTraits {
        site.traits = site.traits.intersection(.early).union(EarlierTraits.of(site.name))
      }
      site.file = names.text(row.file, in: "site", index, at: tables.place(.sites, index))
      return site
    }
    snapshot.schedulers = schedulerRows.map { scheduler, name in
      var scheduler = scheduler
      let index = Int(scheduler.index)
      guard !scheduler.isLost else { return scheduler }
      scheduler.name = names.text(
        name,
        in: "scheduler",
        index,
        at: tables.place(.schedulers, index)
      )
      return scheduler
    }
    snapshot.threads = threads
    for (image, path) in imageRows {
      var image = image
      let index = snapshot.images.count
      image.path = names.text(path, in: "image", index, at: tables.place(.images, index))
      snapshot.images.append(image)
    }
    for (argument, text) in argumentRows {
      let index = snapshot.arguments.count
      let place = tables.place(.arguments, index)
      snapshot.arguments.append(
        argument.named { text == 0 ? nil : names.text(text, in: "argument", index, at: place) }
      )
    }
    for (index, row) in symbolRows.enumerated() {
      snapshot.symbols.append(row.symbol(index, at: tables.place(.symbols, index), &names))
    }
    snapshot.marks = markRows.map { mark, name in
      var mark = mark
      mark.name = names.text(name, in: "mark", mark.index, at: tables.place(.marks, mark.index))
      return mark
    }
    log = names.log
    noteLost(tables, in: &snapshot, &log)
  }

  // MARK: Schedulers, threads, images

  private func readSchedulers(
    _ tables: TableReader,
    _ log: inout ProblemLog
  ) -> [(TraceScheduler, UInt32)] {
    var rows: [(TraceScheduler, UInt32)] = []
    tables.forEachRow(of: .schedulers, &log) { log, index, row in
      var scheduler = TraceScheduler()
      scheduler.index = UInt32(index)
      guard !tables.isLost(.schedulers, index) else {
        scheduler.isLost = true
        scheduler.name = "?"
        return rows.append((scheduler, 0))
      }
      let rawKind = Layout.Scheduler.kind.load(from: row)
      if let kind = SchedulerKind(rawValue: rawKind) {
        scheduler.kind = kind
      } else {
        log.note(
          "scheduler",
          at: tables.place(.schedulers, index),
          isLoss: false,
          "scheduler \(index) has kind \(rawKind), which this version does not know; it is shown as other"
        )
      }
      scheduler.scheduled = Layout.Scheduler.scheduled.load(from: row)
      scheduler.begun = Layout.Scheduler.begun.load(from: row)
      scheduler.cancelled = Layout.Scheduler.cancelled.load(from: row)
      rows.append((scheduler, Layout.Scheduler.name.load(from: row)))
    }
    return rows
  }

  private func readThreads(_ tables: TableReader, _ log: inout ProblemLog) -> [TraceThread] {
    var threads: [TraceThread] = []
    tables.forEachRow(of: .threads, &log) { _, index, row in
      var thread = TraceThread()
      thread.index = UInt32(index)
      guard !tables.isLost(.threads, index) else {
        thread.name = "?"
        return threads.append(thread)
      }
      thread.systemID = Layout.Thread.systemID.load(from: row)
      thread.isMain = Layout.Thread.isMain.load(from: row) != 0
      thread.firstSeen = Layout.Thread.firstSeen.load(from: row)
      let ended = Layout.Thread.ended.load(from: row)
      thread.ended = ended == 0 ? nil : ended
      thread.lost = Layout.Thread.lost.load(from: row)
      let name = row[Layout.Thread.name..<(Layout.Thread.name + Layout.Thread.nameByteCount)]
      thread.name = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      threads.append(thread)
    }
    return threads
  }

  private func readImages(
    _ tables: TableReader,
    from first: Int,
    _ log: inout ProblemLog
  ) -> [(TraceImage, UInt32)] {
    var rows: [(TraceImage, UInt32)] = []
    tables.forEachRow(of: .images, from: first, &log) { log, index, row in
      var image = TraceImage()
      guard !tables.isLost(.images, index) else { return rows.append((image, 0)) }
      image.base = Layout.Image.base.load(from: row)
      image.endOfText = Layout.Image.endOfText.load(from: row)
      let count = Int(Layout.Image.buildIDByteCount.load(from: row))
      if count > Layout.Image.buildIDLimit {
        log.note(
          "image",
          at: tables.place(.images, index),
          "image \(index) claims a build identifier of \(count) bytes, at most \(Layout.Image.buildIDLimit) were expected; it is ignored"
        )
      } else {
        image.buildID = Array(row[Layout.Image.buildID..<(Layout.Image.buildID + count)])
      }
      rows.append((image, Layout.Image.path.load(from: row)))
    }
    return rows
  }

  /// The new arguments, each with the number of its text.
  ///
  /// Rows never change.
  private func readArguments(
    _ tables: TableReader,
    from first: Int,
    _ log: inout ProblemLog
  ) -> [(SignalArgument, UInt32)] {
    var rows: [(SignalArgument, UInt32)] = []
    tables.forEachRow(of: .arguments, from: first, &log) { log, index, row in
      guard !tables.isLost(.arguments, index) else { return rows.append((.unknown, 0)) }
      let rawKind = Layout.Argument.kind.load(from: row)
      let kind = ArgumentKind(rawValue: rawKind) ?? .unknown
      if kind.rawValue != rawKind {
        log.note(
          "argument",
          at: tables.place(.arguments, index),
          isLoss: false,
          "argument \(index) has kind \(rawKind), which this version does not know; it is shown as unknown"
        )
      }
      let value = Int64(bitPattern: Layout.Argument.value.load(from: row))
      let argument: SignalArgument =
        switch kind {
        case .unknown: .unknown
        case .none: .none
        case .closure: .closure
        case .integer: .integer(Int(value))
        case .duration: .duration(nanoseconds: value)
        case .text: .text("")
        case .part: .part("")
        case .scheduler: .scheduler(UInt32(clamping: value))
        case .list: .list
        }
      rows.append((argument, Layout.Argument.text.load(from: row)))
    }
    return rows
  }

  // MARK: Chains

  /// The return addresses that the crash handler has stored.
  private func crashStack(_ tables: TableReader) -> [UInt64] {
    guard let number = tables.header.ending?.stack, number != 0 else { return [] }
    return tables.heap(.stacks).withUnsafeBytes { heap in
      let start = Int(number) * Layout.StackHeap.unit
      let first = start + Layout.StackHeap.frames
      guard heap.count >= first + 8 * Layout.StackHeap.limit,
        Layout.StackHeap.count.load(from: heap, at: start) == UInt64(Layout.StackHeap.limit)
      else { return [] }
      return (0..<Layout.StackHeap.limit)
        .map { heap.loadUnaligned(fromByteOffset: first + 8 * $0, as: UInt64.self) }
        .prefix { $0 > 1 }.map { UInt64(littleEndian: $0) }
    }
  }

  /// Appends the new chains, which are asynchronous backtraces.
  ///
  /// A parent has a lower row than its children. A row whose parent is a later row, or itself,
  /// could lead to a cycle, so it is read as a row without a parent.
  private func readChains(
    _ tables: TableReader,
    into chains: inout [TraceChain],
    _ log: inout ProblemLog
  ) {
    guard let region = tables.header.regions[.chains], region.readable > chains.count else {
      return
    }
    let stacks = readStacks(tables, &log)
    tables.forEachRow(of: .chains, from: chains.count, &log) { log, index, row in
      var chain = TraceChain()
      let place = tables.place(.chains, index)
      guard !tables.isLost(.chains, index) else {
        chain.isCut = true
        return chains.append(chain)
      }
      let stack = Int(Layout.Chain.stack.load(from: row))
      if let frames = stacks[stack] {
        chain.frames = frames
      } else {
        log.note(
          "stack",
          at: place,
          isLoss: tables.lost.stretches.isEmpty,
          "chain \(index) names stack \(stack), which is not in the heap of stacks; it is shown without frames"
        )
      }
      chain.parent = Layout.Chain.parent.load(from: row)
      if chain.parent != 0, Int(chain.parent) >= index {
        log.note(
          "chain",
          at: place,
          "chain \(index) names the parent \(chain.parent), one before it was expected; the chain is cut here"
        )
        chain.parent = 0
        chain.isCut = true
      }
      chain.scheduler = Layout.Chain.scheduler.load(from: row)
      let depth = Layout.Chain.depth.load(from: row)
      if depth & Layout.Chain.cutBit != 0 { chain.isCut = true }
      chain.isRepeated = depth & Layout.Chain.repeatBit != 0
      chain.kind = HopKind(inDepth: depth)
      chain.depth = depth & Layout.Chain.depthMask
      chains.append(chain)
    }
  }

  /// The return addresses of each stack, by number.
  ///
  /// The heap is read from its beginning, because a number is only valid if a stack begins there.
  private func readStacks(_ tables: TableReader, _ log: inout ProblemLog) -> [Int: [UInt64]] {
    var stacks: [Int: [UInt64]] = [0: []]
    tables.heap(.stacks).withUnsafeBytes { heap in
      var start = 0
      var emptyCount = 0
      let base = tables.place(.stacks, 0)
      var isBehindLost = false
      while start + Layout.StackHeap.frames <= heap.count {
        if start > 0, let end = tables.lost.end(from: base + start) {
          start = max(start + Layout.StackHeap.unit, (end - base) / 8 * 8)
          isBehindLost = true
          continue
        }
        let count = Layout.StackHeap.count.load(from: heap, at: start)
        // After lost stacks, a word is treated as an address unless it can be a count.
        if isBehindLost, count == 0 || count > UInt64(Layout.StackHeap.limit) {
          start += Layout.StackHeap.unit
          continue
        }
        let room = (heap.count - start - Layout.StackHeap.frames) / 8
        guard count <= UInt64(Layout.StackHeap.limit), Int(count) <= room else {
          log.note(
            "stack",
            at: tables.place(.stacks, start),
            "a stack claims \(count) frames, at most \(Layout.StackHeap.limit) and no more than the heap has left were expected; this stack and those behind it are not shown"
          )
          return
        }
        if start == 0, count > 0 {
          log.note(
            "stack",
            at: tables.place(.stacks, 0),
            "stack 0 has \(count) frames, none were expected; it is ignored"
          )
        }
        if count == 0 {
          emptyCount += 1
          guard emptyCount <= RegionKind.emptyEntryLimit else {
            log.note(
              "stack",
              at: tables.place(.stacks, start),
              "more than \(RegionKind.emptyEntryLimit) stacks are empty, as in a file of holes; those from here on are not shown"
            )
            return
          }
        }
        let end = start + Layout.StackHeap.frames + 8 * Int(count)
        if tables.lost.touches((base + start)..<(base + end)) {
          start += Layout.StackHeap.unit
          isBehindLost = true
          continue
        }
        stacks[start / Layout.StackHeap.unit] = (0..<Int(count)).map { frame in
          Field<UInt64>(at: Layout.StackHeap.frames + 8 * frame).load(from: heap, at: start)
        }
        start = end
      }
    }
    stacks[0] = []
    return stacks
  }
}

extension SignalArgument {
  /// The argument with the text to which its row refers; unknown if there is no such text.
  fileprivate func named(_ text: () -> String?) -> SignalArgument {
    switch self {
    case .text: text().map { .text($0) } ?? .unknown
    case .part: text().map { .part($0) } ?? .unknown
    default: self
    }
  }
}
