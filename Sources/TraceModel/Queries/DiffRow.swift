/// One line of code at two moments, or in two traces.
package struct DiffRow: Sendable {
  /// The row of the site at the later moment or in the later trace; nil if the site does not exist
  /// there.
  package var site: UInt32?
  package var name = ""
  package var location = ""
  package var kind = SiteKind.subscriptions
  /// How many subscriptions are live at the earlier moment (`before`) and at the later one
  /// (`after`), or how many timers or owners, if the line makes only those.
  package var before: UInt64?
  package var after: UInt64?
  /// How many began between the two moments; for two traces, how many more began in the later trace
  /// than in the earlier one, at least 0.
  package var begun: UInt64?
  /// How many events there were, or how often timers fired, compared in the same way.
  package var events: UInt64?
  package var worst: FindingLevel?
  package var isOnlyBefore = false
  package var isOnlyAfter = false
  /// The figures of the earlier of two runs; nil for moments of one trace, and for a run that does
  /// not have the line.
  package var earlier: RunFigures?
  package var later: RunFigures?
  /// The aspects in which the later of two runs is worse, the worst first.
  ///
  /// `better` contains the aspects in which it is better; `less` contains the counts that are
  /// lower, which may be good or bad.
  package var worse: [RunChange.Aspect] = []
  package var better: [RunChange.Aspect] = []
  package var less: [RunChange.Aspect] = []
  /// The number by which rows of two runs are sorted: the worst row has the greatest number.
  package var rank = 0.0

  package var change: Int? {
    guard let before, let after else { return nil }
    return after >= before ? Int(clamping: after - before) : -Int(clamping: before - after)
  }

  package var isUnchanged: Bool { change == 0 && !isOnlyBefore && !(isOnlyAfter && after != 0) }

  /// Whether all differences between two runs can be explained by chance or by the runs' lengths.
  package var isAlike: Bool {
    isUnchanged && !isOnlyAfter && worse.isEmpty && better.isEmpty && less.isEmpty
  }

  /// Whether the live counts of two runs differ by an amount that chance or the runs' lengths may
  /// explain.
  package var mayBeChance: Bool {
    !isAlike && !isOnlyBefore && !isOnlyAfter && worse.isEmpty && better.isEmpty && less.isEmpty
      && change != nil
  }

  /// A row for every line of code of two moments, or of two traces.
  ///
  /// - Complexity: O(sites).
  package static func rows(_ inspection: Inspection, since base: SiteBase) -> [DiffRow] {
    let length = inspection.instant.time
    return inspection.sites.map { site in
      var row = DiffRow()
      row.site = site.id
      row.name = site.name
      row.location = site.location
      row.kind = site.kind
      row.after = site.liveOfKind
      row.worst = site.worst
      if base.isOtherTrace {
        row.earlier = base.figures[site.id]
        row.later = RunFigures(site, length: length, base.laterWaits)
      }
      if let live = base.live[site.id] {
        row.before = live
        row.begun = difference(site.everOfKind, base.ever[site.id] ?? nil)
        row.events = difference(site.eventsOfKind, base.events[site.id] ?? nil)
      } else {
        row.before = 0
        row.begun = site.everOfKind
        row.events = site.eventsOfKind
        row.isOnlyAfter = true
      }
      return row
    } + base.missing
  }

  private static func difference(_ more: UInt64?, _ less: UInt64?) -> UInt64? {
    guard let more, let less else { return nil }
    return more > less ? more - less : 0
  }
}
