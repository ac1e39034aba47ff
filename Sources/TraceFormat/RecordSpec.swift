/// One row of the table of records: what a reader needs to know to print it.
public struct RecordSpec: Sendable {
  /// The kind it describes.
  public let kind: RecordKind
  /// The name in text form and on the screen.
  public let name: String
  /// What the low 32 bits of the body are.
  public let identifier: (name: String, type: ArgumentType)
  /// What the high 32 bits of the body are.
  public let argument: (name: String, type: ArgumentType)
  /// The values of its continuations, two each: 48 bits from the head, then 64 from the body.
  public let more: [(name: String, type: ArgumentType)]
  /// The kind of the record that begins what this one ends.
  public let begins: RecordKind?
  /// Whether it is recorded at level `events` only.
  public let isEvent: Bool
  /// One sentence for the table in the document.
  public let meaning: String

  init(
    _ kind: RecordKind,
    _ name: String,
    _ identifier: (name: String, type: ArgumentType),
    _ argument: (name: String, type: ArgumentType),
    more: [(name: String, type: ArgumentType)] = [],
    begins: RecordKind? = nil,
    isEvent: Bool = false,
    _ meaning: String
  ) {
    self.kind = kind
    self.name = name
    self.identifier = identifier
    self.argument = argument
    self.more = more
    self.begins = begins
    self.isEvent = isEvent
    self.meaning = meaning
  }

  /// Continuations that follow the record.
  public var continuations: Int { more.count / 2 }

  /// Continuations by number of kind; -1 for numbers that this version does not know.
  ///
  /// For loops over millions of records.
  package static let continuationTable: [Int8] = byKind.map { row in
    row.map { Int8($0.continuations) } ?? -1
  }

  /// The row of `kind`.
  public static func of(_ kind: RecordKind) -> RecordSpec { byKind[Int(kind.rawValue)] ?? all[0] }

  private static let byKind: [RecordSpec?] = {
    var rows = [RecordSpec?](
      repeating: nil,
      count: 1 + all.reduce(0) { max($0, Int($1.kind.rawValue)) }
    )
    for row in all { rows[Int(row.kind.rawValue)] = row }
    return rows
  }()

