public import TraceModel

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
  /// Which rows to show of the screen on top.
  ///
  /// Each screen has its own.
  public internal(set) var filter: RowFilter {
    get { place.filter }
    set { place.filter = newValue }
  }

  /// What was searched for last.
  var search = ""
  /// What is being typed.
  var prompt: Prompt?
  /// What the program has to say.
  var note: Note?
  /// Whether the instant shown moves on by itself, as the recording did.
  public internal(set) var isPlaying = false
  /// How many times as fast as the recording, as an index of ``playbackSpeeds``.
  var speed = Model.playbackSpeeds.firstIndex(of: 1) ?? 0
  /// The step that was asked for last, and whether the screen was going with the program then.
  var lastStep: (step: Step, wasFollowing: Bool) = (.event, false)
  /// Moments the user marked, in order.
  var bookmarks: [Duration] = []
  /// What was chosen for Marbles and lanes, in the order in which it was.
  var tags: [Scope] = []
  /// What Diff compares with; nil for the first mark, or the beginning.
  var comparedWith: Position?
  /// Another trace that Diff compares with, instead of an earlier moment of this one.
  var otherTrace: SiteBase?
  /// Recordings that may be named after `:diff`.
  let recordings: [String]
  /// The answer to what the screen on top asks of the records.
  var queryState = QueryState()
  /// The same of the selected row, for what stands below a list.
  var previewed = QueryState()
  /// The ways that led to earlier screens, and to those gone back from.
  var past: [[Place]] = []
  var future: [[Place]] = []
  /// Whether the key being handled goes through ``past`` and ``future``.
  var isTravellingInHistory = false
  /// Commands typed after `:`, the latest last.
  var typedCommands: [String] = []
  /// What is kept from one run to the next.
  var settings: Settings
  /// Asynchronous backtraces resolved so far, by chain.
  var backtraces: [UInt32: [String]] = [:]
  /// How the screens of the bar were left.
  var remembered: [Screen: Place] = [:]
  /// How many inspections were taken in.
  var readings = 0
  /// The rows of the table shown last; of the screen on top, if it is a table.
  var rows = RowList()
  /// The same before a filter, which neither adds rows nor changes their order.
  var rowsBeforeFilter = RowList()
  /// The rows of Events.
  var events = EventsShown()
  /// What is being searched for in them, where that takes long.
  var eventFind: EventFind?
  /// The map shown last.
  var picture: MapPicture?
  /// How far the marks have gone that move where something flows.
  var pulse = 0
  /// The lines of code of its selected node.
  var selectedSites: Set<UInt32> = []
  /// The lines of the screen on top, if it is text.
  var document: [DocumentLine] = []

  /// A model that has read nothing yet.
  ///
  /// - Parameters:
  ///   - size: Of the screen.
  ///   - glyphs: The signs the terminal can show.
  ///   - screen: The first screen.
  ///   - filter: As typed after `\`.
  ///   - otherTrace: What Diff compares with.
  ///   - settings: The orders of screens, and what `:write-config` begins with.
  ///   - recordings: What Tab completes after `:diff`.
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

  /// How often marks on the map move on.
  public static let pulseInterval = Duration.milliseconds(250)

  /// Whether something on the screen moves between two looks at the program: marks on the map, where something flows.
  public var isAnimated: Bool {
    place.screen == .map && timeState == .live && picture?.flowing.isEmpty == false
  }

  /// Whether the traced process runs.
  var isRunning: Bool { inspection.program.status == .running }

  /// The state of the screen towards time, as the top line shows it.
  var timeState: TimeState {
    if isRunning { return isFollowing ? .live : .paused }
    return isFollowing && inspection.instant.isEnd ? .ended : .replay
  }
}

/// What was found out about the records for the screen on top.
struct QueryState: Sendable {
  /// What was asked last, and at which reading.
  var asked: TraceQuery?
  var reading = -1
  /// The latest answer, and to what; kept on the screen until the next one is there.
  var question: TraceQuery?
  var answer: TraceAnswer?
  /// How many answers were taken in.
  var count = 0

  /// Whether a question has to be asked, which it is taken to be from then on.
  mutating func asks(_ query: TraceQuery, at reading: Int) -> Bool {
    guard query != asked || (self.reading != reading && !query.isLasting) else { return false }
    (asked, self.reading) = (query, reading)
    return true
  }

  mutating func take(_ answer: TraceAnswer, to query: TraceQuery) {
    (question, self.answer) = (query, answer)
    count += 1
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
  enum Kind: Sendable, Hashable { case search, filter, command }

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
