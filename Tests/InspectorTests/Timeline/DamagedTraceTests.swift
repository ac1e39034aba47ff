import Foundation
import InspectorUI
import ReactiveTrace
import Testing
import TraceExports
import TraceFindings
import TraceModel

/// However damaged a trace is, rxtop shows what it can, and never crashes.
///
/// The traces are the fixtures of the reader, among them every input that made the reader fail
/// under the fuzzer.
@Suite struct DamagedTraceTests {
  static let fixtures: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../ReactiveTraceTests/Fixtures").standardizedFileURL
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted().map { folder.appending(path: $0).path }
  }()

  @Test func thereAreFixtures() { #expect(Self.fixtures.count >= 40) }

  @Test(arguments: fixtures)
  func damagedTracesAreShownFromBeginningToEnd(path: String) throws {
    let trace = try WrittenTrace(String(contentsOfFile: path, encoding: .utf8))
    guard var source = try? TraceSource(path: trace.path) else { return }
    try show(source.inspection(at: .end))
    for step in Step.allCases {
      var position = Position.end
      while let before = try source.step(step, forward: false, from: position) {
        try show(before.inspection)
        position = before.position
      }
    }
  }

  private func show(_ inspection: Inspection) throws {
    for screen in Screen.allCases {
      let text = BatchText(screen: screen, filter: "", columns: 80, glyphs: .utf8, palette: nil)
      #expect(!text.render(inspection).isEmpty)
    }
    let json = InspectionJSON.text(inspection)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
  }
}
