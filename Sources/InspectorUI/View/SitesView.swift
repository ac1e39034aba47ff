import TraceModel
internal import TraceReading

/// The screen Sites: a row for each line of code with an operator.
enum SitesView: TableScreen {
  static var columns: [Column<SiteRow>] { SiteRow.columns }
  static var defaultSort: SortOrder? { SortOrder(column: "!", ascending: false) }

  static func rows(_ model: Model) -> [SiteRow] { model.inspection.sites }
  static func id(_ row: SiteRow) -> RowID { .site(row.id) }
  static func belongs(_ row: SiteRow, to scope: Scope, in inspection: Inspection) -> Bool {
    scope == .site(row.id)
  }
  static func subject(of row: SiteRow) -> Scope? { .site(row.id) }

  static func target(of row: SiteRow, in inspection: Inspection) -> Place? {
    let hasRows = !inspection.subscriptionRows.keys(ofSite: row.id, limit: 1).isEmpty
    return Place(hasRows ? .subscriptions : .detail, scope: .site(row.id))
  }

  static func summary(_ model: Model) -> String {
    let inspection = model.inspection
    let mark = inspection.marks.last.map { mark in
      let name = displayName(mark.name, columns: 24)
      let ago = Quantity.duration(inspection.instant.time - mark.time)
      return "; new and gone since \(name.isEmpty ? "the automatic mark" : "'\(name)'"), \(ago) ago"
    }
    return "\(Quantity.of(inspection.sites.count, "line", "lines")) of code, "
      + live(inspection) + (mark ?? "")
  }

  /// The number of live subscriptions as text, such as `7 live subscriptions`.
  ///
  /// At a mark (an instant that the program or the recorder has marked), the number is the count
  /// that the mark recorded. At any other moment before the exact window (the last part of the
  /// recording, of which no record is missing), the number is a lower bound, because records of
  /// subscriptions that have ended may be missing.
  private static func live(_ inspection: Inspection) -> String {
    let instant = inspection.instant
    let mark = inspection.marks.last { $0.time == instant.time }
    let live = mark.map(\.liveSubscriptions) ?? UInt64(inspection.liveSubscriptions)
    let text = Quantity.of(Int(clamping: live), "live subscription", "live subscriptions")
    return mark == nil && !instant.isExact ? "at least \(text)" : text
  }

  static func emptiness(_ model: Model) -> [String] {
    ScreenFrame.reasons(
      [
        "No operator has been used yet at this moment of the recording.",
        ScreenFrame.emptyHint(model, "Rows appear as soon as the program subscribes to a signal."),
      ],
      model
    )
  }
}
