import Foundation
import Testing
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// The output of rxtop does not depend on the names of operators.
///
/// It is the same, except for these names, for a trace in which each operator has a random name.
@Suite(.enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }))
struct RenamedOperatorsTests {
  @Test func sampleTracesWithRenamedOperatorsGiveTheSameOutput() throws {
    let folder = ExportTests.root.appending(path: "traces")
    let samples = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".rxtrace") }
    #expect(samples.count >= 4)
    for sample in samples { try Self.compare(folder.appending(path: sample).path) }
  }

  /// One program for each kind of finding, or with `REACTIVE_RENAMED=all`, which `Scripts/soak
  /// names` sets, the whole corpus.
  @Test func programsOfTheCorpusWithRenamedOperatorsGiveTheSameOutput() async throws {
    var programs = Dictionary(grouping: CorpusTests.pairs, by: \.kind).values.map { $0[0].fault }
    if ProcessInfo.processInfo.environment["REACTIVE_RENAMED"] == "all" {
      let list = try Programs.run(try #require(CorpusProgram.path), ["list"])
      programs = list.output.split(separator: "\n").compactMap { line in
        line.split(separator: " ").first.map(String.init)
      }
      #expect(programs.count > 90)
    }
    programs = Set(programs).sorted()
    // The programs mostly wait, so they run at the same time.
    let runs = try CorpusRuns(programs)
    var findings = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
      for program in programs {
        group.addTask { try Self.compare(runs.path(program)) }
      }
      for try await count in group { findings += count }
    }
    #expect(findings > 20)
  }

  /// Compares the output for a trace with that for the renamed trace, and returns the number of
  /// findings.
  @discardableResult
  private static func compare(_ path: String) throws -> Int {
    let snapshot = try TraceReader(path: path).snapshot()
    let names = RandomNames(snapshot)
    #expect(!names.originals.isEmpty, "\(path)")
    var renamed = snapshot
    for index in renamed.sites.indices {
      renamed.sites[index].name = names.words[snapshot.sites[index].name] ?? ""
    }
    let (before, after) = (Answers(of: snapshot), Answers(of: renamed))
    #expect(before.texts.count == after.texts.count)
    for (old, new) in zip(before.texts, after.texts) {
      let (old, new) = (Array(old.utf8), names.original(new))
      guard old != new else { continue }
      let place = zip(old, new).prefix { $0 == $1 }.count
      let start = max(0, place - 200)
      Issue.record(
        """
        \(path): \(String(decoding: old[start...].prefix(400), as: UTF8.self))
        is now \(String(decoding: new[start...].prefix(400), as: UTF8.self))
        """
      )
      break
    }
    return before.findings
  }
}

/// A random word for each name of an operator, of the same length and in the same alphabetical
/// order.
private struct RandomNames {
  private(set) var words: [String: String] = [:]
  private(set) var originals: [[UInt8]: [UInt8]] = [:]

  init(_ snapshot: TraceSnapshot) {
    let names = Set(snapshot.sites.map(\.name)).filter { $0.utf8.count > 1 }.sorted()
    for (rank, name) in names.enumerated() {
      // A capital letter and a digit keep the order, and occur nowhere else in the output.
      var word = String(UnicodeScalar(UInt8(65 + rank / 10))) + "\(rank % 10)"
      while word.utf8.count < name.utf8.count {
        word.append("abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a")
      }
      words[name] = word
      originals[Array(word.utf8)] = Array(name.utf8)
    }
  }

  /// The text with the original names of the operators.
  func original(_ text: String) -> [UInt8] {
    var original: [UInt8] = []
    var word: [UInt8] = []
    for byte in Array(text.utf8) + [0] {
      switch byte {
      case 48...57, 65...90, 97...122: word.append(byte)
      default:
        original += originals[word] ?? word
        original.append(byte)
        word = []
      }
    }
    original.removeLast()
    return original
  }
}

/// The output of rxtop for a trace: rows, findings, and explanations of some of its entities.
private struct Answers {
  private(set) var texts: [String] = []
  let findings: Int

  init(of snapshot: TraceSnapshot) {
    var inspection = Inspection(snapshot: snapshot)
    // Fingerprints are computed from names, so they differ.
    for index in inspection.findings.indices {
      inspection.findings[index].fingerprint = ""
      inspection.findings[index].looseFingerprint = ""
      inspection.findings[index].sentence = Self.withoutName(inspection.findings[index].sentence)
    }
    for index in inspection.signals.indices { inspection.signals[index].composedName = nil }
    for index in inspection.subscriptions.indices {
      inspection.subscriptions[index].composedName = nil
    }
    findings = inspection.findings.count
    texts.append(InspectionJSON.text(inspection))
    for row in Self.spread(Array(inspection.subscriptions), 6) {
      explain { try SilenceExplanation.of(row.key.serial, in: snapshot) }
    }
    for number in Self.spread(snapshot.records.filter { $0.kind == .next }.map(\.number), 2) {
      explain { try ValueExplanation.of(number, in: snapshot) }
    }
    explain { try FailureExplanation.of(nil, in: snapshot) }
    explain { try CrashExplanation.of(snapshot) }
  }

  /// Removes sentences that spell out a signal, such as `zip(a, b)`, by its operators' names.
  private static func withoutName(_ text: String) -> String {
    text.replacing(/(T|t)he signal is [^\n]*/, with: "")
  }

  private mutating func explain(_ make: () throws -> Explanation) {
    do {
      texts.append(Self.withoutName(try make().text()))
    } catch {
      texts.append("\(error)")
    }
  }

  private static func spread<Element>(_ list: [Element], _ count: Int) -> [Element] {
    stride(from: 0, to: list.count, by: (list.count + count - 1) / count + 1).map { list[$0] }
  }
}
