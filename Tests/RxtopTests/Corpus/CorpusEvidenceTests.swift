import Foundation
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Verifies findings as a sceptical user would.
///
/// The evidence of a finding is in the output of `rxtop dump` and agrees with its sentence. If the
/// evidence is removed from the dump, and `rxtop assemble` makes a trace from the rest, the finding
/// disappears or claims less.
@Suite(
  .enabled("corpus was not built beside the tests", { CorpusProgram.path != nil }),
  // These tests are slow. Running one at a time, they leave threads free for other tests.
  .serialized
)
struct CorpusEvidenceTests {
  /// One run of each program.
  private static let runs = Result { try CorpusRuns(CorpusTests.pairsWithRecords.map(\.fault)) }

  /// For each counter in the evidence, the column that must have the same value in the site's row.
  private static let columns: [String: String] = [
    "subscribed": "subscribed", "disposables dropped": "disposablesReleased",
    "refused": "refused", "timers armed": "timersArmed", "timers ended": "timersEnded",
    "signals made": "signalsCreated", "signals released": "signalsReleased",
  ]

  @Test(arguments: CorpusTests.pairsWithRecords)
  func theEvidenceIsInTheDumpAndAgreesWithTheSentence(
    kind: FindingKind,
    fault: String,
    twin: String
  ) throws {
    let (_, finding, dump) = try Self.recorded(fault, with: kind)
    let (records, rows) = (dump.records, dump.rows)
    #expect(!finding.events.isEmpty, "the evidence of a finding names at least one record")
    #expect(rows["site \(finding.site)"] != nil)
    #expect(finding.rows.contains("site \(finding.site)"))
    let named = try finding.events.map { number in
      dump.lines[try #require(records[number], "there is no record \(number) in the dump")]
    }
    let slots = finding.rows.filter { $0.hasPrefix("slot ") }
    for row in slots { #expect(rows[row] != nil, "\(row)") }
    let allowed = Set(kind.evidence.map { Substring(RecordSpec.of($0).name) })
    #expect(Set(named.map(\.kind)).isSubset(of: allowed))
    // The records are in order and within the recording. If the sentence says how long there was
    // silence, the silence began with the last record of a value or of the start of a turn.
    #expect(finding.events == finding.events.sorted())
    var last = (record: 0.0, end: 0.0)
    for number in finding.events {
      let place = try #require(records[number])
      let times = try #require(dump.times(ofRecordAt: place))
      #expect(times.record <= times.end, "\(dump.lines[place].text)")
      guard ["next", "turn-began"].contains(dump.lines[place].kind) else { continue }
      if times.record > last.record { last = times }
    }
    if kind == .stall || kind == .silentSubject {
      let reported = try #require(Self.milliseconds(finding.sentence))
      let silence = (last.end - last.record) / 1e6
      #expect(abs(silence - reported) <= 20 + reported * 0.06, "\(finding.sentence) \(silence) ms")
    }

    // Each record is about an entity that the finding names, or about an entity linked to that one.
    var about: Set<UInt64> = []
    let sites = Set(finding.rows.filter { $0.hasPrefix("site ") }.map { UInt64($0.dropFirst(5)) })
    for line in dump.lines where line.slots > 0 && sites.contains(line.site) {
      about.insert(line.entity ?? 0)
    }
    let bits = dump.header("slotBits") ?? 0
    for row in slots {
      guard let place = rows[row], let index = UInt64(row.dropFirst(5)) else { continue }
      let line = dump.lines[place]
      about.insert(((line.value("serial") ?? 0) << bits | index) & 0xFFFF_FFFF)
      for link in ["signal", "link", "owner"] { about.insert(line.value(link) ?? 0) }
    }
    let unrelated = named.filter { !about.contains($0.entity ?? 0) }
    switch kind {
    // For these kinds, some records are about other entities: the origin of a failure, an earlier
    // subscriber, the target of a timer, or what was disposed of.
    case .unhandledError, .orphanConnection, .idleTimer, .eventAfterDispose:
      #expect(unrelated.count < named.count)
    default: #expect(unrelated.isEmpty, "\(unrelated.map(\.text))")
    }

    // At least one number in the sentence is the value of a counter, the number of records, or a
    // number that one of these records contains.
    let ended = named.count { $0.kind != named.last?.kind }
    var figures = Set(finding.counters.flatMap(Self.figures) + [finding.eventCount])
    figures.insert(finding.eventCount - ended)
    for line in named { figures.formUnion(Self.figures(String(line.text))) }
    let figuresInSentence = Self.figures(finding.sentence)
    #expect(figuresInSentence.contains { figures.contains($0) }, "\(finding.sentence)")

    // The counters agree with the columns in the row of the site that the finding is about.
    let site = dump.lines[try #require(rows["site \(finding.site)"])]
    let over = (0..<8).reduce(UInt64(0)) { $0 + (site.value("ended.\($1)") ?? 0) }
    for counter in finding.counters {
      let name = String(counter.prefix { !$0.isNumber }).trimmingCharacters(in: .whitespaces)
      guard let value = Self.figures(counter).first else { continue }
      if let column = Self.columns[name] {
        #expect(UInt64(value) == site.value(column) ?? 0, "\(counter): \(site.text)")
      } else if name == "live" {
        #expect(UInt64(value) == (site.value("subscribed") ?? 0) - over, "\(counter): \(site.text)")
      } else if name == "timers live" {
        let live = (site.value("timersArmed") ?? 0) - (site.value("timersEnded") ?? 0)
        #expect(UInt64(value) == live, "\(counter): \(site.text)")
      } else if name == "ended", kind != .innerGrowth {
        #expect(UInt64(value) == over, "\(counter): \(site.text)")
      }
    }
  }

  @Test(arguments: CorpusTests.pairsWithRecords)
  func withoutItsEvidenceAFindingDisappearsOrClaimsLess(
    kind: FindingKind,
    fault: String,
    twin: String
  ) throws {
    let (run, finding, whole) = try Self.recorded(fault, with: kind)
    var dump = whole

    // First, only the records that the finding names are removed. The segments still say how much
    // was written, so the trace shows that something is missing.
    var places = Set(finding.events.compactMap { dump.records[$0] })
    #expect(places.count == finding.events.count)
    var cut = dump
    cut.remove(places)
    let less = try run.checked(cut, saysWhatWasWritten: true)
    #expect(less.isIncomplete)
    if let left = less.findings.first(where: finding.isSame) {
      #expect(left.rank <= finding.rank)
      #expect(
        left.cap != nil || left.rank < finding.rank || left.eventCount < finding.eventCount
          || left.events.isEmpty,
        "\(finding) \(left)"
      )
    }

    // Next, the trace does not show that anything is missing. From the second round on, all records
    // of the same kinds about the same entities are removed as well.
    var left: CorpusFinding? = finding
    for _ in 0..<20 {
      dump.remove(places)
      left = try run.checked(dump, saysWhatWasWritten: false).findings.first(where: finding.isSame)
      guard let left, !left.events.isEmpty else { break }
      let records = dump.records
      let named = Set(left.events.compactMap { records[$0] })
      let alike = Set(named.map { "\(dump.lines[$0].kind) \(dump.lines[$0].entity ?? 0)" })
      places = named.union(
        dump.lines.indices.filter { place in
          let line = dump.lines[place]
          return line.slots > 0 && alike.contains("\(line.kind) \(line.entity ?? 0)")
        }
      )
    }
    guard let rest = left else { return }
    // If the finding remains, it now rests only on counters, and its evidence lists them.
    #expect(rest.events.isEmpty && rest.rank <= finding.rank && rest.rank < .violation)
    #expect(!rest.counters.isEmpty && !rest.rows.isEmpty, "\(rest.sentence)")
    for _ in 0..<20 {
      guard let named = left?.rows, !named.isEmpty else { break }
      let rows = dump.rows
      dump.remove(Set(named.compactMap { rows[$0] }))
      left = try run.checked(dump, saysWhatWasWritten: false).findings.first(where: finding.isSame)
    }
    #expect(left == nil, "\(left?.sentence ?? "")")
  }

  /// All runs, and one program's finding of the given kind with the dump of its recording.
  private static func recorded(
    _ program: String,
    with kind: FindingKind
  ) throws -> (run: CorpusRuns, finding: CorpusFinding, dump: DumpText) {
    let run = try runs.get()
    let finding = try #require(
      run.findings(in: run.path(program)).first { $0.kind == kind.rawValue }
    )
    return (run, finding, try run.dump(program))
  }

  /// The first duration in a text.
  private static func milliseconds(_ text: String) -> Double? {
    guard let match = text.firstMatch(of: #/(\d+(?:\.\d+)?) (ms|s)\b/#),
      let number = Double(match.output.1)
    else { return nil }
    return match.output.2 == "s" ? number * 1000 : number
  }

  /// The whole numbers in a text, except for line numbers and durations.
  private static func figures(_ text: String) -> [Int] {
    text.replacing(#/\w+\.swift:\d+/#, with: "").replacing(
      #/\d+(\.\d+)? (ns|µs|ms|s|min|h)\b/#,
      with: ""
    )
    .split { !$0.isNumber }.compactMap { Int($0) }
  }
}

/// A finding in the output of `rxtop check --json`.
struct CorpusFinding {
  let kind: String
  let rank: FindingLevel
  let site: UInt64
  let sentence: String
  let cap: String?
  let events: [UInt64]
  let eventCount: Int
  let counters: [String]
  let rows: [String]

  init?(_ json: [String: Any]) {
    guard let kind = json["kind"] as? String, let site = json["site"] as? UInt64,
      let label = json["level"] as? String, let sentence = json["sentence"] as? String,
      let level = FindingLevel.allCases.first(where: { $0.label == label }),
      let evidence = json["evidence"] as? [String: Any]
    else { return nil }
    (self.kind, self.site, self.sentence, rank) = (kind, site, sentence, level)
    cap = json["cap"] as? String
    events = evidence["events"] as? [UInt64] ?? []
    eventCount = evidence["eventCount"] as? Int ?? 0
    counters = evidence["counters"] as? [String] ?? []
    rows = evidence["rows"] as? [String] ?? []
  }

  /// Whether another finding is of the same kind and about the same line.
  func isSame(_ other: CorpusFinding) -> Bool { other.kind == kind && other.site == site }
}

/// Recordings of programs of the corpus.
final class CorpusRuns: Sendable {
  private static let atOnce = 16
  private let scratch: Scratch

  init(_ programs: [String]) throws {
    scratch = try Scratch()
    let corpus = try #require(CorpusProgram.path)
    // The programs mostly wait; if too many ran at once, they would wait for the processor as well.
    let lines = programs.enumerated().map { number, program in
      let options =
        "\(CorpusProgram.level(of: program)),size=4M,file=\(scratch.path(program))"
      let end = number % Self.atOnce == Self.atOnce - 1 ? "\nwait" : ""
      return "RXTRACE='\(options)' '\(corpus)' \(program) &\(end)"
    }
    let outcome = try Programs.run("/bin/sh", ["-c", lines.joined(separator: "\n") + "\nwait"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  func path(_ program: String) -> String { scratch.path(program) }

  func findings(in path: String) throws -> [CorpusFinding] { try check(path).findings }

  func dump(_ program: String) throws -> DumpText {
    let outcome = try Programs.rxtop("dump", path(program))
    #expect(outcome.status == 0, "\(outcome.errors)")
    return DumpText(outcome.output)
  }

  /// Assembles a trace from a dump; returns its findings and whether records are missing in it.
  func checked(
    _ text: DumpText,
    saysWhatWasWritten: Bool
  ) throws -> (findings: [CorpusFinding], isIncomplete: Bool) {
    let files = try Scratch()
    let (source, trace) = (files.path("text"), files.path("trace"))
    try text.text(saysWhatWasWritten: saysWhatWasWritten)
      .write(toFile: source, atomically: false, encoding: .utf8)
    let outcome = try Programs.rxtop("assemble", source, trace)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try check(trace)
  }

  private func check(_ path: String) throws -> (findings: [CorpusFinding], isIncomplete: Bool) {
    let outcome = try Programs.rxtop("check", "--json", path)
    #expect([0, 1, 4].contains(outcome.status), "\(outcome.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let program = json?["program"] as? [String: Any]
    let findings = json?["findings"] as? [[String: Any]] ?? []
    return (findings.compactMap(CorpusFinding.init), program?["isIncomplete"] as? Bool ?? false)
  }
}
