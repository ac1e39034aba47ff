package import TraceReading

/// The base of a comparison: the live counts of each line of code at an earlier instant, or in
/// another trace.
public struct SiteBase: Sendable {
  /// The time from the beginning of the recording to the instant.
  public var time = Duration.zero
  /// The name of the mark or of the trace, as recorded; empty if the base is neither.
  public var name = ""
  /// The memory of the process at that time, or at the latest mark before.
  public private(set) var memory: MemoryUse?
  /// The last state of another trace; nil if the base is an earlier moment of the same trace.
  package private(set) var other: Inspection?
  /// Whether the base is another trace.
  package var isOtherTrace: Bool { other != nil }
  /// How long work waited in another trace and in the later one; nil if it is unknown.
  package private(set) var waits: WaitReport?
  package private(set) var laterWaits: WaitReport?
  /// The figures of lines in another trace, by row of the site in the later one.
  private(set) var figures: [UInt32: RunFigures] = [:]
  /// The numbers in the columns live, ever and events of the screen Sites, by row of the site.
  ///
  /// The inner optional is nil if the trace does not have the number.
  var live: [UInt32: UInt64?] = [:]
  var ever: [UInt32: UInt64?] = [:]
  var events: [UInt32: UInt64?] = [:]
  /// Lines that only the base has.
  var missing: [DiffRow] = []

  /// An empty base.
  public init() {}

  /// Creates a base from an inspection of the same trace.
  public init(_ inspection: Inspection, name: String = "") {
    time = inspection.instant.time
    self.name = name
    memory = inspection.memory
    for row in inspection.sites { setCounts(from: row, as: row.id) }
  }

  /// Creates a base from another trace.
  ///
  /// Lines are matched by operator, file, line and column. If the lines of an operator in a file have
  /// moved, they are matched in their order, provided that both traces have equally many, and that
  /// all behind one place have moved equally far, as after lines were inserted or removed there; or
  /// that each trace has one such line.
  ///
  /// - Complexity: O(sites of both).
  public init(_ other: Inspection, of later: Inspection, name: String) {
    self.init(other, of: later, name: name, waits: (nil, nil))
  }

  /// Creates a base from another trace, together with how long work waited in both traces.
  package init(
    _ other: Inspection,
    of later: Inspection,
    name: String,
    waits: (earlier: WaitReport?, later: WaitReport?)
  ) {
    self.name = name
    self.other = other
    (self.waits, laterWaits) = (waits.earlier, waits.later)
    time = other.instant.time
    memory = other.memory
    let matches = Self.matches(of: later.sites, in: other.sites)
    var found: Set<UInt32> = []
    for row in later.sites {
      guard let match = matches[row.id] else { continue }
      found.insert(match.id)
      setCounts(from: match, as: row.id)
      figures[row.id] = RunFigures(match, length: time, waits.earlier)
    }
    let length = time
    missing = other.sites.filter { !found.contains($0.id) }.map { row in
      var gone = DiffRow()
      (gone.name, gone.location, gone.isOnlyBefore) = (row.name, row.location, true)
      gone.kind = row.kind
      (gone.before, gone.after, gone.begun, gone.events) = (row.liveOfKind, 0, 0, 0)
      gone.earlier = RunFigures(row, length: length, waits.earlier)
      return gone
    }
  }

  /// The earlier line that each later one is, by the number of the later one.
  private static func matches(of later: [SiteRow], in earlier: [SiteRow]) -> [UInt32: SiteRow] {
    func groups(_ sites: [SiteRow]) -> [String: [SiteRow]] {
      Dictionary(grouping: sites) { "\($0.name)\n\($0.file)" }
        .mapValues { $0.sorted { ($0.line, $0.column) < ($1.line, $1.column) } }
    }
    let former = groups(earlier)
    var matches: [UInt32: SiteRow] = [:]
    for (name, sites) in groups(later) {
      let candidates = former[name] ?? []
      if candidates.count == 1 && sites.count == 1 || haveMoved(candidates, to: sites) {
        for (site, match) in zip(sites, candidates) { matches[site.id] = match }
      } else {
        for site in sites {
          matches[site.id] = candidates.first { ($0.line, $0.column) == (site.line, site.column) }
        }
      }
    }
    return matches
  }

  /// Whether sorted lines have moved together, all or those behind one place.
  private static func haveMoved(_ former: [SiteRow], to sites: [SiteRow]) -> Bool {
    guard former.count == sites.count,
      zip(former, sites).allSatisfy({ $0.column == $1.column })
    else { return false }
    let distances = zip(former, sites).map { Int($1.line) - Int($0.line) }.drop { $0 == 0 }
    return distances.allSatisfy { $0 == distances.first }
  }

  /// `'round 1' at 0.200 s`, or `'app.rxtrace'`.
  package var label: String {
    if isOtherTrace { return "'\(displayName(name, columns: 60))'" }
    let time = Quantity.moment(time)
    return name.isEmpty ? time : "'\(displayName(name, columns: 30))' at \(time)"
  }

  private mutating func setCounts(from row: SiteRow, as id: UInt32) {
    live[id] = .some(row.liveOfKind)
    ever[id] = .some(row.everOfKind)
    events[id] = .some(row.eventsOfKind)
  }

  /// Replaces counts computed from records by those that the table of marks has for a mark.
  ///
  /// The table is kept when the oldest records are overwritten. It counts subscriptions only.
  package mutating func setCounts(from mark: TraceMark, _ snapshot: TraceSnapshot) {
    time = snapshot.time(mark.ticks)
    name = mark.name
    guard !mark.hasLostCounts else { return forgetAmbiguousCounts(with: mark.ticks, snapshot) }
    for row in snapshot.sites.indices.dropFirst()
    where SiteKind(snapshot.sites[row]) == .subscriptions {
      // A site beyond the end of the list had no live subscriptions at the mark.
      live[UInt32(row)] = .some(row < mark.live.count ? UInt64(mark.live[row]) : 0)
    }
  }

  /// Removes the counts that are ambiguous because the counts of the mark are lost: if something
  /// began or ended at the same ticks as the mark, it is unknown whether that was before or after
  /// the mark.
  private mutating func forgetAmbiguousCounts(with ticks: UInt64, _ snapshot: TraceSnapshot) {
    let records = snapshot.records
    var sites: Set<UInt32> = []
    var row = records.count(before: ticks)
    while row < records.count, records[row].ticks == ticks {
      let record = records[row]
      if record.kind == .ended {
        sites = Set(live.keys)
      } else if record.kind == .subscribed {
        sites.insert(record.argument)
      }
      row += 1
    }
    for site in sites where Int(site) < snapshot.sites.count {
      if SiteKind(snapshot.sites[Int(site)]) == .subscriptions { live[site] = .some(nil) }
    }
  }
}
