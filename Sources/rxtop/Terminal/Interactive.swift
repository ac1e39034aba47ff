internal import Glibc
internal import InspectorUI
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// The interactive mode of rxtop, which needs a terminal; without a terminal, ``Batch`` prints a
/// screen.
struct Interactive {
  let target: String?
  /// Whether to show the start screen even if there is only one running program.
  var choose = false
  let screen: Screen
  let filter: String
  let refresh: Duration
  let glyphs: Glyphs
  let palette: Palette
  /// The level to which recording is raised while the trace is open; nil to leave it as it is.
  let level: TraceLevel?
  /// Another trace with which the screen Diff compares; nil for an earlier moment of the same
  /// trace.
  var otherTrace: SiteBase?
  var settings = Settings()
  /// The folder in which to look for source files.
  var sourceRoot: String?

  func run() throws {
    // Everything that can fail without using the terminal comes first, so that errors are printed
    // normally.
    let named = try target.map(Target.path)
    var source = try (named ?? onlyProgram).map(open(path:))
    defer { source?.release() }

    var terminal = try open()
    let ending: Int32?
    do {
      defer { terminal.close() }
      if source == nil {
        var picker = TracePicker(glyphs: glyphs, size: terminal.size)
        var traces = WatchedTraces { Output.now }
        defer { traces.stop() }
        source = try picker.run(
          on: &terminal,
          &traces,
          refresh: refresh,
          describe: ScreenFiles.describe,
          open: open(path:)
        )
      }
      if let source {
        let model = Model(
          size: terminal.size,
          glyphs: glyphs,
          screen: screen,
          filter: filter,
          otherTrace: otherTrace,
          settings: settings,
          recordings: ScreenFiles.recordings()
        )
        var loop = ScreenLoop(
          model: model,
          source: source,
          refresh: refresh,
          helpers: ScreenFiles.helpers(sourceRoot: sourceRoot)
        )
        try loop.run(on: &terminal)
      }
      ending = terminal.endingSignal
    }
    if let ending, ending != SIGINT { TerminalGuard.endProcess(by: ending) }
  }

  /// The trace of the only running traced program; nil if there are none or several.
  private var onlyProgram: String? {
    guard !choose else { return nil }
    let running = TraceDirectory.list().filter { $0.status == .running }
    return running.count == 1 ? running.first?.path : nil
  }

  private func open(path: String) throws -> RaisedSource {
    do throws(TraceError) {
      let source = try TraceSource(path: path)
      return try RaisedSource(source, path: path, level: level, refresh: refresh)
    } catch {
      throw Failure(.unreadable, error.description)
    }
  }

  private func open() throws -> NcursesTerminal {
    do {
      return try NcursesTerminal(palette: palette, hasMouse: settings.mouse)
    } catch {
      throw Failure(.unreadable, error.description)
    }
  }
}
