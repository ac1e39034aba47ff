import Foundation
import Glibc
import Testing

/// Executables with damaged debug information: line numbers are lost, but the command does not
/// fail.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct DamagedSymbolsTests {
  /// A program and the trace of one of its runs.
  private struct Traced {
    let program: String
    let trace: String

    init(in scratch: Scratch) throws {
      (program, trace) = (scratch.path("app"), scratch.path("app.rxtrace"))
      try Programs.copy(try #require(CorpusProgram.path), to: program)
      let outcome = try Programs.run(
        program,
        ["crowd", "2"],
        environment: ["RXTRACE": "events,size=4M,file=\(trace)"]
      )
      try #require(FileManager.default.fileExists(atPath: trace), "\(outcome.errors)")
    }

    /// Overwrites a whole section of the program's file.
    func fill(_ section: String, with byte: UInt8) throws {
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: program)))
      func integer(_ place: Int, _ width: Int) -> Int {
        (0..<width).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
      }
      let (sections, size, count) = (integer(40, 8), integer(58, 2), integer(60, 2))
      let names = integer(sections + integer(62, 2) * size + 24, 8)
      let row = (0..<count).map { sections + $0 * size }.first { row in
        let name = bytes[(names + integer(row, 4))...].prefix { $0 != 0 }
        return name.elementsEqual(section.utf8)
      }
      let place = try #require(row, "no \(section)")
      let start = integer(place + 24, 8)
      let length = integer(place + 32, 8)
      bytes.replaceSubrange(start..<(start + length), with: repeatElement(byte, count: length))
      // A new file replaces the old one, which may be mapped into memory and must not change.
      try Data(bytes).write(to: URL(filePath: program + ".new"))
      try #require(rename(program + ".new", program) == 0)
    }
  }

  @Test(arguments: [
    (".debug_str_offsets", 0xFF as UInt8), (".debug_info", 0xFF), (".debug_line", 0xFF),
  ])
  func namesAreShownWithoutLines(section: String, byte: UInt8) throws {
    let scratch = try Scratch()
    let traced = try Traced(in: scratch)
    try traced.fill(section, with: byte)
    for command in [["dump", "--backtraces"], ["export", "speedscope"]] {
      let outcome = try Programs.run(
        try #require(Programs.rxtop),
        command + [traced.trace],
        environment: ["SWIFT_BACKTRACE": "enable=no"]
      )
      #expect(outcome.status == 0, "\(command) \(outcome.errors)")
      guard command[0] == "dump" else { continue }
      #expect(outcome.output.contains("RandomCrowd."))
    }
    let packed = try Programs.rxtop("pack", traced.trace)
    #expect(packed.status == 0, "\(packed.errors)")
  }
}
