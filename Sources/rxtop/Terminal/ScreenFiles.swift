internal import Glibc
internal import InspectorUI
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// The files that screens write and read: saved screens, settings, sources, and other recordings.
enum ScreenFiles {
  /// The helpers for screens.
  ///
  /// Sources are searched for below `sourceRoot`; if it is nil, sources are searched for at the
  /// paths at which they were compiled, and then below the working directory.
  static func helpers(sourceRoot: String?) -> ScreenHelpers {
    ScreenHelpers(
      save: SavedScreen.write,
      describe: describe,
      edit: { try SourceEditor.open($0, $1, $2, below: sourceRoot) },
      saveSettings: SettingsFile.write,
      compare: compare
    )
  }

  /// The recordings in the working directory and in the default directories.
  static func recordings() -> [String] {
    let here = TraceDirectory.list(in: ["."]).map { String($0.path.dropFirst(2)) }
    return here + TraceDirectory.list().map(\.path)
  }

  /// The state at the end of another recording, to compare with.
  private static func compare(_ name: String, with later: Inspection) throws -> SiteBase {
    let path = try Target.path(name)
    do throws(TraceError) {
      var other = try TraceSource(path: path)
      let end = try other.inspection(at: .end)
      // The inspection of the trace that is shown does not contain how long work waited on queues.
      // Therefore, the trace that is shown is opened once more.
      let present = try? TraceSource(path: later.program.path)
      return SiteBase(end, of: later, name: name, waits: (other.waits(), present?.waits()))
    } catch {
      throw Failure(.unreadable, error.description)
    }
  }

  static func describe(_ error: any Error) -> String {
    (error as? Failure)?.message ?? "\(error)"
  }
}

/// The files of screens that the user saves with `P`.
enum SavedScreen {
  /// Writes a screen into a new file of the working directory, such as `rxtop-1.txt`, and returns
  /// its path.
  static func write(_ text: String) throws -> String {
    for number in 1...999 {
      let path = "rxtop-\(number).txt"
      guard access(path, F_OK) != 0 else { continue }
      try Files.create(path, Array(text.utf8))
      return path
    }
    throw Failure(.unreadable, "there are 999 saved screens here already; move them away")
  }
}

/// The file of settings, `$XDG_CONFIG_HOME/rxtop/config` or `~/.config/rxtop/config`.
enum SettingsFile {
  /// The path of the file; nil if neither variable is set to an absolute path.
  static var path: String? {
    if let folder = Output.variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/rxtop/config"
    }
    guard let home = Output.variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/rxtop/config"
  }

  /// The settings and the errors in the file; without a file, the default settings.
  static func read() -> (settings: Settings, problems: [String]) {
    var status = stat()
    guard let path, stat(path, &status) == 0 else { return (Settings(), []) }
    // Opening a FIFO would block until another process opens it for writing.
    guard status.st_mode & S_IFMT != S_IFIFO else {
      return (Settings(), ["'\(path)' is a pipe, a file was expected"])
    }
    do {
      let bytes = try Files.contents(path, limit: 1 << 16)
      let (settings, problems) = Settings.parse(String(decoding: bytes, as: UTF8.self))
      return (settings, problems.map { "'\(path)', \($0)" })
    } catch {
      return (Settings(), [ScreenFiles.describe(error)])
    }
  }

  /// Writes the settings atomically, and returns the path of the file.
  static func write(_ settings: Settings) throws -> String {
    guard let path else {
      throw Failure(.unreadable, "there is no place for settings: set HOME or XDG_CONFIG_HOME")
    }
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    let temporary = path + ".\(getpid())"
    unlink(temporary)
    try Files.create(temporary, Array(settings.text.utf8))
    guard rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw Failure(.unreadable, "cannot write '\(path)': \(reason)")
    }
    return path
  }
}
