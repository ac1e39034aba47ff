import ArgumentParser
import Glibc

/// Measures what recording adds to the cost of work that tasks, Dispatch and threads run: `--hops`.
///
/// A hop is one such piece of work, scheduled in one place and run in another. The two runs of a
/// pair do the same hops, and one run is recorded.
///
/// In a traced process, the recorder's functions permanently take precedence over those of the
/// system. So the two runs of a pair are separate processes of the program `hops`, which is in the
/// same folder as this one.
struct HopOptions: ParsableArguments {
  @Flag(
    help:
      "Only say what recording costs tasks, dispatch and threads; --filter, --pairs, --quick and --json apply."
  )
  var hops = false

  /// - Returns: Whether the option was given.
  func run(filter: [String], pairs: Int, isQuick: Bool, json: Bool) throws -> Bool {
    guard hops else { return false }
    let program = try HopProgram()
    defer { program.removeTraces() }
    let all = try program.kinds()
    let kinds = all.filter { kind in filter.isEmpty || filter.contains { kind.name.contains($0) } }
    if kinds.isEmpty {
      throw ValidationError(
        "no kind of hop has '\(filter.joined(separator: "', '"))' in its name; there are: "
          + all.map(\.name).joined(separator: ", ")
      )
    }
    if !json { HopCost.printHeading(pairs) }
    for kind in kinds {
      let cost = try program.compare(kind.name, isQuick ? kind.count / 8 : kind.count, pairs: pairs)
      print(json ? cost.json : cost.row)
      fflush(nil)
    }
    return true
  }
}

/// The program whose runs form the pairs.
private struct HopProgram {
  struct Run {
    /// The nanoseconds that one hop took, in wall time and in processor time.
    var wall: Double
    var processor: Double
    var checksum: Int
    var level: Substring
  }

  private let path: String
  private let folder: String

  init() throws {
    guard let own = realpath("/proc/self/exe", nil) else {
      throw HopError("where this program is, is unknown")
    }
    defer { free(own) }
    let names = String(cString: own).split(separator: "/", omittingEmptySubsequences: false)
    path = names.dropLast().joined(separator: "/") + "/hops"
    guard access(path, X_OK) == 0 else {
      throw HopError("\(path) was not built; Scripts/bench hops builds it")
    }
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    guard let template = strdup("\(place)/rxtrace-hops-XXXXXX"), mkdtemp(template) != nil else {
      throw RecordingError(place: place, code: errno)
    }
    defer { free(template) }
    folder = String(cString: template)
  }

  /// Removes the folder of the traces; the program removes the traces themselves.
  func removeTraces() { rmdir(folder) }

  func kinds() throws -> [(name: String, count: Int)] {
    try output(of: "'\(path)' --list").split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (String(words[0]), Int(words[1]) ?? 0)
    }
  }

  func compare(_ kind: String, _ count: Int, pairs: Int) throws -> HopCost {
    var untraced: [Run] = []
    var traced: [Run] = []
    // The order alternates: the kind of run that comes second in one pair comes first in the next.
    // The first pair does not count.
    for pair in 0...pairs {
      let isTracedFirst = pair % 2 == 1
      for isTraced in [isTracedFirst, !isTracedFirst] {
        let run = try run(kind, count, isTraced: isTraced)
        guard pair > 0 else { continue }
        if isTraced { traced.append(run) } else { untraced.append(run) }
      }
    }
    for (ours, other) in zip(traced, untraced) where ours.checksum != other.checksum {
      throw ChecksumMismatch(workload: kind, ours: ours.checksum, other: other.checksum)
    }
    return HopCost(
      kind: kind,
      pairs: pairs,
      wall: .init(traced.map(\.wall), untraced.map(\.wall)),
      processor: .init(traced.map(\.processor), untraced.map(\.processor))
    )
  }

  private func run(_ kind: String, _ count: Int, isTraced: Bool) throws -> Run {
    let environment = isTraced ? "RXTRACE=graph,startup=0 RXTRACE_DIR='\(folder)' " : ""
    let output = try output(of: "\(environment)'\(path)' \(kind) \(count)")
    let words = output.split { $0 == " " || $0 == "\n" }
    guard words.count == 4, let wall = Double(words[0]), let processor = Double(words[1]),
      let checksum = Int(words[2])
    else { throw HopError("'\(path) \(kind) \(count)' printed '\(output)'") }
    guard words[3] == (isTraced ? "graph" : "off") else {
      throw HopError("'\(kind)' was recorded at level \(words[3]), which is not what was asked for")
    }
    return Run(wall: wall, processor: processor, checksum: checksum, level: words[3])
  }

  private func output(of command: String) throws -> String {
    guard let pipe = popen("exec env \(command)", "r") else {
      throw HopError("cannot run '\(command)'")
    }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    guard pclose(pipe) == 0 else { throw HopError("'\(command)' failed") }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The result of the pairs of one kind of hop.
private struct HopCost {
  /// The figures of one of the two clocks.
  struct Figures {
    let traced: Double
    let untraced: Double
    let ratio: Double
    let interval: ClosedRange<Double>

    init(_ traced: [Double], _ untraced: [Double]) {
      let ratios = zip(traced, untraced).map { $0 / $1 }
      self.traced = traced.median()
      self.untraced = untraced.median()
      ratio = ratios.median()
      interval = ratios.medianInterval()
    }

    var row: String {
      let interval = "\(interval.lowerBound.figure) … \(interval.upperBound.figure)"
      return [untraced.text(places: 0), traced.text(places: 0), ratio.figure].map {
        $0.indented(to: 9)
      }.joined()
        + interval.indented(to: 14)
    }

    var json: String {
      #"{"traced":\#(traced.text(places: 1)),"untraced":\#(untraced.text(places: 1)),"ratio":\#(ratio.text(places: 3)),"#
        + #""low":\#(interval.lowerBound.text(places: 3)),"high":\#(interval.upperBound.text(places: 3))}"#
    }
  }

  let kind: String
  let pairs: Int
  let wall: Figures
  let processor: Figures

  static func printHeading(_ pairs: Int) {
    print(
      "\(pairs) pairs of processes each; ns of one, recorded at level graph and not recorded.\n"
    )
    let columns =
      ["without", "with", "ratio"].map { $0.indented(to: 9) }.joined() + "95 %".indented(to: 14)
    print(
      "".padded(to: 14) + "time that passes".indented(to: 41) + "processor time".indented(to: 41)
    )
    print("hop".padded(to: 14) + columns + columns)
  }

  var row: String { kind.padded(to: 14) + wall.row + processor.row }

  var json: String {
    #"{"workload":"hops/\#(kind)","unit":"ns","wall":\#(wall.json),"processor":\#(processor.json),"pairs":\#(pairs)}"#
  }
}

private struct HopError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
