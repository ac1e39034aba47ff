internal import TraceReading

extension SignalRow {
  /// The columns of signals.
  public static let columns: [Column<SignalRow>] = [
    .entity("key", "its number in the order of creation", ColumnHeading("signal", 7)) { $0.key }
      .emphasis { _ in .dim }
      .neverNull,
    .number("site", "row of its site") { $0.site }.neverNull,
    .text("name", "the operator") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .text("module", "the module of the file; a filter is `module=Gateway`") {
      $0.module
    }
    .neverNull
    .grouped { Int($0.site) },
    .text(
      "state",
      "created: never subscribed to; active: has subscribers; inactive: has none any more; "
        + "released: no longer exists",
      ColumnHeading("state", 8)
    ) { $0.state?.rawValue }
    .cell { $0.state?.word ?? Quantity.unknown }
    .emphasis { row in
      switch row.state {
      case .active: .good
      case .released, .ended: .gone
      default: .text
      }
    }
    .grouped { $0.state.flatMap { LifeState.allCases.firstIndex(of: $0) } ?? -1 },
    .text("place", placeHelp, ColumnHeading("operator@file:line", 20, weight: 3, keepsEnd: true)) {
      $0.label
    }
    .grouped { Int($0.site) }
    .onScreenOnly,
    .text("givenName", "given by the program with named(_:)") { $0.givenName },
    .text(
      "composedName",
      "what it is made of, as `search.distinctUntilChanged().take(3)`, or the name the program gave it",
      ColumnHeading("name", 8, weight: 2, priority: 6, losesBeginning: true)
    ) { $0.composedName }
    .cell { row in row.composedName.map { displayName(endOf: $0) } }
    .grouped { $0.naming.group },
    .count(
      "subscriptions",
      "subscriptions now; the program's own and that of its signal count as one (as two in traces before 1.5)",
      ColumnHeading("subs", 5, priority: 2)
    ) { $0.subscriptions }
    .emphasis { $0.subscriptions == 0 ? .dim : .strong },
    .count(
      "subscriptionsEver",
      "the same since the recording began",
      ColumnHeading("ever", 5, priority: 5)
    ) {
      $0.subscriptionsEver
    },
    .duration("age", "since it was made", ColumnHeading("age", 7, priority: 3)) { $0.age },
    .entities(
      "upstreams",
      "the signals it is made of",
      ColumnHeading("from", 12, weight: 1, priority: 7, isSortable: false)
    ) { $0.upstreams }
    .none { $0.upstreams.isEmpty }
    .emphasis { _ in .dim },
    .series(
      "liveOverTime",
      "how many subscriptions of its line lived at marks, from the first mark to the latest; the highest is the most there were",
      ColumnHeading("live at its line", 24, priority: 8, leastColumns: 150, isSortable: false)
    ) { $0.history?.counts(ofSite: $0.site, columns: 24) }
    .onScreenOnly,
    .entities("downstreams", "the signals made of it") { $0.downstreams },
    changeColumn { $0.change },
  ]

  /// `map@Feed.swift:81`, with control characters escaped.
  package var label: String { displayName("\(name)@\(location)", columns: 120) }
}

extension LifeState {
  /// The word for the state in tables of signals.
  package var word: String {
    switch self {
    case .created: "created"
    case .active: "active"
    case .inactive: "inactive"
    case .disposing: "ending"
    case .ended: "ended"
    case .released: "released"
    }
  }
}

