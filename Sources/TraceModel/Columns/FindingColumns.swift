extension Finding {
  /// The columns of findings.
  public static let columns: [Column<Finding>] = [
    .text("kind", "what kind of thing it is, as `rxtop check --help` lists them") {
      $0.kind.rawValue
    }.neverNull,
    .number("site", "row of the accused site") { $0.site }.neverNull,
    .text("name", "the operator") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .entity("subject", "the accused entity, where it is one") { $0.subject },
    .text(
      "level",
      "how sure it is; see the words below",
      ColumnHeading("level", 9, isSortable: false)
    ) {
      $0.level.label
    }
    .look { $0.level.role }
    .neverNull,
    .text(
      "place",
      "the line of code that is accused",
      ColumnHeading("where", 18, weight: 2, keepsEnd: true, isSortable: false)
    ) { displayName($0.blamedCaller?.label ?? "\($0.name)@\($0.location)", columns: 120) }
    .look { _ in .strong }
    .onScreenOnly,
    .text(
      "summary",
      "of what, in a few words",
      ColumnHeading("what", 24, weight: 3, priority: 1, isSortable: false)
    ) { $0.summary }.neverNull,
    .text(
      "caller",
      "who called the function that subscribes, where that is to blame: see `callers`"
    ) { $0.blamedCaller?.label },
    .text("sentence", "what is wrong, with figures") { $0.sentence }.neverNull,
    .text("remedy", "what to do about it") { $0.remedy }.neverNull,
    .text(
      "proof",
      "the steps by which it follows from the trace alone; null where it rests on figures and time"
    ) { $0.proof.isEmpty ? nil : $0.proof.joined(separator: "; ") },
    .text(
      "settling",
      "why it is not sure, and what would settle it; null at LEAK and above, and where it is proved"
    ) { $0.settling },
    .text("cap", "why the level is lower than the facts alone would make it") { $0.cap },
    .text("fingerprint", "the same for the same fault in another run") { $0.fingerprint }.neverNull,
    .text("looseFingerprint", "the same, also where lines were added or removed above it") {
      $0.looseFingerprint
    }.neverNull,
    .text("standing", "with `check --baseline`: `new`, `worse`, `known`, `allowed`, `expired`") {
      $0.standing.label
    },
    .text("reason", "why it is allowed, since when no more, or what level it had") {
      $0.standing.reason
    },
    .count("descendants", "sites upstream that grow along with it") { $0.descendants }.neverNull,
  ]
}

extension DiffRow {
  /// The columns of lines of code at two moments.
  package static let columns: [Column<DiffRow>] = [
    .text(
      "worst",
      "a finding accuses the line",
      ColumnHeading("!", 1, name: "findings", isSortable: false)
    ) {
      $0.worst?.label
    }
    .cell { $0.worst?.sign ?? " " }
    .look { $0.worst?.role ?? .text }
    .onScreenOnly,
    .text("place", placeHelp, ColumnHeading("operator@file:line", 22, weight: 3, keepsEnd: true)) {
      displayName("\($0.name)@\($0.location)", columns: 120)
    }
    .onScreenOnly,
    .number("site", "row of the site; null for a line that only the earlier trace has") { $0.site },
    .text("name", "the operator") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .change("change", "live now less live then", ColumnHeading("change", 7)) { $0.change }.look {
      role($0.change)
    },
    .count(
      "before",
      "how many were live at the moment compared with",
      ColumnHeading("before", 7, priority: 1)
    ) {
      $0.before
    }
    .look { _ in .dim },
    .count("after", "how many are live", ColumnHeading("now", 7)) { $0.after }.look { _ in .strong
    },
    .count("begun", "begun in between", ColumnHeading("begun", 7, priority: 3)) { $0.begun },
    .count(
      "events",
      "events in between, fires where the line has only timers",
      ColumnHeading("events", 7, priority: 4)
    ) { $0.events },
    .text("what", "in a word", ColumnHeading("what", 9, priority: 2, isSortable: false)) {
      word($0)
    }
    .look { role($0.change) }
    .onScreenOnly,
    .flag("isOnlyBefore", "whether only the earlier trace has the line") { $0.isOnlyBefore }
      .neverNull,
    .flag("isOnlyAfter", "whether only the later one has it") { $0.isOnlyAfter }.neverNull,
  ]

  private static func word(_ row: DiffRow) -> String {
    if row.isOnlyBefore { return "gone" }
    if row.isOnlyAfter { return "new line" }
    guard let change = row.change else { return Quantity.unknown }
    return change > 0 ? "more" : change < 0 ? "fewer" : "the same"
  }

  private static func role(_ change: Int?) -> Role {
    guard let change else { return .dim }
    return change > 0 ? .suspect : change < 0 ? .good : .dim
  }
}
