public import TraceModel

/// The whole state of rxtop: what was read from the trace, and where the user is in it.
///
/// ``update(_:)`` is the only function that changes it, and ``frame()`` is the only one that draws
/// it. Both are pure: time, input and data arrive as messages, and side effects are returned as
/// values. It is used in the same way for a running program and for a file.
public struct Model: Sendable {
  /// The characters that the terminal can show.
  public let glyphs: Glyphs
  /// The size of the screen.
  public internal(set) var size: Size
  /// The latest inspection.
  public internal(set) var inspection = Inspection()
  /// Its position.
  public internal(set) var position = Position.end
  /// Whether the screen follows the program, as opposed to staying at an instant.
  public internal(set) var isFollowing = true
  /// Whether there was an inspection yet.
  public internal(set) var hasInspection = false
  /// The path: the screens that were opened from one another.
  ///
  /// Never empty.
  public internal(set) var path: [Place]
  /// The filter of the screen on top.
  ///
  /// Each screen has its own.
  public internal(set) var filter: RowFilter {
    get { place.filter }
    set { place.filter = newValue }
  }

  /// The text of the last search.
  var search = ""
  /// What is being typed.
  var prompt: Prompt?
  /// A message from rxtop.
  var note: Note?
  /// Whether a recording is being played back.
  public internal(set) var isPlaying = false
  /// The speed of playback, as an index of ``playbackSpeeds``.
  var speed = Model.playbackSpeeds.firstIndex(of: 1) ?? 0
  /// The last requested step, and whether the screen was following the program then.
  var lastStep: (step: Step, wasFollowing: Bool) = (.event, false)
  /// Moments the user marked, in order.
  var bookmarks: [Duration] = []
  /// The tagged scopes for Marbles and lanes, in the order of tagging.
  var tags: [Scope] = []
  /// The moment that Diff compares with; nil for the first mark, or the beginning.
  var comparedWith: Position?
  /// Another trace that Diff compares with, instead of an earlier moment of this one.
  var otherTrace: SiteBase?
  /// Recordings that can be named after `:diff`.
  let recordings: [String]
  /// The state of the question of the screen on top.
  var queryState = QueryState()
  /// The state of the question about the selected row, for the preview below a list.
  var previewed = QueryState()
  /// The paths of earlier screens, and of those that the user went back from.
  var past: [[Place]] = []
  var future: [[Place]] = []
  /// Whether the current key moves through ``past`` and ``future``.
  var isTravellingInHistory = false
  /// Commands typed after `:`, the latest last.
  var typedCommands: [String] = []
  /// The settings, which are kept from one run to the next.
  var settings: Settings
  /// Asynchronous backtraces resolved so far, by chain.
  var backtraces: [UInt32: [String]] = [:]
  /// The states in which the screens of the bar were left.
  var remembered: [Screen: Place] = [:]
  /// The number of inspections received.
  var readings = 0
  /// The rows of the table shown last, which is the screen on top if that is a table.
  var rows = RowList()
  /// The rows before a filter, which neither adds rows nor changes their order.
  var rowsBeforeFilter = RowList()
  /// The rows of Events.
  var events = EventsShown()
  /// A search in the events that takes long.
  var eventFind: EventFind?
  /// The map shown last.
  var picture: MapPicture?
  /// The animation step of the marks that move along connections with events.
  var pulse = 0
  /// The lines of code of the selected node of the map.
  var selectedSites: Set<UInt32> = []
  /// The lines of the screen on top, if it is text.
  var document: [DocumentLine] = []

  /// A model without an inspection.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - glyphs: The characters that the terminal can show.
  ///   - screen: The first screen.
  ///   - filter: As typed after `\`.
  ///   - otherTrace: The trace that Diff compares with.
  ///   - settings: The orders of screens, and the settings that `:write-config` starts from.
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

  /// The interval at which marks on the map move.
  public static let pulseInterval = Duration.milliseconds(250)

  /// Whether something on the screen moves between two refreshes: marks on the map, where there are
  /// events.
  public var isAnimated: Bool {
    place.screen == .map && timeState == .live && picture?.flowing.isEmpty == false
  }

  /// Whether the traced process is running.
  var isRunning: Bool { inspection.program.status == .running }

  /// How the screen relates to time, as the top line shows it.
  var timeState: TimeState {
    if isRunning { return isFollowing ? .live : .paused }
    return isFollowing && inspection.instant.isEnd ? .ended : .replay
  }
}

/// The state of a question about the records.
struct QueryState: Sendable {
  /// The last question, and the reading at which it was asked.
  var asked: TraceQuery?
  var reading = -1
  /// The question of the latest answer, which is shown until the next one arrives.
  var question: TraceQuery?
  var answer: TraceAnswer?
  /// The number of answers received.
  var count = 0

  /// Whether a question has to be asked; if so, it is noted as asked.
  mutating func asks(_ query: TraceQuery, at reading: Int) -> Bool {
    guard query != asked || (self.reading != reading && !query.isLasting) else { return false }
    (asked, self.reading) = (query, reading)
    return true
  }

  mutating func receive(_ answer: TraceAnswer, to query: TraceQuery) {
    (question, self.answer) = (query, answer)
    count += 1
  }
}

/// How the instant shown relates to the program.
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

/// What is being typed in the footer.
struct Prompt: Sendable, Hashable {
  enum Kind: Sendable, Hashable { case search, filter, command }

  var kind: Kind
  var text: String
  /// The text that Esc restores.
  let before: String
}

/// An answer or an error, shown in the footer until the next key.
struct Note: Sendable, Hashable {
  var text: String
  var isProblem = false
}
