internal import ArgumentParser
internal import Glibc
internal import InspectorUI
internal import TraceModel
internal import TraceReading

/// The subcommand `prune`.
struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove traces of past runs.",
    discussion: """
      Looks where rxtop ls looks, or in the directories named. Without --keep and --older-than, \
      all traces of past runs there are removed; try --dry-run first. Traces of running programs \
      are never removed; those of other containers or machines, whose state cannot be known, only \
      with --elsewhere.
      """
  )

  @Argument(help: ArgumentHelp("Look in these directories only.", valueName: "directory"))
  var directories: [String] = []

  @Option(help: ArgumentHelp("Keep this many traces of each program.", valueName: "count"))
  var keep = 0

  @Option(
    help: ArgumentHelp(
      "Remove only traces that began longer ago than this, as 7d or 12h.",
      valueName: "duration"
    )
  )
  var olderThan: String?

  @Flag(help: "Also remove traces made on another machine, before a restart, or in a container.")
  var elsewhere = false

  @Flag(name: [.customShort("n"), .long], help: "Say what would be removed, and remove nothing.")
  var dryRun = false

  func validate() throws {
    if keep < 0 { throw ValidationError("'--keep \(keep)' is not a count; use 0 or more") }
    if let olderThan, MarbleText.length(olderThan) == nil {
      throw ValidationError("'\(olderThan)' is not a duration; use 12h, 7d or the like")
    }
  }

  func run() throws {
    let age = olderThan.flatMap(MarbleText.length)
    var kept: [String: Int] = [:]
    var count = 0
    var bytes = 0
    for directory in directories { try check(directory) }
    let places = directories.isEmpty ? TraceDirectory.candidates() : directories
    // The latest recordings come first, so the latest of each program are kept.
    for entry in TraceDirectory.list(in: places) where entry.status != .running {
      if entry.status == .elsewhere, !elsewhere { continue }
      let program = entry.header.programName
      if kept[program, default: 0] < keep {
        kept[program, default: 0] += 1
        continue
      }
      let began = entry.header.start.realtime
      let old = Output.now > began ? Output.now - began : 0
      if let age, Duration.nanoseconds(Int64(clamping: old)) < age { continue }
      if !dryRun, unlink(entry.path) != 0 {
        let reason = String(cString: strerror(errno))
        Output.toStandardError(CommandError.line("cannot remove '\(entry.path)': \(reason)"))
        continue
      }
      count += 1
      bytes += entry.byteCount
      Output.write(
        "\(dryRun ? "would remove" : "removed") '\(displayName(entry.path, columns: 1000))'\n"
      )
    }
    let what = "\(count) trace\(count == 1 ? "" : "s"), \(TraceList.bytes(bytes))"
    Output.write(dryRun ? "would remove \(what)\n" : "removed \(what)\n")
  }

  /// Throws an error if a directory that was named on the command line cannot be searched.
  ///
  /// Default directories that cannot be searched are skipped.
  private func check(_ path: String) throws {
    var status = stat()
    let reason: String
    if stat(path, &status) != 0 {
      reason = String(cString: strerror(errno))
    } else if status.st_mode & S_IFMT != S_IFDIR {
      reason = "it is a file"
    } else if status.st_uid != geteuid(), geteuid() != 0 {
      reason = "it belongs to another user"
    } else {
      return
    }
    throw Failure(
      .unreadable,
      "'\(displayName(path))' is not a directory that can be searched (\(reason)); name one of yours, or none to look where rxtop ls does"
    )
  }
}
