import ArgumentParser
import Glibc
import ReactiveTrace

/// Measures the memory that a recording takes: `--memory SIZE`.
///
/// A process records only once, so the measurement takes a separate run.
struct MemoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only say what a recording with a ring of this size takes of memory.",
      valueName: "256K|64M"
    )
  )
  var memory: String?

  func validate() throws {
    if let memory, Self.bytes(memory) == nil {
      throw ValidationError("--memory takes a size as 256K or 64M, found '\(memory)'")
    }
  }

  /// Measures and prints if the option was given, and returns whether it was.
  func run(json: Bool) throws -> Bool {
    guard let memory, let size = Self.bytes(memory) else { return false }
    let recording = Recording(isWarm: false, size: size)
    let before = Resident.now
    var begun = before
    var full = before
    let side = recording.traced(.events) { _ in
      begun = .now
      // Writes once to the whole ring, and once to the whole table of live entities.
      recording.touch()
      full = .now
      return Sample(cost: 0, checksum: 0)
    }
    _ = try side(0)
    let figures = [
      ("fileAtStart", begun.file - before.file), ("privateAtStart", begun.own - before.own),
      ("file", full.file - before.file), ("private", full.own - before.own),
    ]
    if json {
      let members = figures.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
      print(#"{"workload":"memory@\#(memory)","unit":"bytes",\#(members)}"#)
    } else {
      print("Resident memory of a recording with a ring of \(memory), in KiB:")
      for (name, bytes) in figures { print("  \(name.padded(to: 16))\(bytes / 1024)") }
    }
    return true
  }

  private static func bytes(_ text: String) -> Int? {
    guard let number = Int(text.dropLast()), number > 0 else { return nil }
    switch text.last {
    case "K": return number << 10
    case "M": return number << 20
    default: return nil
    }
  }
}

/// The resident bytes of this process: its own, and those of files in `/dev/shm`, where the trace
/// is.
private struct Resident {
  var own = 0
  var file = 0

  /// The numbers in `/proc/self/status`.
  static var now: Resident {
    var found = Resident()
    guard let status = fopen("/proc/self/status", "r") else { return found }
    defer { fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, status) != nil {
      let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let words = String(decoding: bytes, as: UTF8.self).split {
        $0 == " " || $0 == "\t" || $0 == "\n"
      }
      guard words.count > 1, let kilobytes = Int(words[1]) else { continue }
      switch words[0] {
      case "RssAnon:": found.own = kilobytes << 10
      case "RssShmem:": found.file = kilobytes << 10
      default: break
      }
    }
    return found
  }
}
