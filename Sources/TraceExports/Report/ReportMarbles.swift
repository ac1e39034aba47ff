import Glibc
import TraceFindings
import TraceModel
import TraceReading

/// Marble diagrams of the lines of code that findings accuse, or of the busiest lines if there are
/// no findings.
struct ReportMarbles {
  private let chart: MarbleChart?
  private let inspection: Inspection
  private let sites: ReportSites
  private let isOfFindings: Bool

  /// The maximum numbers of lanes with and without findings.
  private static let limit = (accused: 8, busiest: 3)
  private static let columns = 160
  /// The width of a cell and the height of a lane, in units of the SVG's `viewBox`.
  private static let cell = 6
  private static let height = 30

  init(_ inspection: Inspection, _ sites: ReportSites, _ source: inout TraceSource)
    throws(TraceError)
  {
    (self.inspection, self.sites) = (inspection, sites)
    var lanes: [UInt32] = []
    for finding in inspection.findings where !lanes.contains(finding.site) {
      if inspection.site(finding.site) != nil { lanes.append(finding.site) }
    }
    lanes = Array(lanes.prefix(Self.limit.accused))
    isOfFindings = !lanes.isEmpty
    if lanes.isEmpty {
      let busy = inspection.sites.filter { ($0.events ?? 0) > 0 }
        .sorted { ($1.events ?? 0, $0.id) < ($0.events ?? 0, $1.id) }
      lanes = busy.prefix(Self.limit.busiest).map(\.id)
    }
    guard !lanes.isEmpty, inspection.program.level >= .events else {
      chart = nil
      return
    }
    let from = inspection.program.exactWindow?.lowerBound ?? .zero
    let query = MarbleQuery(
      lanes: lanes.map(MarbleLane.site),
      from: from,
      span: max(inspection.instant.time - from, .milliseconds(1)),
      columns: Self.columns
    )
    guard case .marbles(let chart) = try source.query(.marbles(query)) else {
      self.chart = nil
      return
    }
    self.chart = chart
  }

  func write(_ html: inout HTMLWriter) {
    html.section("marbles", "Marbles") { html in
      guard let chart else {
        let start = inspection.program.parts.events.isEmpty ? "" : " to the end"
        let reason =
          inspection.program.level < .events
          ? "Single events were not recorded\(start), so that it is not known when anything happened."
          : "No event passed a line of code that is known."
        return html.element("p", text: reason)
      }
      let query = chart.query
      html.element(
        "p",
        text:
          "What happened when in \(isOfFindings ? "the lines of code that findings accuse" : "the busiest lines of code"), from \(Quantity.moment(query.from)) to \(Quantity.moment(query.from + query.span)). A column is \(Quantity.duration(query.cell)) long."
      )
      writeLegend(&html)
      for track in chart.tracks { write(track, query, &html) }
      writeAxis(query, &html)
    }
  }

  // MARK: A lane

  private func write(_ track: MarbleTrack, _ query: MarbleQuery, _ html: inout HTMLWriter) {
    guard case .site(let site) = track.lane, let row = inspection.site(site) else { return }
    html.raw("\n")
    html.element("figure") { html in
      html.element("figcaption") { html in
        guard let link = sites.link(site) else { return html.text(row.label) }
        html.element("a", ["href": link], text: row.label)
      }
      let width = query.columns * Self.cell
      html.element(
        "svg",
        [
          "class": "lane", "viewBox": "0 0 \(width) \(Self.height)", "preserveAspectRatio": "none",
          "role": "img",
          "aria-label": Self.summary(track),
        ]
      ) { html in
        for shape in Self.shapes(track) where !shape.path.isEmpty {
          html.element("path", ["class": shape.style, "d": shape.path]) { _ in }
        }
      }
    }
  }

  private static func summary(_ track: MarbleTrack) -> String {
    let cells = track.cells
    var parts = [Quantity.of(cells.reduce(0) { $0 + $1.values }, "value", "values")]
    for (mark, name) in [
      (MarbleMarks.subscribed, "beginnings"), (.completed, "completions"), (.failed, "failures"),
      (.disposed, "disposals"), (.refused, "refused events"), (.waiting, "waiting work"),
      (.lost, "lost records"),
    ] {
      let columns = cells.count { $0.marks.contains(mark) }
      if columns > 0 { parts.append("\(name) in \(Quantity.of(columns, "column", "columns"))") }
    }
    let partial = cells.count(where: \.isPartial)
    if partial > 0 {
      parts.append("not every event is recorded in \(Quantity.of(partial, "column", "columns"))")
    }
    return parts.joined(separator: ", ")
  }

