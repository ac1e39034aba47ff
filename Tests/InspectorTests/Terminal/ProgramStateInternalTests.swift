import Glibc
@testable import InspectorUI
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The state of a program is called by the same word on all screens and in lists.
@Suite struct ProgramStateInternalTests {
  @Test(
    arguments: [
      (.stopped, nil, "ended"),
      (.stopped, .signal(SIGSEGV), "crashed"),
      (.died, nil, "died"),
      (.died, .exited(3), "died"),
      (.died, .signal(SIGTERM), "died"),
      (.died, .signal(SIGSEGV), "crashed"),
      (.elsewhere, nil, "elsewhere"),
    ] as [(ProcessStatus, TraceEnding.Cause?, String)]
  )
  func titleReportListAndStartScreenUseTheSameWordForAState(
    process: ProcessStatus,
    cause: TraceEnding.Cause?,
    word: String
  ) {
    let ending = cause.map { TraceEnding($0) }
    var recording = Scene.crashed(by: ending)
    recording.edit { $0.processStatus = process }
    let inspection = Inspection(snapshot: recording.snapshot)
    var model = Model(size: .standard)
    _ = model.update(.inspection(inspection, at: .end))
    #expect(model.frame().line(0).contains(" \(word) "))
    let once = BatchText(screen: .sites, filter: "", columns: 100, glyphs: .utf8, palette: nil)
    #expect(once.render(inspection).contains("  \(word)  after "))
    let header = recording.snapshot.header
    #expect(PickerRow.State(header, process).rawValue == word)
    #expect(TraceList.state(header, process) == word)
  }
}
