public import TraceModel

/// An action that a key triggers.
public enum Command: Hashable, Sendable {
  case show(Screen)
  case nextScreen, previousScreen
  /// The number of rows down; negative is up.
  case move(Int)
  /// The number of half screens down; negative is up.
  case scroll(Int)
  case first, last
  /// To the left and right: back and open; on Marbles they move the cursor.
  case stepLeft, stepRight
  /// Opens what the selected row represents.
  case open
  /// Closes the screen on top; never the program.
  case back
  /// Moves through the screens that were shown before.
  case historyBack, historyForward
  /// Closes the screen on top, and the program when there is no other.
  case quit
  /// Ends the program at once.
  case quitNow
  case search, nextMatch, previousMatch, filter
  case sortRight, sortLeft, invert
  /// Asks for a column to sort by.
  case sortBy
  /// Keeps rows in their order while their figures change.
  case freeze
  case tag, tagAlike, untag
  case pause
  case previousEvent, nextEvent, previousChange, nextChange
  /// To the next stop of a kind; false is back.
  case seek(Step, Bool)
  /// Plays the recording, or stops playing.
  case play
  case slower, faster
  case begin, end
  /// To the moment of the selected event, or of a finding's first evidence.
  case goTo
  /// Asks for a moment to go to.
  case goToTime
  case bookmark, previousBookmark, nextBookmark
  /// Sets this moment as the one that Diff compares with.
  case compareFromHere
  /// The causal chain of the selected event.
  case followCause
  case zoomIn, zoomOut, zoomAll
  /// Graph: switches between lanes and the tree.
  case lanes
  /// Detail: shows all functions of a backtrace, or the program's own alone. Map: shows the lines
  /// of a chain or a file, or one node.
  case unfold
  /// Draws ended connections on the map as well, or live ones only.
  case showEnded
  /// Map: shows only what reaches the selected node or is reached from it, or the whole again.
  case focus
  /// Shows what is known about the selected row below lists and the map, or uses the whole screen
  /// for these.
  case preview
  /// The line of source in an editor.
  case edit
  /// A command by its name.
  case palette
  case writeConfig
  case save
  case redraw

  /// The name after `:`.
  public var name: String {
    switch self {
    case .show(let screen): screen.rawValue
    case .nextScreen: "next-screen"
    case .previousScreen: "previous-screen"
    case .move(let rows): rows > 0 ? "down" : "up"
    case .scroll(let halves):
      (halves > 0 ? "page-down" : "page-up") + (abs(halves) == 1 ? "-half" : "")
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
