import Glibc
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// The recording of this process, which tests attach when they fail.
struct TestRecording {
  private let reader: TraceReader
  /// The findings that existed at the beginning, with their levels.
  private let before: [String: FindingLevel]

  /// Begins to record the process, unless it is being recorded already.
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

  /// One sentence that says where the recording is.
  var location: String {
    "The recording is \(displayName(Trace.path ?? "?", columns: 1000)): open it with rxtop."
  }

  /// A snapshot of the recording as it is now.
  func snapshot() throws(TraceError) -> TraceSnapshot { try reader.snapshot() }

  /// A symbolizer, which maps addresses to functions and lines, for the given addresses and those
  /// in the recording; nil if the recording cannot be read.
  ///
  /// All addresses are resolved at once, because most of the time is spent reading the debug
  /// information.
  func symbolizer(knowing addresses: some Sequence<UInt64>) -> Symbolizer? {
    guard let snapshot = try? reader.snapshot() else { return nil }
    return Symbolizer(snapshot).knowing(SymbolPacking.addresses(of: snapshot) + addresses)
  }

  /// Findings at SUSPECT and above that did not exist at the beginning, or had a lower level.
  func findings(in snapshot: TraceSnapshot) -> [Finding] {
    Self.findings(in: snapshot).filter { one in
      one.level >= .suspect && before[one.fingerprint].map { $0 < one.level } ?? true
    }
  }

  private static func findings(in snapshot: TraceSnapshot) -> [Finding] {
    FindingEngine.findings(in: snapshot, inspection: Inspection())
  }

  /// Explains why nothing arrives at the subscriptions that waiting code has made.
  ///
  /// - Parameter places: The lines at which code waits: `fetch() at Sources/Feed.swift:12`.
  /// - Returns: The text of `rxtop explain`; empty if no subscription was made at these lines.
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

  /// Attaches the recording, with the names of functions embedded, and the text of the findings to
  /// the running test.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where the attachments are shown.
  ///   - waiting: A text about the code that waits, if the test hangs.
  ///   - symbolizer: A symbolizer that knows functions of the recording; nil to create one.
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

  /// A copy of the recording as it is now, with the functions and lines of its backtraces embedded.
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
