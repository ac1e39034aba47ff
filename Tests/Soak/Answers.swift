import InspectorUI
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// All answers of rxtop about a recording: every screen at instants spread over it, every export,
/// and explanations.
///
/// `Scripts/same-answers` compares the answers of two versions of rxtop about the same recordings,
/// for changes that must not change an answer.
struct Answers {
  /// The recording.
  let path: String
  /// The number of instants that are shown, besides the end.
  var instants = 50
  /// The largest number of subscriptions, and of values, that are explained.
  var explained = 30

  /// Calls `report` with the name of each answer, such as `12 sites`, and its text.
  func all(_ report: (String, String) -> Void) throws {
    var source = try TraceSource(path: path)
    let snapshot = try TraceReader(path: path).snapshot()
    for (number, position) in positions(snapshot).enumerated() {
      screens(at: position, &source) { report("\(number) \($0)", $1) }
    }
    screens(at: .end, &source) { report("end \($0)", $1) }
    explanations(snapshot) { report("explain \($0)", $1) }
    exports(snapshot) { report("export \($0)", $1) }
  }

  /// Events that are spread evenly over the recording.
  private func positions(_ snapshot: TraceSnapshot) -> [Position] {
    let numbers = snapshot.records.map(\.number)
    guard !numbers.isEmpty else { return [] }
    return (0..<instants).map { .event(numbers[$0 * numbers.count / instants]) }
  }

  private func screens(
    at position: Position,
    _ source: inout TraceSource,
    _ report: (String, String) -> Void
  ) {
    do {
      let inspection = try source.inspection(at: position)
      report("json", InspectionJSON.text(inspection))
      for screen in Screen.inBar {
        let once = BatchText(screen: screen, filter: "", columns: 160, glyphs: .utf8, palette: nil)
        let text = try once.render(inspection) { query throws(TraceError) in
          try source.query(query)
        }
        report(screen.rawValue, text)
      }
      // Histograms and backtraces are requested for a few subscriptions only.
      let step = max(1, inspection.subscriptions.count / 5)
      for index in stride(from: 0, to: inspection.subscriptions.count, by: step) {
        let row = inspection.subscriptions[index]
        let query = TraceQuery.histograms(.subscription(row.key), upTo: inspection.instant.time)
        report("histograms of \(row.key.label)", "\(try source.query(query))")
        let frames = source.backtrace(of: row.chain)
        report("backtrace of \(row.key.label)", frames.joined(separator: "\n"))
      }
    } catch {
      report("error", "\(error)")
    }
  }

  private func explanations(_ snapshot: TraceSnapshot, _ report: (String, String) -> Void) {
    func explain(_ name: String, _ make: () throws -> Explanation) {
      do {
        let explanation = try make()
        report(name, explanation.text() + explanation.json())
      } catch {
        report(name, "\(error)")
      }
    }
    explain("crash") { try CrashExplanation.of(snapshot) }
    explain("error") { try FailureExplanation.of(nil, in: snapshot) }
    let subscriptions = Inspection(snapshot: snapshot).subscriptions
    for row in spread(subscriptions) {
      explain("subscription \(row.key.label)") {
        try SilenceExplanation.of(row.key.serial, in: snapshot)
      }
    }
    let values = snapshot.records.filter { $0.kind == .next }.map(\.number)
    for value in spread(values) {
      explain("value \(value)") { try ValueExplanation.of(value, in: snapshot) }
    }
  }

  private func exports(_ snapshot: TraceSnapshot, _ report: (String, String) -> Void) {
    let export = TraceExport(snapshot)
    func write(_ name: String, _ format: ExportFormat, _ options: TraceExport.Options) {
      var bytes: [UInt8] = []
      do {
        try export.write(format, options) { bytes += $0 }
        report(name, String(decoding: bytes, as: UTF8.self))
      } catch {
        report(name, "\(error)")
      }
    }
    for format in ExportFormat.allCases where format != .csv {
      write(format.rawValue, format, TraceExport.Options())
    }
    for table in ExportTable.allCases {
      var options = TraceExport.Options()
      options.table = table
      write("csv \(table.rawValue)", .csv, options)
    }
  }

  private func spread<Element>(_ list: [Element]) -> [Element] {
    let step = max(1, (list.count + explained - 1) / explained)
    return stride(from: 0, to: list.count, by: step).map { list[$0] }
  }
}

extension String {
  /// The FNV-1a hash, which is the same for the same text on every machine.
  var digest: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
