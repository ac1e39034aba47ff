package import TraceReading

extension ProgramInfo {
  package init(_ snapshot: TraceSnapshot, window: ExactWindow?) {
    let header = snapshot.header
    name = header.programName
    processID = header.processID
    level = header.level
    placeLevel = snapshot.sites.compactMap(\.level).max() ?? .off
    places = header.places
    path = snapshot.path
    startedAt = header.start.realtime
    note = header.note
    let last = snapshot.lastTicks
    duration = max(.zero, snapshot.time(last))
    ending = ProgramEnding(snapshot)
    setStatus(snapshot.processStatus, endedAgo: nil)
    if let window {
      if window.firstGeneration != nil {
        let first = window.isWhole ? header.start.ticks : window.base.ticks
        let start = max(.zero, snapshot.time(first))
        exactWindow = start <= duration ? start...duration : nil
      }
    } else if let first = snapshot.exactFrom {
      let start = max(.zero, snapshot.time(first))
      exactWindow = start <= duration ? start...duration : nil
    }
    if let exactWindow { parts = RecordedParts(snapshot, exactWindow) }
    recordCount = snapshot.records.count
    noteLookBack(header)
    earlyEnd = snapshot.earlyEnd.map { end in
      EarlyEndInfo(end, time: end.ticks.map { max(.zero, snapshot.time($0)) })
    }
    losses = (earlyEnd.map { [$0.sentence] } ?? []) + Losses.sentences(snapshot)
    isIncomplete = losses.count > Losses.harmlessLosses(snapshot).count
    problems = snapshot.problems.map(\.description)
    isCut = header.cut != nil
    if !isCut { quotedProblem = snapshot.firstLoss?.description }
  }

  /// If the ring (the part of the file in which new records overwrite the oldest) holds less time
  /// than was requested, notes that, and the size that would suffice.
  private mutating func noteLookBack(_ header: TraceHeader) {
    guard header.lookBack > 0, header.recycledSegments > 0,
      let ring = header.regions[.segments]?.capacity
    else { return }
    let span = exactWindow.map { $0.upperBound - $0.lowerBound } ?? .zero
    let requested = Duration.seconds(header.lookBack)
    guard span < requested else { return }
    missedLookBack = header.lookBack
    let size = UInt64(ring) * UInt64(Layout.Segment.size)
    sizeForLookBack = RingEstimate.size(for: requested, where: size, lasts: span)
  }

  /// Sets the status and the sentence that describes it.
  ///
  /// - Parameters:
  ///   - process: The status of the process.
  ///   - endedAgo: The time since the process was found to have ended, if it was seen running
  ///     before.
  package mutating func setStatus(_ process: ProcessStatus, endedAgo: Duration?) {
    switch process {
    case .running:
      status = .running
      statusText = "process \(processID) is running"
    case .died:
      status = .died(ago: endedAgo)
      statusText = "process \(processID) \((ending ?? .unknown).words)\(when(endedAgo))\(account)"
    case .stopped:
      status = .stopped
      statusText =
        ending.map {
          "process \(processID) stopped the recording, and \($0.words) after that\(account)"
        }
        ?? (earlyEnd?.isOfTheWhole == true
          ? "the recording of process \(processID) stopped before the process did; the trace is final"
          : "the recording of process \(processID) was stopped cleanly; the trace is final")
    case .elsewhere:
      status = .elsewhere
      statusText =
        "process \(processID) ran on another machine, before a restart, or in another container"
    }
  }

  private func when(_ endedAgo: Duration?) -> String { endedAgo.map { ", \($0.brief) ago" } ?? "" }

  /// A clause that names the command that shows more.
  private var account: String { "; rxtop explain FILE crash shows what was under way" }
}

