import Foundation
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Runs, for each kind of finding, at least one faulty program and its twin, a healthy program that
/// looks like it; `Scripts/corpus` runs all programs.
@Suite(
  .enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }),
  // These tests are slow. Serialized, they leave threads for other tests.
  .serialized
)
struct CorpusTests {
  /// Each kind of finding, a program that has this fault, and a healthy one that looks like it.
  static let pairs: [(kind: FindingKind, fault: String, twin: String)] = [
    (.growth, "rooms-2", "rooms-4"), (.outlivedOwner, "owners-1", "owners-4"),
    (.droppedDisposable, "handles-1", "handles-4"), (.silentSubject, "quotes-1", "quotes-4"),
    (.innerGrowth, "galleries-1", "galleries-4"), (.backlog, "pairs-1", "pairs-3"),
    (.cache, "stores-1", "stores-3"), (.orphanConnection, "stores-6", "stores-8"),
    (.observerLoop, "watchers-1", "watchers-3"), (.idleTimer, "clocks-1", "clocks-3"),
    (.eventAfterDispose, "workers-2", "workers-4"), (.eventAfterDispose, "workers-2", "feeds-5"),
    (.eventAfterDispose, "workers-2", "feeds-4"), (.eventAfterDispose, "feeds-1", "crowds-1"),
    (.eventAfterDispose, "feeds-2", "crowds-2"), (.eventAfterDispose, "workers-1", "crowds-3"),
    (.crowdedBag, "baskets-1", "baskets-3"),
    (.neverStarted, "plans-2", "plans-4"), (.stall, "belts-2", "belts-6"),
    (.wrongQueue, "counters-1", "counters-3"), (.reentrancy, "loops-1", "loops-4"),
    (.capturedThread, "tills-1", "tills-3"), (.capturedThread, "tills-2", "tills-4"),
    (.unhandledError, "failures-2", "failures-4"), (.crash, "trips-1", "trips-5"),
    (.died, "trips-3", "trips-6"),
    (.nothingPasses, "meetings-1", "meetings-3"), (.nothingPasses, "meetings-2", "meetings-4"),
    (.endedByFailure, "streams-1", "streams-3"), (.endedByFailure, "streams-2", "streams-4"),
    (.retryStorm, "attempts-1", "attempts-3"), (.duplicatedWork, "profiles-1", "profiles-3"),
    (.duplicatedWork, "profiles-2", "profiles-4"),
    (.wrongQueue, "shows-1", "shows-2"),
    (.disposedContainer, "rows-1", "rows-2"),
    (.endedSubject, "inboxes-1", "inboxes-2"),
    (.feedbackLoop, "circles-1", "circles-2"), (.feedbackLoop, "circles-3", "circles-4"),
    (.repeatedWork, "uploads-1", "uploads-2"), (.keptFailure, "keys-1", "keys-2"),
    (.overtakenAnswers, "answers-1", "answers-2"), (.overtakenInputs, "updates-1", "updates-2"),
    (.heldOwner, "rooms-1", "rooms-3"), (.heldOwner, "pages-1", "pages-2"),
    (.endlessExecution, "executions-1", "executions-4"),
    (.endlessExecution, "executions-2", "executions-3"),
    (.endlessExecution, "executions-5", "executions-6"),
    (.refusedExecution, "executions-7", "executions-9"),
    (.refusedExecution, "executions-8", "executions-10"),
    (.outlivedSource, "forms-1", "forms-3"), (.outlivedSource, "forms-2", "forms-4"),
    (.orphanConnection, "pages-3", "pages-4"), (.nothingCombined, "pages-5", "pages-6"),
    (.nothingCombined, "pages-9", "pages-10"), (.lostValues, "pages-11", "pages-12"),
    (.recomputation, "values-1", "values-2"),
    (.cutShort, "meters-1", "meters-2"), (.glitch, "meters-3", "meters-4"),
    (.keptFailure, "desks-1", "desks-2"), (.lostValues, "desks-3", "desks-4"),
    (.waitedInVain, "desks-5", "desks-6"), (.duplicatedWork, "desks-7", "desks-8"),
    (.growth, "desks-9", "desks-10"), (.orphanConnection, "desks-11", "desks-12"),
    (.heldOwner, "desks-13", "desks-14"), (.nothingPasses, "desks-15", "desks-16"),
    (.subscribedPerValue, "stations-1", "stations-2"),
    (.cancelledSiblings, "stations-24", "stations-25"),
    (.crowdRefusal, "doors-1", "doors-2"), (.stuckFlag, "doors-3", "doors-4"),
    (.wrongQueue, "doors-5", "doors-6"), (.disposedContainer, "doors-9", "doors-10"),
    (.waitedInVain, "doors-11", "doors-12"), (.growth, "doors-19", "doors-20"),
    (.glitch, "meters-3", "meters-6"), (.glitch, "meters-9", "meters-10"),
    (.heldMainQueue, "meters-7", "meters-8"), (.heldQueue, "lobbies-5", "lobbies-7"),
    (.waitsForItself, "lobbies-1", "lobbies-3"), (.waitsForItself, "lobbies-2", "lobbies-4"),
    (.lostValues, "announcements-1", "announcements-3"),
    (.lostValues, "announcements-2", "announcements-4"), (.splitQueues, "ways-1", "ways-3"),
    (.lostUpdate, "shelves-1", "shelves-2"), (.lostUpdate, "shelves-3", "shelves-4"),
    (.disposedContainer, "shelves-5", "shelves-6"), (.feedbackLoop, "shelves-7", "shelves-8"),
    (.growth, "visitors-1", "visitors-3"), (.signalGrowth, "visitors-2", "visitors-4"),
  ]

