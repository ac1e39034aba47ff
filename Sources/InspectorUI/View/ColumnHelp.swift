/// What the columns of the tables mean, for the help.
enum ColumnHelp {
  /// By screen, in the order of the columns; several that mean one thing in one entry.
  static let entries: [(screen: Screen, columns: [(titles: [String], meaning: String)])] = [
    (
      .sites,
      [
        finding, place,
        (
          ["live"],
          "subscriptions that have not ended; timers or owners, where a line makes only those"
        ),
        (["new", "gone"], "begun and ended since the latest mark"),
        (["ever"], "begun since the recording began"),
        (["events/s"], "per second, lately"),
        (["events"], "that passed; of a line of timers, how often they fired"),
        (["last"], "how long ago the latest event was"),
        (["oldest"], "age of the oldest that is live"),
        (["scheduler"], "on which the live ones were made; a dash for several, or none"),
      ]
    ),
    (
      .signals,
      [
        (["signal"], "its number in the order of creation"),
        (
          ["state"],
          "created: never subscribed to; active: somebody is; inactive: nobody is any more; released: gone"
        ),
        place,
        (["name"], "given by the program with named(_:)"),
        (
          ["subs"],
          "subscriptions now: of its operator, and of the program itself where it subscribes to it"
        ),
        (["ever"], "the same since the recording began"),
        (["age"], "since it was made"),
        (["from"], "the signals it is made of"),
      ]
    ),
    (
      .subscriptions,
      [
        (["subscr."], "its number in the order of creation"),
        place,
        (["state"], "active; dropped: nobody can dispose of it any more; ending; or how it ended"),
        (["age"], "since it began"),
        (["events"], "that passed"),
        (["/s"], "events per second, lately"),
        (["last"], "how long ago the latest event was"),
        (["held"], "values kept back, or events that wait for their turn"),
        (["root"], "the program's own subscription that it belongs to"),
        (["scheduler"], "on which it was made"),
      ]
    ),
    (
      .events,
      [
        (["event"], "its number in the recording"),
        (["time"], "since the recording began"),
        (["what"], "kind of record, as in rxtop dump"),
        (["of"], "who it happened to"),
        (["says"], "what else is known: a reason, a failure, a value where values are recorded"),
        (["thread"], "on which it happened"),
      ]
    ),
    (
      .findings,
      [
        (["level"], "how sure it is; see the words below"),
        (["where"], "the line of code that is accused"),
        (["what"], "of what, in a sentence"),
      ]
    ),
    (
      .queues,
      [
        (["queue"], "as the program named it"),
        (["kind"], "how it runs its work"),
        (
          ["busy"],
          "part of the stretch in which its work ran; above 100 % where several ran at once"
        ),
        (
          ["waiting"],
          "work accepted that has not begun, without timers; 3+ if older work may wait besides"
        ),
        (["most"], "the most that waited at once in the stretch"),
        (["begun"], "work that began in the stretch"),
        (
          ["wait p50", "p99", "longest"],
          "from being accepted to beginning: half, 99 of 100, and all took no longer"
        ),
        (["run p50", "run p99"], "from beginning to end"),
        (["threads"], "on which it ran"),
      ]
    ),
    (
      .diff,
      [
        finding, place,
        (["change"], "live now less live then"),
        (["before", "now"], "how many were live at the moment compared with, and at this one"),
        (["begun"], "in between"),
        (["events"], "in between"),
        (["what"], "in a word"),
      ]
    ),
  ]

  private static let finding = (["!"], "a finding accuses the line")
  private static let place = (["operator@file:line"], "the operator, and where the source has it")
}
