package import TraceReading

extension Inspection {
  /// Adds the counts of the table of marks for this instant if records do not provide them: the
  /// table is kept when the oldest records are overwritten.
  fileprivate mutating func fillCounts(from mark: TraceMark) {
    guard !mark.hasLostCounts else { return }
    for row in sites.indices {
      let site = Int(sites[row].id)
      let isListed = site < mark.live.count
      // A site beyond the end of the list had no live subscriptions.
      sites[row].live = sites[row].live ?? (isListed ? UInt64(mark.live[site]) : 0)
      // Nor did it have timers or owners. For sites in the list, the number of these is not known.
      guard !isListed, !mark.live.isEmpty else { continue }
      sites[row].timersLive = sites[row].timersLive ?? 0
      sites[row].ownersLive = sites[row].ownersLive ?? 0
    }
  }
}

extension Moment {
  /// The newest state of a snapshot, with ages computed up to `now`, unless the trace shows a later
  /// sign of life.
  package init(end snapshot: TraceSnapshot, at now: Duration?) {
    let ticks = now.map(snapshot.ticks(at:))
    let place = Timeline.Place(count: nil, ticks: max(ticks ?? 0, snapshot.lastTicks))
    self.init(end: snapshot, instant: InstantInfo(at: place, snapshot), now: place.ticks)
  }
}

extension Timeline {
  /// Everything that views draw, at an instant; nil for a record or mark that the trace does not
  /// have.
  ///
  /// Findings are those of the whole trace at every instant: they judge the recording.
  ///
  /// - Complexity: O(records between checkpoints + entities).
  public mutating func inspection(at position: Position) -> Inspection? {
    guard let place = place(position) else { return nil }
    let findings = findingsOfAll()
    let moment = moment(at: place)
    var inspection = InspectionBuilder(moment, window: window, callPaths: callPaths).build { _ in
      findings
    }
    if case .mark(let index) = position,
      let mark = snapshot.marks.first(where: { $0.index == index })
    {
      inspection.fillCounts(from: mark)
    }
    return inspection
  }

  private mutating func findingsOfAll() -> [Finding] {
    if let findings { return findings }
    let made = findFindings(snapshot)
    findings = made
    return made
  }
}
