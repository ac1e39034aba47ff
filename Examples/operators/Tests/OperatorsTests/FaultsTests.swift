import Foundation
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// rxtop explains operators of another package as it explains those of Reactive.
@Suite struct FaultsTests {
  private static let trace = Result { try recorded() }

  /// Runs the program built next to this test bundle, and reads its recording.
  private static func recorded() throws -> TraceSnapshot {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = FileManager.default.temporaryDirectory
      .appending(path: "operators-\(UUID().uuidString).rxtrace").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let program = Process()
    program.executableURL = URL(filePath: bundle).deletingLastPathComponent()
      .appending(path: "operators")
    program.environment = ["RXTRACE": "events,size=16M,file=\(path)"]
    try program.run()
    program.waitUntilExit()
    return try TraceReader(path: path).snapshot()
  }

  @Test(arguments: [
    ("hoard", FindingKind.cache), ("broadcast", .orphanConnection), ("fan", .innerGrowth),
  ])
  func isFound(name: String, kind: FindingKind) throws {
    let inspection = Inspection(snapshot: try Self.trace.get())
    #expect(inspection.findings.filter { $0.name == name }.map(\.kind) == [kind])
    #expect(inspection.findings.filter { $0.kind == kind }.map(\.name) == [name])
  }

  @Test func aValueDroppedByTheSieveIsReportedAsFiltered() throws {
    let snapshot = try Self.trace.get()
    let input = try #require(Self.inputs(of: "sieve", snapshot).first)
    let value = try #require(snapshot.records.last { $0.kind == .next && $0.entity == input.id })
    let answer = try ValueExplanation.of(value.number, in: snapshot).answer
    #expect(answer.hasPrefix("It was filtered by sieve at Faults.swift:"))
  }

  @Test func theInputThatBlendWaitsForIsNamed() throws {
    let snapshot = try Self.trace.get()
    let inputs = Self.inputs(of: "blend", snapshot)
    let silent = try #require(inputs.first { $0.eventCount == 0 })
    #expect(inputs.count == 2)
    let stage = try #require(snapshot.slots.first { $0.id == silent.link })
    let explanation = try SilenceExplanation.of(stage.serial, in: snapshot)
    #expect(explanation.steps.last?.entity?.serial == silent.serial)
    #expect(explanation.answer.contains("is the first that is silent"))
  }

  private static func inputs(of name: String, _ snapshot: TraceSnapshot) -> [TraceSlot] {
    let stages = snapshot.slots.filter { slot in
      slot.kind == .subscription && snapshot.sites[Int(slot.site)].name == name
    }
    return snapshot.slots.filter { slot in
      slot.kind == .subscription && stages.contains { $0.id == slot.link }
    }
  }
}