  /// Every kind once, in the order of their numbers.
  public static let all: [RecordSpec] = [
    RecordSpec(
      .continuation,
      "continuation",
      ("low", .number),
      ("high", .number),
      "Belongs to the record before it. A reader that meets one alone skips it."
    ),
    RecordSpec(
      .entityStatus,
      "status",
      ("entity", .entity),
      ("site", .site),
      more: [
        ("kindAndState", .state), ("serial", .serial), ("link", .entity), ("createdAt", .ticks),
        ("signalOrDepth", .number), ("eventCount", .count),
      ],
      "Stands before the first record about an entity in a generation, unless that record is the one that creates it."
    ),
    RecordSpec(
      .signalCreated,
      "signal-created",
      ("signal", .entity),
      ("site", .site),
      more: [("upstream", .entity), ("serial", .serial)],
      "An operator made a signal. Further upstreams stand in the slab's overflow region."
    ),
    RecordSpec(
      .signalNamed,
      "signal-named",
      ("signal", .entity),
      ("name", .string),
      "The program gave the signal a name."
    ),
    RecordSpec(
      .signalReleased,
      "signal-released",
      ("signal", .entity),
      ("", .none),
      begins: .signalCreated,
      "The program refers to the signal no more, and its last subscription has ended."
    ),
    RecordSpec(
      .subscribed,
      "subscribed",
      ("subscription", .entity),
      ("site", .site),
      more: [
        ("downstream", .entity), ("serial", .serial), ("signal", .entity),
        ("schedulerAndChain", .number),
      ],
      "A subscription began. The last value has the scheduler in its upper and the chain in its lower half."
    ),
    RecordSpec(
      .disposeRequested,
      "dispose-requested",
      ("subscription", .entity),
      ("", .none),
      "Somebody called dispose."
    ),
    RecordSpec(
      .ended,
      "ended",
      ("subscription", .entity),
      ("reason", .reason),
      begins: .subscribed,
      "The subscription and everything upstream of it has been torn down."
    ),
    RecordSpec(
      .subscriptionReleased,
      "subscription-released",
      ("subscription", .entity),
      ("", .none),
      "Its closures and buffers have been freed."
    ),
    RecordSpec(
      .disposableReleased,
      "disposable-released",
      ("subscription", .entity),
      ("", .none),
      "The disposable returned to the program is gone and the subscription lives on."
    ),
    RecordSpec(
      .tearDown,
      "tear-down",
      ("chain", .chain),
      ("cause", .cause),
      more: [("by", .entity), ("downstream", .entity)],
      "What ended the subscriptions whose `ended` follows. Since version 1.5."
    ),
    RecordSpec(
      .ownerCreated,
      "owner-created",
      ("owner", .entity),
      ("site", .site),
      more: [("scheduler", .scheduler), ("serial", .serial)],
      "An object that owns subscriptions, as a bag of disposables, got its first one."
    ),
    RecordSpec(
      .ownerBound,
      "owner-bound",
      ("subscription", .entity),
      ("owner", .entity),
      "The owner will end the subscription when it ends itself. A later owner replaces it in the slot."
    ),
    RecordSpec(
      .ownerEnded,
      "owner-ended",
      ("owner", .entity),
      ("", .none),
      begins: .ownerCreated,
      "The owner has ended, and what it still owned has been disposed of."
    ),
    RecordSpec(
      .next,
      "next",
      ("subscription", .entity),
      ("sequence", .count),
      isEvent: true,
      "A value passed. The argument is the low half of the subscription's event count, this one included."
    ),
    RecordSpec(
      .failed,
      "failed",
      ("subscription", .entity),
      ("error", .string),
      "A failure passed, described by its type (never by its contents)."
    ),
    RecordSpec(
      .completed,
      "completed",
      ("subscription", .entity),
      ("", .none),
      "Completion passed."
    ),
    RecordSpec(
      .refused,
      "refused",
      ("subscription", .entity),
      ("event", .event),
      "An event came after disposal or termination and was dropped: 0 next, 1 failed, 2 completed."
    ),
    RecordSpec(
      .depth,
      "depth",
      ("subscription", .entity),
      ("held", .count),
      isEvent: true,
      "The number of values the subscription holds, or events that wait at its gate, has reached a new power of two or fallen to zero."
    ),
    RecordSpec(
      .value,
      "value",
      ("subscription", .entity),
      ("bytes", .count),
      more: [
        ("text0", .number), ("text1", .number), ("text2", .number), ("text3", .number),
        ("text4", .number), ("text5", .number),
      ],
      isEvent: true,
      "The description of the value that passed last, at level values only: its length, and its first 42 bytes of UTF-8."
    ),
    RecordSpec(
      .failureText,
      "failure-text",
      ("error", .string),
      ("bytes", .count),
      more: [
        ("text0", .number), ("text1", .number), ("text2", .number), ("text3", .number),
        ("text4", .number), ("text5", .number),
      ],
      isEvent: true,
      "The description of a failure that the thread is about to pass on, at level values only: its type, its length, and its first 42 bytes. Since version 1.5."
    ),
    RecordSpec(
      .turnBegan,
      "turn-began",
      ("entity", .entity),
      ("thread", .thread),
      isEvent: true,
      "A delivery through the entity's gate began."
    ),
    RecordSpec(
      .turnEnded,
      "turn-ended",
      ("entity", .entity),
      ("", .none),
      begins: .turnBegan,
      isEvent: true,
      "The delivery has returned."
    ),
    RecordSpec(
      .hopScheduled,
      "hop-scheduled",
      ("hop", .hop),
      ("chain", .chain),
      more: [("scheduler", .scheduler), ("subscription", .entity)],
      isEvent: true,
      "A scheduler accepted work."
    ),
    RecordSpec(
      .hopBegan,
      "hop-began",
      ("hop", .hop),
      ("scheduler", .scheduler),
      isEvent: true,
      "The work began to run."
    ),
    RecordSpec(
      .hopEnded,
      "hop-ended",
      ("hop", .hop),
      ("", .none),
      begins: .hopBegan,
      isEvent: true,
      "The work returned."
    ),
    RecordSpec(
      .hopCancelled,
      "hop-cancelled",
      ("hop", .hop),
      ("scheduler", .scheduler),
      isEvent: true,
      "The work was cancelled before it began."
    ),
    RecordSpec(
      .timerArmed,
      "timer-armed",
      ("timer", .entity),
      ("site", .site),
      more: [
        ("subscription", .entity), ("serial", .serial), ("period", .number),
        ("schedulerAndChain", .number),
      ],
      "A timer was armed; a period of 0 microseconds fires once. The last value has the scheduler in its upper and the chain in its lower half."
    ),
    RecordSpec(
      .timerFired,
      "timer-fired",
      ("timer", .entity),
      ("fires", .count),
      isEvent: true,
      "The timer's work is about to run."
    ),
    RecordSpec(
      .timerEnded,
      "timer-ended",
      ("timer", .entity),
      ("reason", .reason),
      begins: .timerArmed,
      "The timer was cancelled, or has fired for the last time."
    ),
    RecordSpec(
      .mark,
      "mark",
      ("mark", .count),
      ("name", .string),
      "A mark was set, the so-manyth of the recording. Its row in the table of marks, as long as it is kept, has the same name and ticks."
    ),
    RecordSpec(
      .threadSwitched,
      "thread",
      ("thread", .thread),
      ("", .none),
      "The records behind it were written by this thread (shared segments)."
    ),
    RecordSpec(
      .recordsLost,
      "lost",
      ("records", .count),
      ("", .none),
      "So many records of this thread found no room before this one."
    ),
    RecordSpec(
      .levelChanged,
      "level",
      ("level", .level),
      ("process", .number),
      "The level of recording changed: by the lease of a process, or, with 0, by the program or the end of a lease."
    ),
    RecordSpec(
      .forked,
      "fork",
      ("fork", .count),
      ("", .none),
      "The process was forked, for the so-manyth time. The child records nothing."
    ),
    RecordSpec(
      .tailEnded,
      "tail-ended",
      ("why", .number),
      ("error", .number),
      "From about here on segments are no longer appended: as `tailState` and `tailError` of the header."
    ),
  ]
}
