extension RecordSpec {
  /// The row of a kind: its name, the fields and what it means.
  static func row(_ kind: RecordKind) -> RecordSpec {
    switch kind {
    case .continuation:
      RecordSpec(
        kind,
        "continuation",
        ("low", .number),
        ("high", .number),
        "Belongs to the record before it. A reader that meets one alone skips it."
      )
    case .entityStatus:
      RecordSpec(
        kind,
        "status",
        ("entity", .entity),
        ("site", .site),
        more: [
          ("kindAndState", .state), ("serial", .serial), ("link", .entity), ("createdAt", .ticks),
          ("signalOrDepth", .number), ("eventCount", .count),
        ],
        "Stands before the first record about an entity in a generation, unless that record is the one that creates it."
      )
    case .signalCreated:
      RecordSpec(
        kind,
        "signal-created",
        ("signal", .entity),
        ("site", .site),
        more: [("upstream", .entity), ("serial", .serial)],
        "An operator made a signal. Since version 1.5, bits 32–47 of the first value are the row of its argument (§8). Further upstreams stand in the slab's overflow region."
      )
    case .signalNamed:
      RecordSpec(
        kind,
        "signal-named",
        ("signal", .entity),
        ("name", .string),
        "The program gave the signal a name."
      )
    case .signalMade:
      RecordSpec(
        kind,
        "signal-made",
        ("signal", .entity),
        ("chain", .chain),
        "The chain of the call of the operator that made the signal. It is recorded for the first 16 signals of a line, and then for each whose number is a power of two. Since version 1.6."
      )
    case .signalReleased:
      RecordSpec(
        kind,
        "signal-released",
        ("signal", .entity),
        ("", .none),
        begins: .signalCreated,
        "The program refers to the signal no more, and its last subscription has ended."
      )
    case .subscribed:
      RecordSpec(
        kind,
        "subscribed",
        ("subscription", .entity),
        ("site", .site),
        more: [
          ("downstream", .entity), ("serial", .serial), ("signal", .entity),
          ("schedulerAndChain", .number),
        ],
        "A subscription began. The last value has the scheduler in its upper and the chain in its lower half."
      )
    case .disposeRequested:
      RecordSpec(
        kind,
        "dispose-requested",
        ("subscription", .entity),
        ("", .none),
        "`dispose` was called."
      )
    case .ended:
      RecordSpec(
        kind,
        "ended",
        ("subscription", .entity),
        ("reason", .reason),
        begins: .subscribed,
        "The subscription and everything upstream of it has been torn down."
      )
    case .subscriptionReleased:
      RecordSpec(
        kind,
        "subscription-released",
        ("subscription", .entity),
        ("", .none),
        "Its closures and buffers have been freed."
      )
    case .disposableReleased:
      RecordSpec(
        kind,
        "disposable-released",
        ("subscription", .entity),
        ("", .none),
        "The disposable returned to the program is gone and the subscription lives on."
      )
    case .tearDown:
      RecordSpec(
        kind,
        "tear-down",
        ("chain", .chain),
        ("cause", .cause),
        more: [("by", .entity), ("downstream", .entity)],
        "What ended the subscriptions whose `ended` follows. Since version 1.5."
      )
    case .ownerCreated:
      RecordSpec(
        kind,
        "owner-created",
        ("owner", .entity),
        ("site", .site),
        more: [("scheduler", .scheduler), ("serial", .serial)],
        "An object that owns subscriptions, as a bag of disposables, got its first one."
      )
    case .ownerBound:
      RecordSpec(
        kind,
        "owner-bound",
        ("subscription", .entity),
        ("owner", .entity),
        "The owner will end the subscription when it ends itself. A later owner replaces it in the slot."
      )
    case .ownerEnded:
      RecordSpec(
        kind,
        "owner-ended",
        ("owner", .entity),
        ("", .none),
        begins: .ownerCreated,
        "The owner has ended, and what it still owned has been disposed of."
      )
    case .ownerHeld:
      RecordSpec(
        kind,
        "owner-held",
        ("subscription", .entity),
        ("site", .site),
        more: [("owner", .entity), ("between", .count)],
        "A closure that was passed to the operator at the site retains the object that the owner belongs to, so the owner lives as long as the "
          + "subscription. `between` is the number of other objects through which the closure refers to it. Since version 1.6."
      )
    case .next:
      RecordSpec(
        kind,
        "next",
        ("subscription", .entity),
        ("sequence", .count),
        isEvent: true,
        "A value passed. The argument is the low half of the subscription's event count, this one included."
      )
    case .failed:
      RecordSpec(
        kind,
        "failed",
        ("subscription", .entity),
        ("error", .string),
        "A failure passed, described by its type (never by its contents)."
      )
    case .completed:
      RecordSpec(kind, "completed", ("subscription", .entity), ("", .none), "Completion passed.")
    case .refused:
      RecordSpec(
        kind,
        "refused",
        ("subscription", .entity),
        ("event", .event),
        "An event came after disposal or termination and was dropped: 0 next, 1 failed, 2 completed."
      )
    case .depth:
      RecordSpec(
        kind,
        "depth",
        ("subscription", .entity),
        ("held", .count),
        isEvent: true,
        "The number of values the subscription holds, or events that wait at its gate, has reached a new power of two or fallen to zero."
      )
    case .value:
      RecordSpec(
        kind,
        "value",
        ("subscription", .entity),
        ("bytes", .count),
        more: [
          ("text0", .number), ("text1", .number), ("text2", .number), ("text3", .number),
          ("text4", .number), ("text5", .number),
        ],
        isEvent: true,
        "The description of the latest value that passed, at level values only: its length, and its first 42 bytes of UTF-8. All bits of the length are 1 if the description is longer than 42 bytes and its length is not known."
      )
    case .failureText:
      RecordSpec(
        kind,
        "failure-text",
        ("error", .string),
        ("bytes", .count),
        more: [
          ("text0", .number), ("text1", .number), ("text2", .number), ("text3", .number),
          ("text4", .number), ("text5", .number),
        ],
        isEvent: true,
        "The description of a failure that the thread is about to pass on, at level values only: its type, its length as in `value`, and its first 42 bytes. Since version 1.5."
      )
    case .turnBegan:
      RecordSpec(
        kind,
        "turn-began",
        ("entity", .entity),
        ("thread", .thread),
        isEvent: true,
        "A delivery through the entity's gate began."
      )
    case .turnEnded:
      RecordSpec(
        kind,
        "turn-ended",
        ("entity", .entity),
        ("", .none),
        begins: .turnBegan,
        isEvent: true,
        "The delivery has returned."
      )
    case .valueOverwritten:
      RecordSpec(
        kind,
        "value-overwritten",
        ("signal", .entity),
        ("", .none),
        isEvent: true,
        "A thread sets the property that this signal belongs to. Within the half second before, the thread had read the property, and has recorded no other work or delivery since. Other code has set the property since then, and what it set is replaced without having been read. Since version 1.9."
      )
    case .hopScheduled:
      RecordSpec(
        kind,
        "hop-scheduled",
        ("hop", .hop),
        ("chain", .chain),
        more: [("scheduler", .scheduler), ("subscription", .entity)],
        isEvent: true,
        "A scheduler accepted work."
      )
    case .hopBegan:
      RecordSpec(
        kind,
        "hop-began",
        ("hop", .hop),
        ("scheduler", .scheduler),
        isEvent: true,
        "The work began to run."
      )
    case .hopEnded:
      RecordSpec(
        kind,
        "hop-ended",
        ("hop", .hop),
        ("", .none),
        begins: .hopBegan,
        isEvent: true,
        "The work returned."
      )
    case .hopCancelled:
      RecordSpec(
        kind,
        "hop-cancelled",
        ("hop", .hop),
        ("scheduler", .scheduler),
        isEvent: true,
        "The work was cancelled before it began."
      )
    case .runsOn:
      RecordSpec(
        kind,
        "runs-on",
        ("place", .number),
        ("", .none),
        isEvent: true,
        "Whether code that the thread runs outside of scheduled work is on the main queue (1) or not (2). This holds from the next `turn-began` of the thread on. Since version 1.6."
      )
    case .timerArmed:
      RecordSpec(
        kind,
        "timer-armed",
        ("timer", .entity),
        ("site", .site),
        more: [
          ("subscription", .entity), ("serial", .serial), ("period", .number),
          ("schedulerAndChain", .number),
        ],
        "A timer was armed; a period of 0 microseconds fires once. The last value has the scheduler in its upper and the chain in its lower half."
      )
    case .timerFired:
      RecordSpec(
        kind,
        "timer-fired",
        ("timer", .entity),
        ("fires", .count),
        isEvent: true,
        "The timer's work is about to run."
      )
    case .timerEnded:
      RecordSpec(
        kind,
        "timer-ended",
        ("timer", .entity),
        ("reason", .reason),
        begins: .timerArmed,
        "The timer was cancelled, or has fired for the last time."
      )
    case .mark:
      RecordSpec(
        kind,
        "mark",
        ("mark", .count),
        ("name", .string),
        "A mark was set; its number is the count of marks so far. Its row in the table of marks, as long as it is kept, has the same name and ticks."
      )
    case .threadSwitched:
      RecordSpec(
        kind,
        "thread",
        ("thread", .thread),
        ("", .none),
        "The records behind it were written by this thread (shared segments)."
      )
    case .recordsLost:
      RecordSpec(
        kind,
        "lost",
        ("records", .count),
        ("", .none),
        "The number of records of this thread that were dropped before this one."
      )
    case .levelChanged:
      RecordSpec(
        kind,
        "level",
        ("level", .level),
        ("process", .number),
        "The level of recording changed. `process` is the process whose lease changed it; it is 0 if the program changed it, or if a lease or the startup ended."
      )
    case .forked:
      RecordSpec(
        kind,
        "fork",
        ("fork", .count),
        ("", .none),
        "The process was forked; the number is the count of forks so far. The child records nothing."
      )
    case .tailEnded:
      RecordSpec(
        kind,
        "tail-ended",
        ("why", .number),
        ("error", .number),
        "From about here on segments are no longer appended: as `tailState` and `tailError` of the header."
      )
    }
  }
}
