import Foundation
import Glibc
import Testing

/// `rxtop record` with paths that `RXTRACE` cannot contain.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct RecordPathTests {
  /// Runs `rxtop record` in a folder, which is also where it makes its temporary links.
  private static func record(in folder: String, _ options: [String]) throws -> Programs.Outcome {
    try Programs.run(
      "/bin/sh",
      [
        "-c", "cd \"$1\"; shift; exec \"$@\"", "sh", folder, try #require(Programs.rxtop), "record",
      ] + options + ["--", try #require(CorpusProgram.path), "plans-4"],
      environment: ["TMPDIR": folder]
    )
  }

  @Test(arguments: ["a,b", "blank ", " a, b ", "level=off,", "c,/d "])
  func theFolderMayHaveAnyName(name: String) throws {
    let scratch = try Scratch()
    let folder = scratch.path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let outcome = try Self.record(in: folder, [])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["corpus.rxtrace"])
    #expect(try Programs.rxtop("check", "--quiet", folder + "/corpus.rxtrace").status == 0)
  }

  @Test(arguments: ["a,b.rxtrace", "blank.rxtrace ", " ", "file=x,level=off"])
  func theFileMayHaveAnyName(name: String) throws {
    let scratch = try Scratch()
    let outcome = try Self.record(in: scratch.folder.path, ["-o", name])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [name])
    #expect(try Programs.rxtop("check", "--quiet", scratch.path(name)).status == 0)
    // An existing file with such a name is not overwritten, either.
    #expect(try Self.record(in: scratch.folder.path, ["-o", name]).status == 3)
  }

  /// A parent process may ignore SIGCHLD, and children inherit that.
  @Test func theStatusIsThatOfTheProgramEvenIfSIGCHLDWasIgnored() throws {
    let scratch = try Scratch()
    let outcome = try Programs.run(
      "/bin/sh",
      [
        "-c", "trap '' CHLD; exec \"$@\"", "sh", try #require(Programs.rxtop), "record", "-o",
        scratch.path("app.rxtrace"), "--", try #require(CorpusProgram.path), "trips-1",
      ]
    )
    #expect(outcome.status > 128, "\(outcome.errors)")
  }
}
