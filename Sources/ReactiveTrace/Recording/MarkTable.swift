import CReactiveTraceShims

/// Marks: the live count of every site at some instants.
///
/// The program sets marks by name; the recorder sets one every so often by itself, so that growth can be
/// judged of a program that knows nothing of marks. When the table is full, automatic marks are merged
/// two by two and come half as often from then on, so that they always span the whole recording.
///
/// `@unchecked Sendable`: the rows want the table lock, and `nextCheck` is atomic.
struct MarkTable: @unchecked Sendable {
  let region: MappedRegion
  let counts: MappedRegion
  let sites: SiteTable
  let clock: TraceClock
  private let state: UnsafeMutablePointer<State>
  /// Ticks before which no automatic mark can be due.
  private let nextCheck: UnsafeMutablePointer<UInt64>

  struct State: BitwiseCopyable {
    /// Nanoseconds between automatic marks.
    var interval: UInt64 = MarkTable.firstInterval
    /// Monotonic nanoseconds at which the next one is due.
    var due: UInt64 = 0
    /// Marks set so far.
    var total: UInt32 = 0
  }

  /// Nanoseconds between automatic marks to begin with.
  static var firstInterval: UInt64 { 500_000_000 }

  init(
    region: MappedRegion,
    counts: MappedRegion,
    sites: SiteTable,
    clock: TraceClock
  ) throws(TraceError) {
    self.region = region
    self.counts = counts
    self.sites = sites
    self.clock = clock
    state = try PrivateMemory.allocate(State.self, count: 1)
    state.initialize(to: State())
    state.pointee.due = clock.startMonotonic + Self.firstInterval
    nextCheck = try PrivateMemory.allocate(UInt64.self, count: 1)
  }

  /// Whether it is time to look whether an automatic mark is due: one relaxed load.
  ///
  /// Needs no lock.
  func mayBeDue(_ time: UInt64) -> Bool { time >= rxt_load_relaxed_u64(nextCheck) }

  // MARK: With the table lock held

  /// Nanoseconds between automatic marks now.
  var interval: UInt64 { state.pointee.interval }

  /// Sets an automatic mark if one is due.
  func addAutomatic() {
    let now = clock.read()
    if now.monotonic >= state.pointee.due {
      _ = add(name: 0, .automatic, at: now.ticks)
      state.pointee.due = now.monotonic + state.pointee.interval
    }
    let left = state.pointee.due - now.monotonic
    rxt_store_relaxed_u64(nextCheck, now.ticks &+ clock.ticks(nanoseconds: left))
  }

  /// Sets a mark and returns its number, which counts all marks ever set.
  func add(name: UInt32, _ kind: MarkKind, at ticks: UInt64) -> UInt32 {
    if region.used == region.capacity { makeRoom() }
    let index = region.used
    let row = region.entry(index)
    open(row)
    Layout.Mark.ticks.setRelaxed(ticks, at: row)
    Layout.Mark.name.setRelaxed(name, at: row)
    Layout.Mark.kind.setRelaxed(kind.rawValue, at: row)
    let siteCount = sites.region.used
    Layout.Mark.siteCount.setRelaxed(UInt32(siteCount), at: row)
    var signals: UInt64 = 0
    var subscriptions: UInt64 = 0
    var timers: UInt64 = 0
    for number in 0..<siteCount {
      let site = sites.region.entry(number)
      let live = sites.liveSubscriptions(UInt32(number))
      subscriptions += UInt64(live)
      signals &+= Self.difference(Layout.Site.signalsCreated, Layout.Site.signalsReleased, site)
      timers &+= Self.difference(Layout.Site.timersArmed, Layout.Site.timersEnded, site)
      let count = countRow(index, number)
      Layout.MarkCount.live.setRelaxed(live, at: count)
      let minimum = Layout.Site.minimumLive.relaxed(at: site)
      Layout.MarkCount.minimumLive.setRelaxed(min(minimum, live), at: count)
      Layout.Site.minimumLive.setRelaxed(live, at: site)
      // A subscription may have ended since `live` was read, and have lowered the field in vain.
      Layout.Site.minimumLive.lower(to: sites.liveSubscriptions(UInt32(number)), at: site)
    }
    Layout.Mark.liveSignals.setRelaxed(signals, at: row)
    Layout.Mark.liveSubscriptions.setRelaxed(subscriptions, at: row)
    Layout.Mark.liveTimers.setRelaxed(timers, at: row)
    close(row)
    region.used = index + 1
    state.pointee.total &+= 1
    return state.pointee.total
  }

