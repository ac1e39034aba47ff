public import TraceModel

/// The whole state of rxtop: what was read from the trace, and what the user is looking at.
///
/// Only ``update(_:)`` changes the model, and only ``frame()`` draws it. Both are pure: time, input
/// and data arrive as messages, and side effects are returned as values.
public struct Model: Sendable {
  /// The characters that the terminal can show.
  public let glyphs: Glyphs
  /// The size of the screen.
  public internal(set) var size: Size
  /// The latest inspection: the state of the program that was read from the trace.
  public internal(set) var inspection = Inspection()
  /// The position of the latest inspection.
  public internal(set) var position = Position.end
  /// Whether the screen follows the end of the trace, rather than staying at an instant.
  public internal(set) var isFollowing = true
  /// Whether an inspection has arrived yet.
  public internal(set) var hasInspection = false
  /// The screens from the first one to the screen on top, each opened from the one before it.
  ///
  /// The path is never empty.
  public internal(set) var path: [Place]
  /// The filter of the screen on top; each screen has its own.
  public internal(set) var filter: RowFilter {
    get { place.filter }
    set { place.filter = newValue }
  }

  /// The text of the last search.
  var search = ""
  /// The text that is being typed; nil if there is none.
  var prompt: Prompt?
  /// A message to the user, which the next key or mouse action removes.
  var note: Note?
  /// Whether a recording is being played back.
  public internal(set) var isPlaying = false
  /// The speed of playback, as an index of ``playbackSpeeds``.
  var speed = Model.playbackSpeeds.firstIndex(of: 1) ?? 0
  /// The latest requested step.
  var lastStep = Step.event
  /// Whether the screen stopped following the trace for a request that is not answered yet.
  var isLeavingEnd = false
  /// The moments that the user marked, in chronological order.
  var bookmarks: [Duration] = []
  /// The scopes that the user tagged, to be drawn in Marbles or in the lanes of Graph, in the order
  /// of tagging.
  var tags: [Scope] = []
  /// The moment with which Diff compares; nil means the first named mark, or else the first mark,
  /// or the beginning if there is no mark.
  var comparedWith: Position?
  /// Another trace with which Diff compares; nil if Diff compares with an earlier moment of this
  /// trace.
  var otherTrace: SiteBase?
  /// How often another trace was chosen to compare with.
  var comparisonCount = 1
  /// The names of recordings that can be typed after `:diff`.
  let recordings: [String]
  /// The state of the query on which the screen on top depends.
  var queryState = QueryState()
  /// The state of the query about the selected row, for the preview below a list.
  var previewed = QueryState()
  /// The paths to which the user can go back (`past`) and forward (`future`).
  var past: [[Place]] = []
  var future: [[Place]] = []
  /// Whether the user has just gone back or forward in the history, so that the change of the path
  /// is not added to the history.
  var isTravellingInHistory = false
  /// The commands typed after `:`, oldest first.
  var typedCommands: [String] = []
  /// The settings, which rxtop can save for the next run.
  var settings: Settings
  /// The lines of the asynchronous backtraces resolved so far, by the number of the chain, which is
  /// the backtrace as recorded.
  var backtraces: [UInt32: [String]] = [:]
  /// The state in which the user left each screen of the view bar.
  var remembered: [Screen: Place] = [:]
  /// The number of inspections that have arrived.
  var inspectionCount = 0
  /// The rows of the table that was shown last.
  var rows = RowList()
  /// The sorted rows before filtering, so that a change of the filter does not need to sort again.
  var rowsBeforeFilter = RowList()
  /// The rows of Events.
  var events = EventsShown()
  /// The unfinished search for text in the events, if there is one.
  var eventFind: EventFind?
  /// The map that was shown last.
  var picture: MapPicture?
  /// The number of steps by which the marks on the map have advanced, which determines their
  /// positions.
  var pulse = 0
  /// The lines of code of the selected node of the map.
  var selectedSites: Set<UInt32> = []
  /// The lines of the screen on top, if it is a screen of text.
  var document: [DocumentLine] = []

  /// Creates a model that has no inspection yet.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - glyphs: The characters that the terminal can show.
  ///   - screen: The first screen.
  ///   - filter: The filter, as typed after `\`.
  ///   - otherTrace: Another trace with which Diff compares.
  ///   - settings: The settings, such as the sort order of each screen, which
  ///     `:write-config` saves.
  ///   - recordings: The names that Tab completes after `:diff`.
  public init(
    size: Size,
    glyphs: Glyphs = .utf8,
    screen: Screen = .sites,
    filter: String = "",
    otherTrace: SiteBase? = nil,
    settings: Settings = Settings(),
    recordings: [String] = []
  ) {
    self.size = size
    self.recordings = recordings
    self.glyphs = glyphs
    self.settings = settings
    self.otherTrace = otherTrace
    path = [Place(screen)]
    for (screen, text) in settings.sort {
      guard let order = SortOrder(text, on: screen, glyphs) else { continue }
      var place = Place(screen)
      place.sort = order
      remembered[screen] = place
    }
    if let place = remembered[screen] { path = [place] }
    place.filter = RowFilter(filter)
    place.list.isPinned = screen == .events
  }

  /// The screen on top.
  public var place: Place {
    get { path[path.count - 1] }
    set { path[path.count - 1] = newValue }
  }

  /// The interval at which the moving marks on the map advance.
  public static let pulseInterval = Duration.milliseconds(250)

  /// Whether the screen is animated: on Map, marks move along connections that carry events while
  /// the program is followed.
  public var isAnimated: Bool {
    place.screen == .map && timeState == .live && picture?.flowing.isEmpty == false
  }

  /// Whether the traced process is running.
  var isRunning: Bool { inspection.program.status == .running }

  /// Whether the program runs, and which instant of it is shown, for the top line.
  var timeState: TimeState {
    if isRunning { return isFollowing ? .live : .paused }
    return isFollowing && inspection.instant.isEnd ? .ended : .replay
  }
}

/// The state of a query about the records, and its answer.
struct QueryState: Sendable {
  /// The latest query that was requested.
  var requested: TraceQuery?
  /// The number of inspections that had arrived when the latest query was requested.
  var inspectionNumber = -1
  /// The query to which ``answer`` belongs; it may be older than the latest query.
  var answeredQuery: TraceQuery?
  var answer: TraceAnswer?
  /// The number of answers that have arrived.
  var count = 0

  /// Returns whether the answer to a query must be requested, and if so, stores the query as the
  /// latest one.
  mutating func beginRequest(_ query: TraceQuery, at inspectionNumber: Int) -> Bool {
    guard query != requested || (self.inspectionNumber != inspectionNumber && !query.isLasting)
    else { return false }
    (requested, self.inspectionNumber) = (query, inspectionNumber)
    return true
  }

  mutating func receive(_ answer: TraceAnswer, to query: TraceQuery) {
    (answeredQuery, self.answer) = (query, answer)
    count += 1
  }
}

/// Whether the program runs, and which instant of it the screen shows.
enum TimeState: String, Sendable {
  /// The program is running and the screen follows it.
  case live
  /// The program is running and the screen is paused.
  case paused
  /// The program has ended and the screen shows its end.
  case ended
  /// The program has ended and the screen shows its past.
  case replay
}

/// Text that is being typed in the footer.
struct Prompt: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case search, filter, command }

  var kind: Kind
  var text: String
  /// The text before typing began, which Esc restores.
  let before: String
}

/// A message to the user, which the footer shows until the next key or mouse action.
struct Note: Sendable, Hashable {
  var text: String
  var isProblem = false
}