/// What a trace lost, in sentences.
///
/// Old records that the ring has overwritten with new ones do not count as lost: they only shorten
/// the exact window, which is the stretch at the end in which no record is missing.
package enum Losses {
  package static func sentences(_ snapshot: TraceSnapshot) -> [String] {
    var sentences: [String] = []
    let header = snapshot.header
    if let cut = header.cut { sentences.append(sentence(cut, snapshot)) }
    if header.lostRecords > 0 {
      sentences.append(
        "\(count(header.lostRecords, "record")) found no free segment and \(was(header.lostRecords)) dropped; a larger size= keeps more"
      )
    }
    if snapshot.missingSegments > 0 {
      sentences.append(
        "\(count(snapshot.missingSegments, "segment")) of the ring \(snapshot.missingSegments == 1 ? "is" : "are") missing or unreadable: what happened in them is unknown"
      )
    }
    if snapshot.damagedSegments > 0 { sentences.append(damage(in: snapshot)) }
    // What a cut file lacks is in the sentence about the cut.
    if let loss = snapshot.firstLoss, header.cut == nil {
      sentences.append(
        "not all of the file can be read; first, at byte \(loss.byteOffset ?? 0), \(loss.message)"
      )
    }
    for (region, lost) in header.lost.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where lost > 0 {
      if region == .slab { sentences.append(lostEntities(lost)) }
      guard let (what, effect) = effect(of: region) else { continue }
      sentences.append("\(count(lost, what)) dropped: \(effect)")
    }
    return sentences + lostEntries(in: snapshot) { affectsVerdicts($0) } + harmlessLosses(snapshot)
  }

  /// Losses on which no finding depends.
  package static func harmlessLosses(_ snapshot: TraceSnapshot) -> [String] {
    lostEntries(in: snapshot) { !affectsVerdicts($0) }
  }

  private static func affectsVerdicts(_ region: RegionKind) -> Bool {
    ![.stacks, .chains, .images, .symbols, .arguments].contains(region)
  }

  /// Table entries that read as zeros but had other content.
  private static func lostEntries(
    in snapshot: TraceSnapshot,
    _ isWanted: (RegionKind) -> Bool
  ) -> [String] {
    snapshot.lostEntries.sorted { $0.key.rawValue < $1.key.rawValue }
      .filter { isWanted($0.key) }
      .map { region, lost in
        switch region {
        case .strings: "\(count(lost, "byte")) of texts \(was(lost)) lost: some are shown as ?"
        case .stacks:
          "\(count(lost, "byte")) of backtraces \(was(lost)) lost: some hops lack theirs"
        case .markCounts:
          "the counts that \(count(lost, "mark")) recorded were lost: growth is not judged"
        case .slab:
          "\(count(lost, "row")) of signals, subscriptions and timers \(was(lost)) lost: "
            + "what they described is unknown"
        case .marks: "\(count(lost, "mark")) \(was(lost)) lost: growth is not judged"
        default: "\(count(lost, name(region))) \(was(lost)) lost: the content is unknown"
        }
      }
  }

  /// A sentence that says what is missing from a file that ends too early.
  private static func sentence(_ cut: FileCut, _ snapshot: TraceSnapshot) -> String {
    let parts: [(what: String, isMissing: Bool)] = [
      ("lines of code", cut.lacks(.sites)),
      ("signals and subscriptions", cut.lacks(.slab) || cut.lacks(.upstreams)),
      ("names", cut.lacks(.strings) || cut.lacks(.arguments)),
      ("records of events", snapshot.missingSegments > 0 || snapshot.damagedSegments > 0),
      ("marks", cut.lacks(.marks) || cut.lacks(.markCounts)),
      ("queues and threads", cut.lacks(.schedulers) || cut.lacks(.threads)),
      (
        "backtraces",
        cut.lacks(.stacks) || cut.lacks(.chains) || cut.lacks(.images) || cut.lacks(.symbols)
      ),
    ]
    let missing = parts.filter(\.isMissing).map(\.what)
    let what =
      switch missing.count {
      case 0: "what stood behind that is missing"
      case 1, 2: "some or all \(missing.joined(separator: " and ")) are missing"
      default:
        "some or all \(missing.dropLast().joined(separator: ", ")), and \(missing[missing.count - 1]) are missing"
      }
    return
      "the file ends too early, as an unfinished copy does: it has \(cut.byteCount) of \(cut.neededByteCount) bytes; \(what), so nothing follows from what is not shown"
  }

  private static func name(_ region: RegionKind) -> String {
    switch region {
    case .sites: "site"
    case .upstreams: "further upstream"
    case .chains: "backtrace"
    case .schedulers: "scheduler"
    case .arguments: "argument"
    case .threads: "thread"
    case .images: "loaded library"
    default: "symbol"
    }
  }

  /// A sentence that says how much of the segments is damaged, and where the damage begins.
  private static func damage(in snapshot: TraceSnapshot) -> String {
    let damaged = snapshot.segments.filter(\.isDamaged)
    let bytes = damaged.reduce(0) { bytes, segment in
      segment.damagedRows.reduce(bytes) { $0 + $1.count * Layout.Record.byteCount }
    }
    let first = damaged.first { !$0.damagedRows.isEmpty } ?? damaged.first
    var place = ""
    if let first, let region = snapshot.header.regions[first.isInTail ? .tail : .segments] {
      let row = (first.damagedRows.first?.lowerBound ?? 0) * Layout.Record.byteCount
      place =
        " from byte \(region.offset(ofRow: first.index) + Layout.Segment.headerByteCount + row) of the file on"
    }
    let what =
      "\(count(snapshot.damagedSegments, "segment")) of records \(was(snapshot.damagedSegments)) damaged"
    let size = bytes > 0 ? "\(count(UInt64(bytes), "byte"))\(place)" : "times\(place)"
    return "\(what), \(size): what was recorded there is unknown"
  }

  private static func effect(of region: RegionKind) -> (what: String, effect: String)? {
    switch region {
    case .sites: ("site", "the figures of some lines are missing")
    case .upstreams: ("further upstream", "some graphs lack edges")
    case .strings: ("text", "some are shown as ?")
    case .stacks, .chains: ("backtrace", "some hops lack theirs")
    case .schedulers: ("scheduler", "some have no name")
    case .arguments: ("argument", "some are shown as ?")
    case .threads: ("thread", "some have no name")
    case .marks, .markCounts: ("mark", "growth is judged by fewer windows")
    case .images: ("loaded library", "some addresses have no symbols")
    case .slab, .segments, .symbols, .tail: nil
    }
  }

  private static func count(_ count: UInt64, _ what: String) -> String {
    if count == 1 { return "1 \(what)" }
    return what.hasSuffix("y") ? "\(count) \(what.dropLast())ies" : "\(count) \(what)s"
  }

  private static func lostEntities(_ count: UInt64) -> String {
    let what =
      count == 1
      ? "1 signal, subscription or timer dropped: it is"
      : "\(count) signals, subscriptions or timers dropped: they are"
    return what + " not in this trace at all; a larger size= keeps more"
  }

  private static func was(_ count: UInt64) -> String { count == 1 ? "was" : "were" }
}