  private static func difference(
    _ more: Field<UInt64>,
    _ less: Field<UInt64>,
    _ site: UnsafeMutableRawPointer
  ) -> UInt64 {
    let gone = less.relaxed(at: site)
    let came = more.relaxed(at: site)
    return came > gone ? came - gone : 0
  }

  // MARK: Merging

  /// Frees rows of a full table: neighbouring automatic marks first, then automatic ones between
  /// program marks, and program marks, counted as lost, only where there is nothing else.
  private func makeRoom() {
    let full = region.used
    for index in 0..<full { open(region.entry(index)) }
    var left = merge { $0 == .automatic && $1 == .automatic }
    if left < full {
      state.pointee.interval *= 2
    } else {
      left = merge { first, _ in first == .automatic }
    }
    if left == full {
      left = merge { _, _ in true }
      region.countLost(UInt64(full - left))
    }
    region.used = left
    for index in 0..<full { close(region.entry(index)) }
  }

  /// Merges pairs of neighbours that `belong` together, and returns how many rows are left.
  private func merge(_ belong: (MarkKind, MarkKind) -> Bool) -> Int {
    let count = region.used
    var from = 0
    var to = 0
    while from < count {
      let merges = from + 1 < count && belong(kind(from), kind(from + 1))
      if merges { mergeCounts(from, into: from + 1) }
      let kept = merges ? from + 1 : from
      if kept != to { copy(kept, to: to) }
      from = kept + 1
      to += 1
    }
    return to
  }

  private func kind(_ index: Int) -> MarkKind {
    MarkKind(rawValue: Layout.Mark.kind.relaxed(at: region.entry(index))) ?? .program
  }

  /// The later mark keeps its live counts and takes the smaller minimum of both.
  private func mergeCounts(_ earlier: Int, into later: Int) {
    let siteCount = Int(Layout.Mark.siteCount.relaxed(at: region.entry(later)))
    let known = Int(Layout.Mark.siteCount.relaxed(at: region.entry(earlier)))
    for number in 0..<siteCount {
      // A site that the earlier mark did not know had no subscription then.
      let before =
        number < known ? Layout.MarkCount.minimumLive.relaxed(at: countRow(earlier, number)) : 0
      Layout.MarkCount.minimumLive.lower(to: before, at: countRow(later, number))
    }
  }

  private func copy(_ from: Int, to: Int) {
    let source = region.entry(from)
    let target = region.entry(to)
    for offset in stride(from: Layout.Mark.sequence.end, to: Layout.Mark.byteCount, by: 8) {
      rxt_store_relaxed_u64(target + offset, rxt_load_relaxed_u64(source + offset))
    }
    for number in 0..<Int(Layout.Mark.siteCount.relaxed(at: source)) {
      let word = rxt_load_relaxed_u64(countRow(from, number))
      rxt_store_relaxed_u64(countRow(to, number), word)
    }
  }

  private func countRow(_ mark: Int, _ site: Int) -> UnsafeMutableRawPointer {
    counts.entry(mark * sites.region.capacity + site)
  }

  /// Makes the row's sequence odd: what follows is not to be read.
  private func open(_ row: UnsafeMutableRawPointer) {
    let sequence = Layout.Mark.sequence.relaxed(at: row)
    Layout.Mark.sequence.setRelaxed(sequence | 1, at: row)
    rxt_fence_release()
  }

  /// Makes it even again, and another than before: releases the row to a reader.
  private func close(_ row: UnsafeMutableRawPointer) {
    let sequence = Layout.Mark.sequence.relaxed(at: row)
    Layout.Mark.sequence.setRelease((sequence | 1) + 1, at: row)
  }
}
