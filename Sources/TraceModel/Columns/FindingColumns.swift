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
      "how sure it is: INFO, SUSPECT, LEAK or VIOLATION",
      ColumnHeading("level", 9, isSortable: false)
    ) {
      $0.level.label
    }
    .emphasis { $0.level.role }
    .neverNull,
    .text(
      "place",
      "the line of code that is accused",
      ColumnHeading("where", 18, weight: 2, keepsEnd: true, isSortable: false)
    ) { displayName($0.blamedCaller?.label ?? "\($0.name)@\($0.location)", columns: 120) }
    .emphasis { _ in .strong }
    .onScreenOnly,
    .text(
      "summary",
      "what was found, in a few words",
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
      $0.baselineStatus.label
    },
    .text("reason", "why it is allowed, since when no longer, or what level it had") {
      $0.baselineStatus.reason
    },
    .count("descendants", "sites upstream that grow along with it") { $0.descendants }.neverNull,
  ]
}
