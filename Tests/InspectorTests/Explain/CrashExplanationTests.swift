import Glibc
import Testing
import TraceExports
import TraceFindings
import TraceReading

@Suite struct CrashExplanationTests {
  @Test func theCrashedThreadComesFirstWithHopTurnEventAndStage() throws {
    let explanation = try CrashExplanation.of(Scene.crashed().snapshot)
    let steps = explanation.steps.map { "\($0.name) \($0.location)" }
    #expect(
      steps == [
        "hop on road", "deliver(on:) Trip.swift:5", "deliver(on:) Trip.swift:5", "map Trip.swift:6",
      ]
    )
    #expect(explanation.steps.map(\.isCulprit) == [false, false, false, true])
    #expect(explanation.chain == 1)
    #expect(
      explanation.answer.hasPrefix(
        "SIGILL in thread road (4712): the last event there was value 1 of deliver(on:) at Trip.swift:5, which had gone "
          + "to map at Trip.swift:6."
      )
    )
    // The main thread was in the middle of work, too, which is no evidence of a fault.
    #expect(explanation.parts.map(\.title) == ["the main thread"])
    #expect(explanation.answer.hasSuffix("in 1 other thread, which need not be the cause."))
    #expect(explanation.parts.allSatisfy { $0.steps.allSatisfy { !$0.isCulprit } })
  }

  @Test func withoutTheCrashedThreadAllActivityIsListedAndNothingBlamed() throws {
    for ending in [nil, TraceEnding(.signal(SIGTERM))] {
      let explanation = try CrashExplanation.of(Scene.crashed(by: ending).snapshot)
      #expect(explanation.steps.isEmpty)
      #expect(explanation.parts.map(\.title) == ["the main thread", "thread road (4712)"])
      #expect(explanation.parts[1].chain == 1)
      #expect(explanation.parts.allSatisfy { $0.steps.allSatisfy { !$0.isCulprit } })
      #expect(explanation.answer.contains("Something was under way in 2 threads"))
    }
  }

  @Test func workThatHadEndedIsNotListed() throws {
    let explanation = try CrashExplanation.of(Scene.crashed(by: nil, isEnded: true).snapshot)
    #expect(explanation.parts.isEmpty)
    #expect(explanation.answer.hasSuffix("By the records, nothing was under way in any thread."))
  }

  @Test func factsThatAreUnknownAreListed() throws {
    var recording = Scene.crashed()
    recording.edit { snapshot in
      snapshot.header.level = .graph
      snapshot.header.startLevel = .graph
      snapshot.firstExactGeneration = nil
      snapshot.missingSegments = 1
    }
    let unknown = try CrashExplanation.of(recording.snapshot).unknown.joined(separator: "\n")
    #expect(unknown.contains("level was graph"))
    #expect(unknown.contains("before the records that are left"))
    #expect(unknown.contains("it lost 1 segment of records"))
  }

  @Test(arguments: [ProcessStatus.running, .stopped])
  func aProgramThatEndedNormallyHasNoCrashToExplain(status: ProcessStatus) {
    var recording = Scene.crashed(by: nil)
    recording.edit { $0.processStatus = status }
    #expect(throws: ExplainError.self) { try CrashExplanation.of(recording.snapshot) }
  }

  @Test func jsonHasTheOtherThreadsAsParts() throws {
    let json = try CrashExplanation.of(Scene.crashed().snapshot).json()
    #expect(json.contains("\"subject\": \"crash\"") || json.contains("\"subject\":\"crash\""))
    #expect(json.contains("\"parts\""))
    #expect(json.contains("the main thread"))
  }
}
