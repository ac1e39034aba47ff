/// What a key asks for.
public enum Command: Hashable, Sendable {
  case show(Screen)
  case nextScreen, previousScreen
  /// Rows down; negative is up.
  case move(Int)
  /// Half screens down; negative is up.
  case scroll(Int)
  case first, last
  /// Opens what the selected row stands for.
  case open
  /// Closes what is on top; never the program.
  case back
  /// Closes what is on top, and the program when nothing is.
  case quit
  /// Ends the program at once.
  case quitNow
  case search, nextMatch, previousMatch, filter
  case sortRight, sortLeft, invert
  case pause
  case previousEvent, nextEvent, previousChange, nextChange
  case begin, end
  /// To the moment of the selected event, or of a finding's first evidence.
  case goTo
  case bookmark, previousBookmark, nextBookmark
  case save
  case redraw
}
