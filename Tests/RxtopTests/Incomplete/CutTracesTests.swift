import Foundation
import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// A file that ends too early, such as a copy on a full disk, is reported as incomplete, whichever
/// table is missing.
@Suite(.enabled("rxtop was not built beside the tests", { Programs.rxtop != nil }))
struct CutTracesTests {
  @Test(arguments: ["watchtower", "watchtower-leak", "failure"])
  func aTraceCutAnywhereIsReportedAsIncomplete(name: String) throws {
    let path = ExportTests.sample(name)
    let whole = try TraceReader(path: path).snapshot()
    #expect(whole.firstLoss == nil && whole.problems.isEmpty)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let scratch = try Scratch()
    var cuts = 0
    for (kind, region) in whole.header.regions where region.used > 1 && kind != .tail {
      // The file is cut in the middle of this region.
      let end = Int(region.offset(ofRow: Int(region.used) / 2))
      guard end < bytes.count else { continue }
      cuts += 1
      let file = scratch.path("\(kind).rxtrace")
      try bytes.prefix(end).write(to: URL(filePath: file))
      let less = try TraceReader(path: file).snapshot()
      #expect(less.firstLoss.map { less.problems.contains($0) } ?? false, "\(kind)")

      let outcome = try Programs.rxtop("check", file)
      #expect(outcome.status == 4 || outcome.status == 1, "\(kind): \(outcome.status)")
      #expect(outcome.output.contains("LOST: the file ends too early"), "\(kind)")
      let once = try Programs.rxtop("--once", file)
      #expect(once.output.contains("LOST: the file ends too early"), "\(kind)")
      #expect(!once.output.contains("No problems found"), "\(kind)")
      #expect(!once.output.contains("No operator has been used"), "\(kind)")
      #expect(!once.output.contains("what is beyond the end is missing"), "\(kind)")
      let diff = try Programs.rxtop("diff", file, path)
      #expect(!diff.output.contains("runs of different programs"), "\(kind)")
      #expect(!diff.output.contains("Nothing got worse."), "\(kind)")
      var source = try TraceSource(path: file)
      var model = Model(size: Size(columns: 120, rows: 24))
      _ = model.update(.inspection(try source.inspection(at: .end), at: .end))
      let frame = model.frame().text
      #expect(frame.contains("LOST DATA") && frame.contains("lost: "), "\(kind)")
    }
    #expect(cuts >= 6)
  }

  @Test func aWholeTraceIsNotCalledCut() throws {
    let path = ExportTests.sample("watchtower")
    #expect(try TraceReader(path: path).snapshot().header.cut == nil)
    #expect(try !Programs.rxtop("--once", path).output.contains("LOST"))
  }

  @Test func anUnknownModeIsAProblemButNotALoss() throws {
    let text = "header generation=1 mode=77\nsegment epoch=1 generation=1 baseTicks=10 thread=1\n"
    let scratch = try Scratch()
    let file = scratch.path("odd.rxtrace")
    try Data(try TraceText.assemble(text)).write(to: URL(filePath: file))
    let snapshot = try TraceReader(path: file).snapshot()
    #expect(snapshot.problems.count == 1 && snapshot.firstLoss == nil, "\(snapshot.problems)")
  }
}