extension SubscriptionRow {
  /// The columns of subscriptions.
  public static let columns: [Column<SubscriptionRow>] = [
    .entity("key", "its number in the order of creation", ColumnHeading("subscr.", 7)) { $0.key }
      .emphasis { _ in .dim }
      .neverNull,
    .number("site", "row of its site") { $0.site }.neverNull,
    .text("name", "the operator") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .text("module", "the module of the file; a filter is `module=Gateway`") {
      $0.module
    }
    .neverNull
    .grouped { Int($0.site) },
    .text("place", placeHelp, ColumnHeading("operator@file:line", 18, weight: 3, keepsEnd: true)) {
      $0.label
    }
    .emphasis { $0.state?.isLive == false ? .gone : $0.isRoot ? .strong : .text }
    .grouped { Int($0.site) }
    .onScreenOnly,
    .text(
      "caller",
      "the function of the program that called the function in which it was made, from stacks and symbols; a filter is `caller~Tile`",
      ColumnHeading("caller", 24, weight: 2, priority: 10, keepsEnd: true)
    ) { $0.caller?.label }
    .grouped { $0.calling.group }
    .none { $0.caller == nil && $0.callerProblem == nil }
    .emphasis { $0.isRoot ? .text : .dim }
    .comparedOnly,
    .text(
      "state",
      "active, disposing, ended, released; on screens also dropped, or how it ended",
      ColumnHeading("state", 9)
    ) { $0.state?.rawValue }
    .cell { $0.stateWord }
    .grouped { $0.stateGroup }
    .emphasis { row in
      guard row.state?.isLive != false else { return row.endReason == .failed ? .violation : .gone }
      return row.isDisposableReleased ? .suspect : row.change == .new ? .good : .text
    },
    .duration("age", "since it began", ColumnHeading("age", 7, priority: 1)) { $0.age },
    .count("events", "events that passed", ColumnHeading("events", 7, priority: 2)) { $0.events },
    .rate("rate", "events per second, lately", ColumnHeading("/s", 5, priority: 8)) { $0.rate }
      .emphasis { ($0.rate ?? 0) > 0 ? .text : .dim },
    .duration(
      "lastEventAge",
      "how long ago the latest event was",
      ColumnHeading("last", 7, priority: 3)
    ) {
      $0.lastEventAge
    }
    .none { $0.lastEventAge == nil && $0.events == 0 },
    .count(
      "held",
      "values kept back, or events that wait for their turn",
      ColumnHeading("held", 5, priority: 5)
    ) {
      $0.held
    }
    .none { $0.held == 0 }
    .emphasis { ($0.held ?? 0) > 0 ? .text : .dim },
    .entity(
      "root",
      "the program's own subscription that it belongs to",
      ColumnHeading("root", 6, priority: 4)
    ) {
      $0.root
    }
    .cell { $0.isRoot ? "root" : $0.isShared ? "many" : nil }
    .emphasis { _ in .dim },
    .text(
      "scheduler",
      "on which it was made",
      ColumnHeading("scheduler", 9, weight: 1, priority: 7)
    ) { $0.scheduler }
    .grouped { $0.schedulerGroup }
    .none { $0.scheduler == nil }
    .emphasis { _ in .dim },
    .text("endReason", "one of the keys of `endedByReason`") { $0.endReason?.schemaName },
    .count("refused", "events refused after disposal or termination, according to the records") {
      $0.refused
    }.neverNull,
    .flag(
      "isDisposableReleased",
      "whether the program released the disposable that it was given, according to the records"
    ) { $0.isDisposableReleased }.neverNull,
    .entity("signal", "the signal it is an instance of") { $0.signal },
    .text(
      "composedName",
      "the composed name of that signal, as in `signals[]`; a filter is `signal~take(3)`",
      ColumnHeading("signal", 10, weight: 1, priority: 9, losesBeginning: true)
    ) { $0.composedName }
    .cell { row in row.composedName.map { displayName(endOf: $0) } }
    .grouped { $0.naming.group }
    .comparedOnly,
    .entity(
      "downstream",
      "the subscription its events go to; none at the program's own `subscribe`"
    ) {
      $0.downstream
    },
    .entities("upstreams", "the subscriptions its events come from") { $0.upstreams },
    .count("level", "steps from the root") { $0.level }.neverNull,
    .flag("isRoot", "whether it is the program's own `subscribe`") { $0.isRoot }.neverNull,
    .number("chain", "row of its asynchronous backtrace in the trace; 0 if there is none") {
      $0.chain
    }.neverNull,
    changeColumn { $0.change },
  ]

  /// `map@Feed.swift:81`, with control characters escaped.
  package var label: String { displayName("\(name)@\(location)", columns: 120) }
}

extension TimerRow {
  /// The columns of timers.
  public static let columns: [Column<TimerRow>] = [
    .entity("key", "its number in the order of creation") { $0.key }.neverNull,
    .number("site", "row of its site") { $0.site }.neverNull,
    .text("name", "the operator that armed it") { $0.name }.neverNull,
    .text("location", "`File.swift:88`") { $0.location }.neverNull,
    .text("module", "the module of the file; a filter is `module=Gateway`") {
      $0.module
    }
    .neverNull
    .grouped { Int($0.site) },
    .text("state", "`active`, `ended`, `released`") { $0.state?.rawValue },
    .duration("period", "between two fires; 0 if it fires once") { $0.period },
    .count("fires", "times it fired") { $0.fires },
    .rate("rate", "fires per second lately") { $0.rate },
    .count("idleFires", "fires since the last one that led to any event") { $0.idleFires },
    .entity("subscription", "the subscription it was armed for") { $0.subscription },
    .flag(
      "isOfUserCode",
      "whether the program armed it with `Scheduler.schedule(every:)`, not an operator"
    ) {
      $0.isOfUserCode
    },
    .duration("age", "since it was armed") { $0.age },
    .duration("lastFireAge", "since it last fired") { $0.lastFireAge },
    .text("scheduler", "where it fires") { $0.scheduler },
    .number("chain", "as in `subscriptions[]`") { $0.chain }.neverNull,
    changeColumn { $0.change },
  ]
}
