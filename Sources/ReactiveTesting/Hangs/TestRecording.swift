import Glibc
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The recording of this process, as tests attach it.
struct TestRecording {
  private let reader: TraceReader
  /// Findings that were there before, at their level.
  private let before: [String: FindingLevel]

  /// Begins to record the process, unless it is recorded already.
  init() throws(TraceError) {
    if !Tracer.isOn {
      var options = TraceOptions()
      options.size = 4 << 20
      try Trace.start(options)
    }
    reader = try TraceReader(path: Trace.path ?? "")
    before = Dictionary(
      Self.findings(in: try reader.snapshot()).map { ($0.fingerprint, $0.level) },
      uniquingKeysWith: max
    )
  }

  /// Where the recording is, as a line for people.
  var location: String {
    "The recording is \(displayName(Trace.path ?? "?", columns: 1000)): open it with rxtop."
  }

  /// What the recording has now.
  func snapshot() throws(TraceError) -> TraceSnapshot { try reader.snapshot() }

  /// Knows functions of this process at some addresses, and at those of the recording; nil where that is not there any more.
  ///
  /// All at once, for most of the time goes into reading the debug information.
  func symbolizer(knowing addresses: some Sequence<UInt64>) -> Symbolizer? {
    guard let snapshot = try? reader.snapshot() else { return nil }
    return Symbolizer(snapshot).knowing(SymbolPacking.addresses(of: snapshot) + addresses)
  }

  /// Findings at SUSPECT and above that were not there before.
  func findings(in snapshot: TraceSnapshot) -> [Finding] {
    Self.findings(in: snapshot).filter { one in
      one.level >= .suspect && before[one.fingerprint].map { $0 < one.level } ?? true
    }
  }

  private static func findings(in snapshot: TraceSnapshot) -> [Finding] {
    FindingEngine.findings(in: snapshot, inspection: Inspection())
  }

  /// Why nothing arrives at subscriptions that were made at lines at which something waits.
  ///
  /// - Parameter places: As `fetch() at Sources/Feed.swift:12`.
  /// - Returns: As `rxtop explain` says it; empty where no signal is awaited there.
  func explanations(at places: [String]) -> String {
    guard let snapshot = try? reader.snapshot() else { return "" }
    var text = ""
    for place in places {
      guard let name = place.split(separator: "/").last, name != place,
        let explanation = try? SilenceExplanation.of(place: String(name), in: snapshot)
      else { continue }
      text += "\n\(explanation.text())\n"
    }
    return text
  }

  // MARK: Attachments

  /// Attaches the recording, packed, and the findings' text to the test that runs.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where that is shown.
  ///   - waiting: What waits for what, where that was the matter.
  ///   - symbolizer: One that knows functions of the recording; nil for none.
  func attach(
    _ sourceLocation: SourceLocation,
    waiting: String = "",
    _ symbolizer: Symbolizer? = nil
  ) {
    do throws(TraceError) {
      let snapshot = try reader.snapshot()
      let sentences = findings(in: snapshot).map(\.reportText)
      let text =
        sentences.isEmpty
        ? "rxtop finds nothing at SUSPECT or above.\n" : sentences.joined(separator: "\n") + "\n"
      Attachment.record(
        Attachment(waiting + text, named: "findings.txt", sourceLocation: sourceLocation),
        sourceLocation: sourceLocation
      )
      Attachment.record(
        Attachment(
          try packed(symbolizer),
          named: "recording.rxtrace",
          sourceLocation: sourceLocation
        ),
        sourceLocation: sourceLocation
      )
    } catch {
      Issue.record(
        "the recording is not attached: \(error)",
        severity: .warning,
        sourceLocation: sourceLocation
      )
    }
  }

  /// The recording as it is now, with the functions and lines of its backtraces in it.
  private func packed(_ symbolizer: Symbolizer?) throws(TraceError) -> [UInt8] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/recording.rxtrace"
    try Trace.snapshot(to: path)
    let copy = try TraceReader(path: path)
    try SymbolEmbedding.write(
      SymbolPacking(try copy.snapshot(), symbolizer).symbols,
      of: copy,
      to: path
    )
    return try folder.bytes(of: "recording.rxtrace")
  }
}
