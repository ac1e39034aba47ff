/// The screens of rxtop; those in the view bar come first, in the order of the bar.
public enum Screen: String, CaseIterable, Sendable {
  case map, sites, signals, subscriptions, graph, events, findings, marbles, queues, diff, detail,
    help

  /// The name in the view bar and in the help.
  public var title: String {
    switch self {
    case .map: "Map"
    case .sites: "Sites"
    case .signals: "Signals"
    case .subscriptions: "Subscriptions"
    case .graph: "Graph"
    case .events: "Events"
    case .findings: "Findings"
    case .marbles: "Marbles"
    case .queues: "Queues"
    case .diff: "Diff"
    case .detail: "Detail"
    case .help: "Help"
    }
  }

  /// The title for a narrow view bar.
  var shortTitle: String {
    switch self {
    case .subscriptions: "Subs"
    case .findings: "Find"
    default: title
    }
  }

  /// What the screen contains, for the help.
  public var meaning: String {
    switch self {
    case .map: "the whole program: what feeds what, from sources to subscriptions"
    case .sites: "one row for each place in the source: what is alive there, and how busy it is"
    case .signals: "descriptions of work: created, active while subscribed to, inactive, released"
    case .subscriptions:
      "running instances of signals: what is alive, since when, and who asked for it"
    case .graph: "what feeds the selected subscription, and what it feeds"
    case .events: "what happened, one line each, in order"
    case .findings: "what is wrong or looks wrong, with the events that prove it"
    case .marbles: "when it happened: a lane for each line of code, or for what is selected"
    case .queues: "how long work waits and runs on each scheduler, and who crosses between them"
    case .diff: "what increased and what decreased since a mark, or the moment of D"
    case .detail:
      "everything known about a line, signal, subscription, timer, owner, queue or event"
    case .help: "the keys"
    }
  }

  /// The screens in the view bar; other screens are opened from a row.
  public static let inBar: [Screen] = [
    .map, .sites, .signals, .subscriptions, .graph, .events, .findings, .marbles, .queues, .diff,
  ]
}
