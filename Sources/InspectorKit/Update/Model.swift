/// Everything rxtop shows and remembers: what was read from the trace, and where the user is in it.
///
/// ``update(_:)`` is the only thing that changes it, and ``frame()`` the only thing that draws it. Both
/// are pure: time, input and what was read arrive as messages, and what is to be done leaves as effects.
/// The same for a running program and for a file.
public struct Model: Sendable {
  /// The signs the terminal can show.
  public let glyphs: Glyphs
  /// Of the screen.
  public internal(set) var size: Size
  /// What was read last.
  public internal(set) var inspection = Inspection()
  /// The position it was read at.
  public internal(set) var position = Position.end
  /// Whether the screen goes on with the program, as opposed to standing at an instant.
  public internal(set) var isFollowing = true
  /// Whether anything was read yet.
  public internal(set) var hasInspection = false
  /// The way here: the screens that were opened from one another.
  ///
  /// Never empty.
  public internal(set) var path: [Place]
  /// Which rows to show, on every screen of rows.
  public internal(set) var filter = RowFilter("")

  /// What was searched for last.
  var search = ""
  /// What is being typed.
  var prompt: Prompt?
  /// What the program has to say.
  var note: Note?
  /// Moments the user marked, in order.
  var bookmarks: [Duration] = []
  /// Asynchronous backtraces resolved so far, by chain.
  var backtraces: [UInt32: [String]] = [:]
  /// How the screens of the bar were left.
  var remembered: [Screen: Place] = [:]
  /// How many inspections were taken in.
  var readings = 0
  /// The rows of the table shown last; of the screen on top, if it is a table.
  var rows = RowList()
  /// The lines of the screen on top, if it is text.
  var document: [DocumentLine] = []

  /// A model that has read nothing yet.
  ///
  /// - Parameters:
  ///   - size: Of the screen.
  ///   - glyphs: The signs the terminal can show.
  ///   - screen: The first screen.
  ///   - filter: As typed after `\`.
  public init(size: Size, glyphs: Glyphs = .utf8, screen: Screen = .sites, filter: String = "") {
    self.size = size
    self.glyphs = glyphs
    path = [Place(screen)]
    self.filter = RowFilter(filter)
  }

  /// The screen on top.
  public var place: Place {
    get { path[path.count - 1] }
    set { path[path.count - 1] = newValue }
  }

  /// Whether the traced process runs.
  var isRunning: Bool { inspection.program.status == .running }

  /// The state of the screen towards time, as the top line shows it.
  var timeState: TimeState {
    if isRunning { return isFollowing ? .live : .paused }
    return isFollowing && inspection.instant.isEnd ? .ended : .replay
  }
}

/// How the instant shown relates to the program.
enum TimeState: String, Sendable {
  /// The program runs and the screen goes with it.
  case live
  /// The program runs and the screen stands.
  case paused
  /// The program does not run and the screen shows its end.
  case ended
  /// The program does not run and the screen shows its past.
  case replay
}

/// What is being typed in the footer.
struct Prompt: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case search, filter }

  var kind: Kind
  var text: String
  /// What Esc brings back.
  let before: String
}

/// An answer or a complaint, shown in the footer until the next key.
struct Note: Sendable, Hashable {
  var text: String
  var isProblem = false
}
