import Foundation
import Testing

/// Tests of `Scripts/install --remove`, on files that the test creates itself.
@Suite struct InstallTests {
  private static let script = ExportTests.root.appending(path: "Scripts/install").path
  private static let installed = [
    "bin/rxtop", "share/man/man1/rxtop.1", "share/bash-completion/completions/rxtop",
    "share/zsh/site-functions/_rxtop", "share/fish/vendor_completions.d/rxtop.fish",
  ]

  @Test func removeDeletesWhatWasInstalledAndNothingElse() throws {
    let scratch = try Scratch()
    let other = "bin/another"
    for file in Self.installed + [other] {
      let url = scratch.folder.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data().write(to: url)
    }
    let outcome = try Programs.run("/bin/bash", [Self.script, "--remove", scratch.folder.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for file in Self.installed {
      #expect(!FileManager.default.fileExists(atPath: scratch.path(file)), "\(file)")
      #expect(outcome.output.contains("removed \(scratch.path(file))"))
    }
    #expect(FileManager.default.fileExists(atPath: scratch.path(other)))
    let again = try Programs.run("/bin/bash", [Self.script, "--remove", scratch.folder.path])
    #expect(again.status == 0 && again.output.contains("nothing of rxtop is there"))
  }
}
