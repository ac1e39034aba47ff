import TraceModel
import TraceReading

/// The start screen, which lists the running programs and recordings that the user can open.
///
/// `apply(_:)` and ``update(_:)`` change the start screen, and ``frame()`` draws it. These
/// functions read neither files nor the clock, because files and times arrive in listings.
public struct TracePicker: Sendable {
  let glyphs: Glyphs
  var size: Size
  /// All rows, in their original order.
  var rows: [PickerRow] = []
  /// The rows that pass the filter, sorted.
  var shown = RowList()
  var list = ListState()
  var filter = RowFilter("")
  var sort: SortOrder?
  /// The text of the last search.
  var search = ""
  /// The search or the filter that is being typed; nil if there is none.
  var prompt: Prompt?
  /// A message to the user, which the next key or mouse action removes.
  var note: Note?
  /// The first visible line of the help; nil if the help is closed.
  var helpTop: Int?
  /// The time of the latest refresh, in nanoseconds since 1970.
  var now: UInt64 = 0
  /// Whether a listing has arrived yet.
  var hasListed = false
  private var histories: [String: History] = [:]

  /// What a message from the terminal leads to.
  public enum Outcome: Sendable, Hashable {
    /// The start screen stays open.
    case undecided
    /// The user chose the trace at this path.
    case chosen(String)
    case quit
  }

  /// The counters of one file at earlier refreshes.
  private struct History {
    let stamp: TraceWatch.Stamp
    /// The number of live subscriptions at the first refresh.
    let live: UInt64
    var events: UInt64
    var countedAt: ContinuousClock.Instant
    var rates: [Double] = []

    mutating func add(_ counters: TraceCounters, _ time: ContinuousClock.Instant) {
      let elapsed = (time - countedAt) / .seconds(1)
      // A rate over a shorter time would be meaningless.
      guard elapsed >= 0.05 else { return }
      let more = counters.events > events ? counters.events - events : 0
      rates = rates.suffix(PickerRow.keptRateCount - 1) + [Double(more) / elapsed]
      (events, countedAt) = (counters.events, time)
    }
  }

  /// Creates a start screen that has no listing yet.
  public init(glyphs: Glyphs, size: Size) {
    self.glyphs = glyphs
    self.size = size
  }

  /// The path of the selected row; nil if there is none.
  package var selected: String? { selectedRow?.path }

  // MARK: Listings and verdicts

  /// Shows a new listing, in which the selected row stays selected.
  package mutating func apply(_ listing: TraceListing) {
    now = listing.now
    hasListed = true
    var histories: [String: History] = [:]
    rows = listing.files.map { file in
      let history = history(of: file)
      histories[file.path] = history
      return row(file, history, listing.verdicts[file.path])
    }
    self.histories = histories
    refresh()
  }

  /// Shows new verdicts.
  package mutating func apply(_ verdicts: [String: TraceVerdict]) {
    for index in rows.indices {
      guard let verdict = verdicts[rows[index].path] else { continue }
      rows[index].settle(verdict)
    }
    refresh()
  }

  private func history(of file: TraceWatch.File) -> History? {
    var history = histories[file.path].flatMap {
      $0.stamp.isOfSameFile(as: file.stamp) ? $0 : nil
    }
    guard file.status == .running, let counters = file.counters else { return history }
    guard history != nil else {
      return History(
        stamp: file.stamp,
        live: counters.live,
        events: counters.events,
        countedAt: file.countedAt
      )
    }
    history?.add(counters, file.countedAt)
    return history
  }

  private func row(
    _ file: TraceWatch.File,
    _ history: History?,
    _ verdict: TraceVerdict?
  ) -> PickerRow {
    var row = PickerRow(
      path: file.path,
      name: file.path.split(separator: "/").last.map(String.init) ?? file.path,
      state: .unusable,
      startedAt: 0,
      byteCount: file.stamp.byteCount
    )
    let header: TraceHeader
    switch file.header {
    case .success(let read): header = read
    case .failure(let error):
      row.problem = error.message
      return row
    }
    if !header.programName.isEmpty { row.name = header.programName }
    row.processID = header.processID == 0 ? nil : header.processID
    row.state = PickerRow.State(header, file.status)
    row.live = file.counters?.live
    row.startedAt = header.start.realtime
    if row.state == .running {
      row.rates = history?.rates ?? []
      row.rate = row.rates.last
    }
    if let live = row.live, let before = file.counters?.liveAtMark ?? history?.live {
      row.growth = Int(clamping: live) - Int(clamping: before)
    }
    if let verdict { row.settle(verdict) }
    return row
  }

  // MARK: Rows

  var table: Table<PickerRow> { PickerRow.table(glyphs, now: now) }

  /// Filters and sorts the rows again, and restores the selection.
  mutating func refresh() {
    shown = table.arrange(rows, id: \.id, filter: filter, sort: sort)
    list.follow(shown.rowIDs, height: listHeight)
    if let top = helpTop { helpTop = max(0, min(top, PickerHelp.lines(self).count - listHeight)) }
  }

  var selectedRow: PickerRow? { row(at: list.index) }

  /// The row at an index of the list.
  func row(at index: Int) -> PickerRow? {
    guard shown.places.indices.contains(index) else { return nil }
    let place = shown.places[index]
    return rows.indices.contains(place) ? rows[place] : nil
  }

  mutating func showNote(_ text: String, isProblem: Bool = false) {
    note = Note(text: text, isProblem: isProblem)
  }
}

extension PickerRow {
  /// Applies a verdict to the row.
  ///
  /// The verdict shows more reliably than the header of the trace whether the program crashed: the
  /// header records a fatal signal, which the program may have survived.
  mutating func settle(_ verdict: TraceVerdict) {
    self.verdict = verdict
    guard let isCrash = verdict.isCrash, state == .crashed || state == .died else { return }
    state = isCrash ? .crashed : .died
  }
}

extension PickerRow.State {
  init(_ header: TraceHeader, _ status: ProcessStatus) {
    switch ProgramState(status, isCrash: header.ending?.isCrash) {
    case .running: self = .running
    case .ended: self = .ended
    case .died: self = .died
    case .crashed: self = .crashed
    case .elsewhere: self = .elsewhere
    }
  }
}
