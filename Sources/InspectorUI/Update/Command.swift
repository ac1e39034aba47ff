public import TraceModel

/// An action that the user can request by a key, the mouse, or a command after `:`.
public enum Command: Hashable, Sendable {
  case show(Screen)
  case nextScreen, previousScreen
  /// The number of rows down; negative is up.
  case move(Int)
  /// The number of half screens down; negative is up.
  case scroll(Int)
  case first, last
  /// Left and right: on lists back and open, on Marbles they move the cursor.
  case stepLeft, stepRight
  /// Opens what the selected row represents.
  case open
  /// Closes the screen on top, but never the program.
  case back
  /// Goes back and forward through the screens that were shown before.
  case historyBack, historyForward
  /// Closes the screen on top; if there is no other, ends rxtop.
  case quit
  /// Ends rxtop at once.
  case quitNow
  case search, nextMatch, previousMatch, filter
  case sortRight, sortLeft, invert
  /// Lets the user choose a column to sort by.
  case sortBy
  /// Keeps the rows in their order while their figures change.
  case freeze
  case tag, tagAlike, untag
  case pause
  case previousEvent, nextEvent, previousChange, nextChange
  /// Goes to the next error, finding, stall, loss or problem, or to the previous one if the flag is
  /// false.
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
  /// Makes this moment the one with which Diff compares.
  case compareFromHere
  /// Shows the causal chain of the selected event.
  case followCause
  case zoomIn, zoomOut, zoomAll
  /// On Graph, switches between lanes and the tree.
  case lanes
  /// On Detail, shows all functions of a backtrace, or only the program's own. On Map, shows the
  /// lines of a chain or a file, or folds them into one node.
  case unfold
  /// On Map, draws ended connections as well, or live ones only.
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