  private struct Shape {
    let style: String
    var path = ""
  }

  /// The shapes of a lane, from back to front.
  private static func shapes(_ track: MarbleTrack) -> [Shape] {
    var (life, unknown, waiting) = (
      Shape(style: "life"), Shape(style: "unknown"), Shape(style: "waits")
    )
    var (values, begins) = (Shape(style: "values"), Shape(style: "begins"))
    var (ends, completes) = (Shape(style: "ends"), Shape(style: "completes"))
    var (fails, lost) = (Shape(style: "fails"), Shape(style: "lost"))
    let most = log(Double(max(1, track.cells.map(\.values).max() ?? 1)) + 1)
    for (place, cell) in track.cells.enumerated() {
      let x = place * Self.cell
      switch cell.life {
      case .absent: break
      case .unknown: unknown.path += "M\(x) 24h\(Self.cell)"
      case .idle, .busy: life.path += "M\(x) 24h\(Self.cell)"
      }
      if cell.values > 0 {
        let height = 3 + Int(15 * log(Double(cell.values) + 1) / most)
        values.path += "M\(x + 1) 23v-\(height)h4v\(height)z"
      }
      if cell.marks.contains(.subscribed) { begins.path += "M\(x) 20v8l5 -4z" }
      if cell.marks.contains(.disposed) { ends.path += "M\(x + 1) 22h4v4h-4z" }
      if cell.marks.contains(.completed) { completes.path += "M\(x + 3) 18v12" }
      if !cell.marks.isDisjoint(with: [.failed, .refused]) {
        fails.path += "M\(x) 21l6 6m0 -6l-6 6"
      }
      if cell.marks.contains(.lost) { lost.path += "M\(x) 2h\(Self.cell)" }
      if cell.marks.contains(.waiting) { waiting.path += "M\(x) 28h\(Self.cell)" }
    }
    return [life, unknown, waiting, values, begins, ends, completes, fails, lost]
  }

  // MARK: Legend and axis

  private func writeLegend(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "legend"]) { html in
      for (style, path, words) in [
        ("values", "M1 11v-8h4v8z", "values; higher: more"),
        ("begins", "M1 2v8l6 -4z", "a subscription begins"),
        ("completes", "M3 0v12", "completed"), ("ends", "M1 4h4v4h-4z", "disposed of"),
        ("fails", "M0 3l6 6m0 -6l-6 6", "failed, or refused an event"),
        ("life", "M0 6h12", "alive"), ("unknown", "M0 6h12", "not known"),
        ("waits", "M0 6h12", "work waits on a queue"), ("lost", "M0 6h12", "records are lost"),
      ] {
        html.element("li") { html in
          html.element("svg", ["viewBox": "0 0 12 12", "aria-hidden": "true"]) { html in
            html.element("path", ["class": style, "d": path]) { _ in }
          }
          html.text(words)
        }
      }
    }
  }

  private func writeAxis(_ query: MarbleQuery, _ html: inout HTMLWriter) {
    let step = Self.step(query.span / 8)
    let width = query.columns * Self.cell
    html.element(
      "svg",
      ["class": "lane axis", "viewBox": "0 0 \(width) 22", "aria-hidden": "true"]
    ) {
      html in
      for index in Int((query.from / step).rounded(.up))... {
        let time = step * index
        let place = Int((time - query.from) / query.span * Double(width))
        guard place < width - 60 else { break }
        html.element("path", ["class": "tick", "d": "M\(place) 0v6"]) { _ in }
        html.element("text", ["x": "\(place + 3)", "y": "16"], text: Self.label(time, step: step))
      }
    }
  }

  /// The shortest duration that is at least `least` and is 1, 2 or 5 times a power of ten.
  private static func step(_ least: Duration) -> Duration {
    var step = Duration.microseconds(1)
    var factor = 0
    while step < least {
      step = step * [2.0, 2.5, 2.0][factor % 3]
      factor += 1
    }
    return step
  }

  /// The label of a time on the axis; the shorter the step, the more decimals.
  private static func label(_ time: Duration, step: Duration) -> String {
    guard step < .seconds(1) else { return Quantity.duration(time) }
    let moment = Quantity.moment(time)
    return step < .milliseconds(1) ? Quantity.exactMoment(time) : moment
  }
}