  /// The pairs whose evidence is in records; a crash or another death is recorded in the header.
  static let pairsWithRecords = pairs.filter { $0.kind != .crash && $0.kind != .died }

  @Test func everyKindHasAPair() {
    #expect(Set(Self.pairs.map(\.kind)) == Set(FindingKind.allCases))
  }

  @Test(arguments: pairs)
  func aFaultIsFoundAndNothingElse(kind: FindingKind, fault: String, twin: String) throws {
    let whole = try CorpusProgram.snapshot(of: fault)
    let findings = FindingEngine.findings(in: whole, inspection: Inspection(snapshot: whole))
    #expect(findings.filter { $0.level >= .suspect || $0.kind == kind }.map(\.kind) == [kind])
    for less in Self.less(whole) {
      for finding in FindingEngine.findings(in: less.snapshot, inspection: Inspection()) {
        // If records are missing, a crash is reported without its line.
        let before = findings.first {
          $0.fingerprint == finding.fingerprint || $0.kind == .crash && finding.kind == .crash
        }
        let isSame = before.map { $0.level == finding.level && $0.sentence == finding.sentence }
        let isCapped = before.map { finding.level <= $0.level && finding.cap != nil }
        // If the fault itself cannot be shown, a consequence of it may be reported.
        let isOther = findings.contains {
          $0.explains.contains(finding.site) && $0.level >= finding.level
        }
        #expect(
          isSame == true || isCapped == true || isOther,
          "\(less.what): \(finding.level.label) \(finding.kind.rawValue): \(finding.sentence)"
        )
      }
    }
  }

  @Test(arguments: pairs)
  func aTwinIsNotAccused(kind: FindingKind, fault: String, twin: String) throws {
    let whole = try CorpusProgram.snapshot(of: twin)
    let findings = FindingEngine.findings(in: whole, inspection: Inspection(snapshot: whole))
    let accusing = findings.filter { $0.level >= .suspect || $0.kind == .neverStarted }
    #expect(accusing.isEmpty)
    for less in Self.less(whole) {
      let found = FindingEngine.findings(in: less.snapshot, inspection: Inspection())
      #expect(found.filter { $0.level >= .suspect }.isEmpty, "\(less.what)")
    }
  }

  // MARK: Incomplete traces

  /// The same trace with more and more of its beginning overwritten, and with each quarter of its
  /// records missing in turn.
  private static func less(_ whole: TraceSnapshot) -> [(what: String, snapshot: TraceSnapshot)] {
    let count = whole.records.count
    var all: [(String, TraceSnapshot)] = []
    for part in [10, 25, 50, 75, 90, 100] {
      var less = whole
      less.records.removeFirst(count * part / 100)
      less.header.recycledSegments = 1
      less.header.recycledGeneration = whole.header.generation
      less.firstExactGeneration = nil
      all.append(("without the first \(part) %", less))
    }
    for part in 0..<4 {
      var less = whole
      less.records.removeSubrange((count * part / 4)..<(count * (part + 1) / 4))
      less.missingSegments = 1
      less.firstExactGeneration = nil
      all.append(("without quarter \(part)", less))
    }
    return all
  }
}

/// Runs programs of the corpus.
enum CorpusProgram {
  /// The executable that was built along with the tests.
  static let path: String? = Programs.built("corpus")

  /// The level at which a program is recorded: `values` only if its fault shows in values.
  static func level(of name: String) -> String {
    name.hasPrefix("values") ? "values" : "events"
  }

  /// The snapshot of the complete trace of a program.
  static func snapshot(of name: String) throws -> TraceSnapshot {
    let scratch = try Scratch()
    let file = scratch.path("\(name).rxtrace")
    let outcome = try Programs.run(
      try #require(path),
      [name],
      environment: ["RXTRACE": "\(level(of: name)),size=4M,crashes=on,file=\(file)"]
    )
    #expect(outcome.status == 0 || name.hasPrefix("trips"), "\(outcome.errors)")
    return try TraceReader(path: file).snapshot()
  }
}
