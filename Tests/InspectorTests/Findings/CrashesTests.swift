import Glibc
import InspectorUI
import Testing
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// The findings about programs that did not end normally.
@Suite struct CrashesTests {
  private func only(_ recording: Recording) throws -> Finding {
    let findings = recording.findings
    try #require(findings.count == 1, "\(findings.map(\.sentence))")
    return findings[0]
  }

  @Test func aKnownCrashNamesSignalThreadAndTheStageThatHadTheLastEvent() throws {
    let finding = try only(Scene.crashed())
    #expect(finding.kind == .crash)
    #expect(finding.level == .violation)
    #expect(
      finding.sentence
        == "The program crashed: SIGILL ended it, in thread road (4712). The last event there was value 1 of "
        + "deliver(on:) at Trip.swift:5, which had gone to map at Trip.swift:6."
    )
    #expect(finding.location == "Trip.swift:6")
    #expect(finding.evidence.events.count == 3)
    #expect(finding.cap == nil)
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGQUIT, SIGPIPE])
  func aProgramEndedFromOutsideHasNotCrashed(signal: Int32) throws {
    let finding = try only(Scene.crashed(by: TraceEnding(.signal(signal), thread: 2)))
    #expect(finding.kind == .died)
    #expect(finding.level == .info)
    #expect(finding.sentence.hasPrefix("The program was ended by SIG"))
  }

  @Test(arguments: [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS])
  func faultsOfTheProgramAreCrashes(signal: Int32) throws {
    let finding = try only(Scene.crashed(by: TraceEnding(.signal(signal))))
    #expect(finding.kind == .crash)
    #expect(finding.site == 0)
    #expect(finding.sentence.hasSuffix("ended it; which thread caused it is not known."))
  }

  @Test func withoutASignalTheEndIsReportedAsInfo() throws {
    let finding = try only(Scene.crashed(by: nil))
    #expect(finding.kind == .died)
    #expect(finding.level == .info)
    #expect(
      finding.sentence
        == "The program crashed or was killed."
    )
    let status = try only(Scene.crashed(by: TraceEnding(.exited(3))))
    #expect(status.summary == "exited with status 3 without stopping the recording")
  }

  @Test func aProgramThatRunsOrEndedNormallyHasNoFinding() {
    var recording = Scene.crashed(by: nil)
    for status in [ProcessStatus.running, .stopped, .elsewhere] {
      recording.edit { $0.processStatus = status }
      #expect(recording.findings.isEmpty)
    }
  }

  @Test func aThreadThatRecordsAfterTheSignalHasSurvivedIt() throws {
    var recording = Scene.crashed()
    recording.edit { snapshot in
      snapshot.header.ending?.ticks = snapshot.records.last.map { $0.ticks - 1 }
    }
    #expect(try only(recording).kind == .died)
  }

  @Test func aSignalAfterTheEndOfTheRecordingIsACrash() throws {
    for (signal, kind) in [(SIGSEGV, FindingKind.crash), (SIGKILL, .died)] {
      var recording = Scene.crashed(by: TraceEnding(.signal(signal)))
      recording.edit { $0.processStatus = .stopped }
      #expect(try only(recording).kind == kind)
    }
  }

  /// After a crash, work waits for several seconds while the runtime writes its report.
  @Test func pendingWorkAfterACrashIsNotAStall() throws {
    for (ticks, kinds) in [
      (1_300_000_000, [FindingKind.crash]), (4_900_000_000, [.crash, .stall]),
    ]
      as [(UInt64, [FindingKind])]
    {
      var recording = Scene.crashed(
        by: TraceEnding(.signal(SIGILL), ticks: Recording.start + ticks, thread: 2)
      )
      let deliver = try #require(recording.snapshot.slots.first { $0.depth == 0 && $0.site == 3 })
      recording.depth(deliver.id, 1, thread: 1, at: 1.25)
      let source = try #require(recording.snapshot.slots.last { $0.kind == .subscription })
      recording.next(source.id, thread: 1, at: 5)
      #expect(recording.findings.map(\.kind) == kinds)
    }
  }

  // MARK: Incomplete traces

  @Test func ifTheLastEventsAreOverwrittenNoLineIsAccused() throws {
    var recording = Scene.crashed()
    recording.edit { snapshot in
      snapshot.records = []
      snapshot.header.recycledSegments = 1
      snapshot.firstExactGeneration = nil
    }
    let finding = try only(recording)
    #expect(finding.kind == .crash && finding.site == 0)
    #expect(finding.sentence == "The program crashed: SIGILL ended it, in thread road (4712).")
    #expect(finding.cap != nil)
    #expect(finding.evidence.events.isEmpty)
  }

  @Test func aRingThatWrappedEarlierDoesNotChangeTheFinding() throws {
    let whole = try only(Scene.crashed())
    var recording = Scene.crashed()
    recording.edit { snapshot in
      snapshot.records.removeAll { $0.ticks < Recording.start + 500_000_000 }
      snapshot.header.recycledSegments = 1
      snapshot.firstExactGeneration = nil
    }
    let finding = try only(recording)
    #expect(finding.sentence == whole.sentence)
    #expect(finding.evidence == whole.evidence)
  }

  @Test func ifASegmentIsMissingNoEventIsCalledTheLast() throws {
    for place in 0..<4 {
      var recording = Scene.crashed()
      recording.edit { snapshot in
        let count = snapshot.records.count
        snapshot.records.removeSubrange((count * place / 4)..<(count * (place + 1) / 4))
        snapshot.missingSegments = 1
        snapshot.firstExactGeneration = nil
      }
      let finding = try only(recording)
      #expect(finding.kind == .crash && finding.site == 0)
      #expect(!finding.sentence.contains("last event"))
      #expect(finding.cap?.contains("it lost 1 segment of records") == true)
    }
  }

  // MARK: Screens

  @Test(arguments: [TraceEnding(.signal(SIGSEGV), thread: 2), nil])
  func aProgramThatCrashedIsNeverReportedAsHealthy(ending: TraceEnding?) {
    var inspection = Inspection(snapshot: Scene.crashed(by: ending).snapshot)
    #expect(inspection.program.statusText.contains("explain FILE crash"))
    // A crash is reported even if no finding is listed.
    inspection.findings = []
    for screen in [Screen.sites, .findings] {
      let text = BatchText(screen: screen, filter: "", columns: 100, glyphs: .utf8, palette: nil)
        .render(inspection)
      #expect(!text.contains("No problems found"))
      #expect(text.contains("explain FILE crash"), "\(text)")
      #expect(text.contains(ending == nil ? "died" : "crashed"))
    }
    let json = InspectionJSON.text(inspection)
    #expect(json.contains("\"ending\""))
  }

  @Test func anUnfinishedTraceFromAnotherMachineIsNotReportedAsHealthy() {
    var recording = Scene.crashed(by: nil)
    recording.edit { $0.processStatus = .elsewhere }
    let text = BatchText(screen: .findings, filter: "", columns: 100, glyphs: .utf8, palette: nil)
      .render(Inspection(snapshot: recording.snapshot))
    #expect(!text.contains("No problems found"))
    #expect(text.contains("the recording was not stopped"))
  }
}
