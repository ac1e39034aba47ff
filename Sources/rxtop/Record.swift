internal import ArgumentParser
internal import Glibc
import InspectorUI
internal import ReactiveTrace
internal import TraceModel
internal import TraceReading

/// The subcommand `record`.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Run a program traced, and keep its trace.",
    discussion: """
      rxtop record -- ./app --its-options
      rxtop record -o app.rxtrace --level values -- ./app

      The program runs as it would without rxtop, which exits with its status, or with 128 plus \
      the number of the signal that ended it; or with 3 if it made no trace. The trace is packed afterwards: functions, files and \
      lines of backtraces are put into it. How the program ended is noted in the trace, so that \
      rxtop check finds a crash, and rxtop explain FILE crash what was under way.
      """
  )

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The trace file; it must not exist yet. Unless given, PROGRAM.rxtrace, PROGRAM-1.rxtrace …",
      valueName: "file"
    )
  )
  var output: String?

  @Option(help: ArgumentHelp("What is recorded: graph, events or values.", valueName: "level"))
  var level = LevelToRaise.events

  @Option(help: ArgumentHelp("Room for the latest events, as 64M.", valueName: "size"))
  var size: String?

  @Flag(help: "Keep all events in the file, not only those that fit the ring.")
  var stream = false

  @Flag(help: "Leave the backtraces as addresses.")
  var noPack = false

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program and its arguments, after --.", valueName: "program")
  )
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("name the program to run after --, as in rxtop record -- ./app")
    }
    if let size {
      let isSize = !size.contains(",") && !size.contains("=")
      guard isSize, (try? TraceOptions.parse("size=\(size)")) != nil else {
        throw ValidationError("'--size \(size)' is not a size; use 256K, 64M, 1G or the like")
      }
    }
  }

  func run() throws {
    let path = try free()
    let folder = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    guard access(folder.isEmpty ? "/" : folder, W_OK) == 0 else {
      throw Failure(
        .unreadable,
        "no trace can be made in '\(displayName(folder))': \(String(cString: strerror(errno))); name a file elsewhere with -o"
      )
    }
    let writable = try WritablePath(path)
    defer { writable.remove() }
    var words = ["level=\(level.rawValue)", "file=\(writable.path)"]
    if let size { words.append("size=\(size)") }
    if stream { words.append("mode=stream") }
    words.append("crashes=on")
    setenv("RXTRACE", words.joined(separator: ","), 1)
    // Keys that send signals, such as Ctrl-C, are meant for the program: rxtop ends when the
    // program does.
    signal(SIGINT, SIG_IGN)
    signal(SIGQUIT, SIG_IGN)
    // If SIGCHLD were ignored, the exit status of the child would be lost.
    signal(SIGCHLD, SIG_DFL)
    let outcome = try ChildProcess.run(command)
    let (status, ending) = (outcome.status, TraceEnding(outcome.cause))
    try writable.rename()
    guard access(path, F_OK) == 0 else {
      throw Failure(
        .unreadable,
        "'\(command[0])' ended with status \(status) and made no trace: it does not use Reactive, "
          + "made no signal, or could not write '\(path)'"
      )
    }
    note(outcome, in: path)
    if !noPack { pack(path) }
    Output.toStandardError("rxtop: the trace is in '\(displayName(path))'\n")
    if ending.isCrash {
      Output.toStandardError(
        "rxtop: the program crashed (\(ending.signalName ?? "?")); "
          + "rxtop explain '\(displayName(path))' crash shows what was under way\n"
      )
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// The path of the new trace, at which no file exists.
  ///
  /// The path is absolute, because the program may change its working directory.
  private func free() throws -> String {
    func absolute(_ path: String) -> String {
      guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
      defer { Glibc.free(directory) }
      return String(cString: directory) + "/" + path
    }
    if let output {
      try Files.requireNew(output)
      return absolute(output)
    }
    let program = command[0].split(separator: "/").last.map(String.init) ?? "program"
    let name = String(program.map { $0 == "," ? "_" : $0 })
    for number in 0...999 {
      let path = number == 0 ? "\(name).rxtrace" : "\(name)-\(number).rxtrace"
      if access(path, F_OK) != 0 { return absolute(path) }
    }
    throw Failure(
      .unreadable,
      "there are 1000 traces of '\(name)' here already; name a file with -o"
    )
  }

  private func note(_ outcome: ChildProcess.Outcome, in path: String) {
    do {
      try TraceEnding.store(outcome.cause, of: outcome.process, in: path)
    } catch {
      Output.toStandardError(
        "rxtop: how the program ended is not noted in the trace: "
          + "\(displayName("\(error)", columns: 400))\n"
      )
    }
  }

  private func pack(_ path: String) {
    do {
      let reader = try TraceReader(path: path)
      let snapshot = try reader.snapshot()
      guard !snapshot.isProcessAlive else { return }
      try SymbolEmbedding.write(SymbolPacking(snapshot).symbols, of: reader, to: path)
    } catch {
      Output.toStandardError(
        "rxtop: the trace was not packed, so its backtraces stay addresses: "
          + "\(displayName("\(error)", columns: 400))\n"
      )
    }
  }
}

/// A path for `RXTRACE` that stands in for a path that `RXTRACE` cannot contain, for example
/// because of a comma or a trailing blank.
///
/// The path leads to the same folder through a symbolic link, which exists only while the program
/// runs. If even the name of the file cannot be used, the file has a temporary name meanwhile.
private struct WritablePath {
  /// The path that `RXTRACE` contains.
  let path: String
  /// The final path of the trace (`wanted`), and its path while the program runs (`real`).
  private let (wanted, real): (String, String)
  /// The folder of the link.
  private let folder: String?

  init(_ wanted: String) throws {
    self.wanted = wanted
    guard !Self.fits(wanted) else {
      (path, real, folder) = (wanted, wanted, nil)
      return
    }
    let end = wanted.lastIndex(of: "/") ?? wanted.startIndex
    var name = String(wanted[end...].dropFirst())
    if !Self.fits("/" + name) { name = ".rxtop-\(getpid()).rxtrace" }
    real = wanted[..<end] + "/" + name
    let places = [Output.variable("TMPDIR"), "/tmp", "/dev/shm"].compactMap { $0 }
    for place in places where Self.fits(place + "/") {
      var template = Array("\(place)/rxtop-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { continue }
      let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard symlink(end == wanted.startIndex ? "/" : String(wanted[..<end]), made + "/to") == 0
      else {
        rmdir(made)
        continue
      }
      (path, folder) = ("\(made)/to/\(name)", made)
      return
    }
    throw Failure(
      .unreadable,
      "RXTRACE cannot hold the path '\(displayName(wanted))', and no link to it can be made in /tmp; name a file elsewhere with -o"
    )
  }

  private static func fits(_ path: String) -> Bool {
    (try? TraceOptions.parse("file=\(path)"))?.path == path
  }

  /// Gives the file its final name after the program has ended.
  ///
  /// An existing file with that name is not replaced.
  func rename() throws {
    guard real != wanted, access(real, F_OK) == 0 else { return }
    guard link(real, wanted) == 0 else {
      throw Failure(
        .unreadable,
        "the trace cannot be named '\(displayName(wanted))' (\(String(cString: strerror(errno)))); it is in '\(displayName(real))'"
      )
    }
    unlink(real)
  }

  /// Removes the link.
  func remove() {
    guard let folder else { return }
    unlink(folder + "/to")
    rmdir(folder)
  }
}

/// Runs a program on the terminal of rxtop.
enum ChildProcess {
  /// How the program ended.
  struct Outcome {
    let process: Int32
    let cause: TraceEnding.Cause

    /// The exit status as a shell reports it: 128 plus the signal if a signal ended the program.
    var status: Int32 {
      switch cause {
      case .exited(let status): status
      case .signal(let signal): 128 + signal
      }
    }
  }

  /// Runs a program, and waits for its end.
  static func run(_ arguments: [String]) throws -> Outcome {
    var process: pid_t = 0
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // The program starts with the signal handling that it would have without rxtop.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, signal) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let failure = posix_spawnp(&process, arguments[0], nil, &attributes, pointers, environ)
    guard failure == 0 else {
      throw Failure(
        .unreadable,
        "cannot run '\(arguments[0])': \(String(cString: strerror(failure)))"
      )
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return Outcome(
      process: process,
      cause: signal == 0 ? .exited((status >> 8) & 0xFF) : .signal(signal)
    )
  }
}
