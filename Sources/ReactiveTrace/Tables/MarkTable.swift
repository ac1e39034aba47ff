import CReactiveTraceShims
import TracePlatform

/// The marks: instants with the live count of every site.
///
/// The program sets marks by name; the recorder periodically sets marks by itself, so that growth
/// can be judged even if the program sets no marks. A full table refuses no mark: instead, the
/// distance between the kept marks of the longest series (``Series``) is doubled, so that these
/// marks always span the whole recording. One row is always free for the next mark.
///
/// `@unchecked Sendable`: the rows are only accessed with the table lock held, and `nextCheck` is
/// atomic.
struct MarkTable: @unchecked Sendable {
  let region: MappedRegion
  let counts: MappedRegion
  let sites: SiteTable
  let clock: TraceClock
  let state: UnsafeMutablePointer<State>
  /// The series: the automatic marks, then the shared series, then the named series.
  let series: UnsafeMutablePointer<Series>
  /// Which series the mark in each row belongs to, and its position there.
  let places: UnsafeMutablePointer<Place>
  /// For each mark, the number of counts whose pages have been allocated.
  private let held: UnsafeMutablePointer<UInt32>
  /// Ticks before which no automatic mark can be due.
  private let nextCheck: UnsafeMutablePointer<UInt64>

  struct State: BitwiseCopyable {
    /// Nanoseconds between automatic marks.
    var interval: UInt64 = MarkTable.firstInterval
    /// Monotonic nanoseconds at which the next automatic mark is due.
    var due: UInt64 = 0
    /// Marks set so far.
    var total: UInt32 = 0
    /// Named series so far.
    var named = 0
    /// Bytes of the heap of strings that names of marks have taken.
    var nameBytes = 0
  }

  /// The initial interval between automatic marks, in nanoseconds.
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
    series = try PrivateMemory.allocate(
      Series.self,
      count: Series.firstNamed + Series.mostNamed(region.capacity)
    )
    places = try PrivateMemory.allocate(Place.self, count: region.capacity)
    held = try PrivateMemory.allocate(UInt32.self, count: region.capacity)
  }

  /// Whether it is time to check if an automatic mark is due.
  ///
  /// Costs one relaxed load, and needs no lock.
  func mayBeDue(_ time: UInt64) -> Bool { time >= rxt_load_relaxed_u64(nextCheck) }

  // MARK: With the table lock held

  /// The current interval between automatic marks, in nanoseconds.
  var interval: UInt64 { state.pointee.interval }

  /// Returns whether an automatic mark is due.
  ///
  /// If so, the caller has to set it, and no other caller gets true for that mark.
  func takeDue() -> Bool {
    let now = clock.read()
    let isDue = now.monotonic >= state.pointee.due
    if isDue { state.pointee.due = now.monotonic + state.pointee.interval }
    let left = state.pointee.due - now.monotonic
    rxt_store_relaxed_u64(nextCheck, now.ticks &+ clock.ticks(nanoseconds: left))
    return isDue
  }

  /// Sets a mark.
  ///
  /// - Parameters:
  ///   - name: The number of its name, as returned by ``intern(_:_:in:)``.
  ///   - kind: Whether the program or the recorder sets it.
  ///   - number: Its series: for marks of the program, the result of ``series(of:)``.
  ///   - memory: The memory use of the process.
  ///   - ticks: The time.
  /// - Returns: The number of marks set so far, including this one unless the disk has no room to
  ///   store it.
  func add(
    name: UInt32,
    _ kind: MarkKind,
    in number: Int = Series.automatic,
    _ memory: MemoryGauge.Reading = MemoryGauge.Reading(),
    at ticks: UInt64
  ) -> UInt32 {
    let index = region.used
    let siteCount = sites.region.used
    guard region.reserve(index + 1), reserveCounts(marks: index + 1, sites: siteCount) else {
      return state.pointee.total
    }
    let before = (0..<index).last { Int(places[$0].series) == number }
    let ordinal = series[number].next(kind)
    places[index] = Place(series: UInt8(number), ordinal: ordinal, siteCount: siteCount)
    let since = index > 0 ? Layout.Mark.ticks.relaxed(at: region.entry(index - 1)) : 0
    let row = region.entry(index)
    open(row)
    Layout.Mark.ticks.setRelaxed(ticks, at: row)
    Layout.Mark.name.setRelaxed(name, at: row)
    Layout.Mark.kind.setRelaxed(kind.rawValue, at: row)
    Layout.Mark.ordinal.setRelaxed(number == Series.shared ? 0 : ordinal, at: row)
    Layout.Mark.since.setRelaxed(since, at: row)
    Layout.Mark.siteCount.setRelaxed(UInt32(siteCount), at: row)
    Layout.Mark.heapInUse.setRelaxed(memory.heapInUse, at: row)
    Layout.Mark.residentSize.setRelaxed(memory.residentSize, at: row)
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
      // A subscription may have ended, and lowered the field, after `live` was read. Storing `live`
      // has overwritten that, so the field is lowered again.
      Layout.Site.minimumLive.lower(to: sites.liveSubscriptions(UInt32(number)), at: site)
    }
    Layout.Mark.liveSignals.setRelaxed(signals, at: row)
    Layout.Mark.liveSubscriptions.setRelaxed(subscriptions, at: row)
    Layout.Mark.liveTimers.setRelaxed(timers, at: row)
    close(row)
    region.used = index + 1
    // The newest mark of a series is always kept. The one that was the newest before is removed
    // unless it is at one of the equal distances.
    if let before, !isKept(before) { giveUp { $0 == before } }
    if region.used == region.capacity { thin() }
    state.pointee.total &+= 1
    return state.pointee.total
  }

  static func difference(
    _ more: Field<UInt64>,
    _ less: Field<UInt64>,
    _ site: UnsafeMutableRawPointer
  ) -> UInt64 {
    let gone = less.relaxed(at: site)
    let came = more.relaxed(at: site)
    return came > gone ? came - gone : 0
  }

  // MARK: Rows

  /// Allocates pages for the counts of `sites` sites, for each of the first `marks` marks, because
  /// thinning moves counts to earlier rows.
  ///
  /// Returns false if there is no room.
  private func reserveCounts(marks: Int, sites: Int) -> Bool {
    for mark in 0..<marks where held[mark] < sites {
      let start = countRow(mark, 0)
      let end = FileRoom.wholePages(countRow(mark, sites) - counts.base)
      guard counts.room.take(page(of: start), end - (page(of: start) - counts.base)) == 0 else {
        return Recorder.ranOut()
      }
      held[mark] = UInt32((counts.base + end - start) / counts.entrySize)
    }
    return true
  }

  private func page(of row: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    counts.base + (row - counts.base) / FileRoom.pageSize * FileRoom.pageSize
  }

  func countRow(_ mark: Int, _ site: Int) -> UnsafeMutableRawPointer {
    counts.entry(mark * sites.region.capacity + site)
  }

  /// Makes the row's sequence odd, which tells readers not to use the row until ``close(_:)``.
  func open(_ row: UnsafeMutableRawPointer) {
    let sequence = Layout.Mark.sequence.relaxed(at: row)
    Layout.Mark.sequence.setRelaxed(sequence | 1, at: row)
    rxt_fence_release()
  }

  /// Makes the sequence even again, with a new value, which publishes the row to readers.
  func close(_ row: UnsafeMutableRawPointer) {
    let sequence = Layout.Mark.sequence.relaxed(at: row)
    Layout.Mark.sequence.setRelease((sequence | 1) &+ 1, at: row)
  }
}
