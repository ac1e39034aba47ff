public import TraceModel

/// An action that the user can request with a key, the mouse, or a command typed after `:`.
public enum Command: Hashable, Sendable {
  case show(Screen)
  case nextScreen, previousScreen
  /// Moves the selection down by a number of rows, or up if the number is negative.
  case move(Int)
  /// Moves the selection down by a number of half pages, or up if the number is negative.
  case scroll(Int)
  case first, last
  /// On Marbles, moves the cursor; on Map, follows the flow; on other screens, goes back or opens.
  case stepLeft, stepRight
  /// Opens what the selected row represents.
  case open
  /// Closes the screen on top, unless it is the only one.
  case back
  /// Goes back and forward through the screens that were shown before.
  case historyBack, historyForward
  /// Closes the screen on top, or ends rxtop if it is the only one.
  case quit
  /// Ends rxtop immediately.
  case quitNow
  case search, nextMatch, previousMatch, filter
  case sortRight, sortLeft, invert
  /// Lets the user choose a column to sort by.
  case sortBy
  /// Starts or stops keeping the order of the rows while their values change; on Events, starts or
  /// stops following the latest event.
  case freeze
  case tag, tagAlike, untag
  case pause
  case previousEvent, nextEvent, previousChange, nextChange
  /// Goes to the next error, finding, stall (work that waited or ran for 100 ms), loss of records,
  /// or problem (an error, stall or loss), or to the previous one if the flag is false.
  case seek(Step, Bool)
  /// Plays the recording, or stops playback.
  case play
  case slower, faster
  case begin, end
  /// Goes to the moment of the selected event, or to the first evidence of a finding.
  case goTo
  /// Lets the user type a moment to go to.
  case goToTime
  case bookmark, previousBookmark, nextBookmark
  /// Makes Diff compare with the moment that is shown.
  case compareFromHere
  /// Shows the causal chain of the selected event.
  case followCause
  case zoomIn, zoomOut, zoomAll
  /// On Graph, switches between lanes and the tree.
  case lanes
  /// On Detail, shows all functions of backtraces, or only the program's own. On Map, unfolds a
  /// node into its lines of code, or folds them again.
  case unfold
  /// On Map, shows or hides connections that have ended.
  case showEnded
  /// On Map, shows only the selected node and everything connected with it upstream and downstream,
  /// or the whole program again.
  case focus
  /// Shows or hides the preview of the selected row below lists and the map.
  case preview
  /// Opens the selected line of source in an editor.
  case edit
  /// Lets the user type a command by its name.
  case palette
  case writeConfig
  case save
  case redraw

  /// The name by which the command is typed after `:`.
  public var name: String {
    switch self {
    case .show(let screen): screen.rawValue
    case .nextScreen: "next-screen"
    case .previousScreen: "previous-screen"
    case .move(let rows): rows > 0 ? "down" : "up"
    case .scroll(let halfPages):
      (halfPages > 0 ? "page-down" : "page-up") + (abs(halfPages) == 1 ? "-half" : "")
    case .first: "first-row"
    case .last: "last-row"
    case .stepLeft: "left"
    case .stepRight: "right"
    case .open: "open"
    case .back: "back"
    case .historyBack: "history-back"
    case .historyForward: "history-forward"
    case .quit: "close"
    case .quitNow: "quit"
    case .search: "search"
    case .nextMatch: "next-match"
    case .previousMatch: "previous-match"
    case .filter: "filter"
    case .sortRight: "sort-right"
    case .sortLeft: "sort-left"
    case .invert: "invert"
    case .sortBy: "sort"
    case .freeze: "follow"
    case .tag: "tag"
    case .tagAlike: "tag-alike"
    case .untag: "untag"
    case .pause: "pause"
    case .previousEvent: "previous-event"
    case .nextEvent: "next-event"
    case .previousChange: "previous-change"
    case .nextChange: "next-change"
    case .seek(let step, let forward): (forward ? "next-" : "previous-") + step.name
    case .play: "play"
    case .slower: "slower"
    case .faster: "faster"
    case .begin: "begin"
    case .end: "end"
    case .goTo: "go-to-row"
    case .goToTime: "goto"
    case .bookmark: "bookmark"
    case .previousBookmark: "previous-bookmark"
    case .nextBookmark: "next-bookmark"
    case .compareFromHere: "compare-from-here"
    case .followCause: "follow-cause"
    case .zoomIn: "zoom-in"
    case .zoomOut: "zoom-out"
    case .zoomAll: "zoom-all"
    case .lanes: "lanes"
    case .unfold: "unfold"
    case .showEnded: "ended"
    case .focus: "focus"
    case .preview: "preview"
    case .edit: "edit"
    case .palette: "command"
    case .writeConfig: "write-config"
    case .save: "save"
    case .redraw: "redraw"
    }
  }
}
