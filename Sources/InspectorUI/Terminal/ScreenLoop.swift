public import TraceModel

/// The event loop of the screens, which connects a ``Model`` with a terminal and a trace.
public struct ScreenLoop<Source: InspectionSource> {
  /// The current model.
  public private(set) var model: Model
  private var source: Source
  private let refresh: Duration
  private let helpers: ScreenHelpers
  private let now: () -> ContinuousClock.Instant
  /// How long the latest effect of each kind took.
  private var costs: [String: Duration] = [:]

  /// Creates a loop that has not started.
  ///
  /// - Parameters:
  ///   - model: The model, with the size of the terminal.
  ///   - source: The trace.
  ///   - refresh: The interval at which the trace of a running program is read.
  ///   - helpers: The functions that the program provides to the screens.
  ///   - now: Returns the current time, on the clock of the terminal's deadlines.
  public init(
    model: Model,
    source: Source,
    refresh: Duration = .seconds(1),
    helpers: ScreenHelpers,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) {
    self.model = model
    self.source = source
    self.refresh = refresh
    self.helpers = helpers
    self.now = now
  }

  /// Shows screens and handles keys until the user quits or the input ends.
  ///
  /// The loop draws only after a message, and waits for the next message in
  /// ``Terminal/nextMessage(before:)``.
  public mutating func run(on terminal: inout some Terminal) throws {
    try terminal.present(model.frame())
    guard try perform(model.start(), &terminal) else { return }
    var deadline = now() + refresh
    var playedAt: ContinuousClock.Instant?
    while true {
      let effects: [Effect]
      if !model.isPlaying { playedAt = nil }
      if model.isPlaying, playedAt == nil { playedAt = now() }
      let frame =
        model.isSearching
        ? now() : playedAt.map { $0 + Model.playbackInterval } ?? nextMove(deadline)
      switch try terminal.nextMessage(before: frame) {
      case .ended: return
      case .key(let key): effects = model.update(.key(key))
      case .resized(let size): effects = model.update(.resized(size))
      case .mouse(let action): effects = model.update(.mouse(action))
      case nil where model.isSearching && now() < deadline: effects = model.update(.idle)
      case nil where model.isAnimated && now() < deadline: effects = model.update(.pulse)
      case nil where model.isPlaying:
        let time = now()
        effects = model.update(.elapsed(time - (playedAt ?? time)))
        playedAt = time
      case nil:
        deadline = now() + refresh
        effects = model.update(.tick)
        if effects.isEmpty { continue }
      }
      try terminal.present(model.frame())
      guard try perform(effects, &terminal) else { return }
    }
  }

  /// The time at which the screen must next be drawn or refreshed if there is no input.
  private func nextMove(_ deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    model.isAnimated ? min(deadline, now() + Model.pulseInterval) : deadline
  }

  /// Performs the effects and passes their results to the model; returns false if the user quits.
  private mutating func perform(_ effects: [Effect], _ terminal: inout some Terminal) throws -> Bool
  {
    var effects = effects
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      if effect == .quit { return false }
      let kind = effect.kind
      if let kind, takesLong(kind) { try terminal.present(waitingFrame) }
      let start = now()
      guard let answer = answer(to: effect, &terminal) else { continue }
      if let kind { costs[kind] = now() - start }
      effects += model.update(answer)
      try terminal.present(model.frame())
    }
    return true
  }

  /// Whether an effect will probably take so long that the screen should say so.
  private func takesLong(_ kind: String) -> Bool {
    let cost = costs[kind].map { $0 > Self.slowThreshold }
    return cost ?? (model.inspection.program.recordCount > Self.manyRecords)
  }

  /// If the latest effect of a kind took longer than this, the screen shows a message before the
  /// next effect of that kind.
  ///
  /// A user should not wait more than twice this time without a message.
  private static var slowThreshold: Duration { .milliseconds(250) }
  private static var manyRecords: Int { 1_000_000 }

  /// The current screen, with the message that records are being read.
  private var waitingFrame: Frame {
    var model = model
    let count = Quantity.count(UInt64(model.inspection.program.recordCount))
    model.showNote("Reading \(count) records …")
    return model.frame()
  }

  private mutating func answer(to effect: Effect, _ terminal: inout some Terminal) -> Message? {
    do {
      switch effect {
      case .show(let position):
        return .inspection(try source.inspection(at: position), at: position)
      case .step(let step, let forward, let position):
        guard let found = try source.step(step, forward: forward, from: position) else {
          return .noStep(forward: forward)
        }
        return .inspection(found.inspection, at: found.position)
      case .watch: return .program(try source.program())
      case .backtrace(let chain): return .backtrace(chain: chain, try source.backtrace(of: chain))
      case .query(let query): return .answered(query, try source.query(query))
      case .compare(let name):
        guard let compare = helpers.compare else { return .failed("There is no other recording.") }
        return .compared(try compare(name, model.inspection))
      case .save(let text): return .saved(try helpers.save(text))
      case .saveSettings(let settings): return .settingsSaved(try helpers.saveSettings(settings))
      case .edit(let file, let line):
        var answer: String?
        let paths = try source.sourcePaths(of: file, line: line)
        try terminal.suspend { answer = try helpers.edit(file, line, paths) }
        return answer.map(Message.edited)
      case .redraw:
        terminal.redraw()
        return nil
      case .quit: return nil
      }
    } catch {
      return .failed(helpers.describe(error))
    }
  }
}

extension Effect {
  /// The kind of an effect that may have to read many records; nil for all others.
  ///
  /// Showing the end has no kind, because the state at the end is updated as records arrive.
  fileprivate var kind: String? {
    switch self {
    case .show(.end): nil
    case .show: "show"
    case .step(let step, _, _): "step \(step)"
    case .query(let query):
      switch query {
      case .marbles: "marbles"
      case .queues: "queues"
      case .journey: "journey"
      case .base: "base"
      case .histograms: "histograms"
      case .moments: "moments"
      case .flow: "flow"
      case .account: "account"
      }
    default: nil
    }
  }
}

/// Functions that the program provides to the screens.
public struct ScreenHelpers {
  /// Writes the text of a screen into a file and returns its path.
  public var save: (String) throws -> String
  /// Describes an error in a sentence.
  public var describe: (any Error) -> String
  /// Opens a line of a source file in an editor, and returns a message that says what was opened.
  ///
  /// `file` is the compiler's name for the file, and `paths` are its possible paths according to
  /// debug information.
  public var edit: (_ file: String, _ line: UInt32, _ paths: [String]) throws -> String
  /// Writes the settings into their file and returns its path.
  public var saveSettings: (Settings) throws -> String
  /// Opens another recording, named by its file or process, so that its end can be compared with
  /// the state that is shown; nil if the program cannot open recordings.
  public var compare: ((_ name: String, _ later: Inspection) throws -> SiteBase)?

  /// Creates helpers from their functions.
  public init(
    save: @escaping (String) throws -> String,
    describe: @escaping (any Error) -> String,
    edit: @escaping (_ file: String, _ line: UInt32, _ paths: [String]) throws -> String,
    saveSettings: @escaping (Settings) throws -> String,
    compare: ((_ name: String, _ later: Inspection) throws -> SiteBase)? = nil
  ) {
    self.save = save
    self.describe = describe
    self.edit = edit
    self.saveSettings = saveSettings
    self.compare = compare
  }
}
