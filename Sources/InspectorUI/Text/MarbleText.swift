public import TraceFindings
public import TraceModel
import TraceReading

/// Marble diagrams as text, which `rxtop marble` prints.
public struct MarbleText: Sendable {
  /// The question about the records whose answer is printed.
  public let query: MarbleQuery
  private let model: Model
  /// The sites (lines of code with an operator) of the subscriptions and timers that were requested
  /// by number.
  private var sites: [EntityKey: UInt32] = [:]

  /// The maximum number of frames in a marble string for a test.
  static let frameLimit = 400
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
  )

  /// Creates diagrams from the arguments of `rxtop marble`.
  ///
  /// - Parameters:
  ///   - nodes: The lanes (rows of the diagram), separated by commas: numbers of subscriptions or
  ///     timers, or lines of code such as `Feed.swift:81`; empty for the lanes that Marbles shows
  ///     by default.
  ///   - from: The beginning of the period, as typed after `:goto`; nil to show as much as fits.
  ///   - to: The end of the period, as typed after `:goto`; nil for the end of the recording.
  ///   - columns: The width of the output.
  ///   - glyphs: The characters that the output can show.
  ///   - inspection: The inspection of the end of the trace.
  ///   - entity: Returns the entity with a number, even if it has ended, as
  ///     ``/TraceFindings/TraceSource/entity(serial:)`` does.
  /// - Throws: ``MarbleTextError`` if the trace does not contain what is requested.
  public init(
    nodes: String,
    from: String?,
    to: String?,
    columns: Int,
    glyphs: Glyphs,
    inspection: Inspection,
    entity: (UInt64) -> KnownEntity?
  ) throws(MarbleTextError) {
    var model = Model(
      size: Size(columns: max(40, columns), rows: 10),
      glyphs: glyphs,
      screen: .marbles
    )
    _ = model.update(.inspection(inspection, at: .end))
    self.model = model
    var query = MarblesView.query(model)
    if !nodes.isEmpty { (query.lanes, sites) = try Self.lanes(nodes, inspection, entity) }
    let end = try to.map { text throws(MarbleTextError) in try Self.moment(text, inspection) }
    let begin = try from.map { text throws(MarbleTextError) in try Self.moment(text, inspection) }
    if let start = begin ?? end.map({ max(.zero, $0 - query.span) }) {
      let last = end ?? inspection.instant.time
      guard start < last else {
        throw MarbleTextError(
          "the stretch from \(Quantity.moment(start)) to \(Quantity.moment(last)) is empty; --from must lie before --to"
        )
      }
      query = MarbleQuery(
        lanes: query.lanes,
        from: start,
        span: last - start,
        columns: query.columns
      )
    }
    self.query = query
  }

  private static func lanes(
    _ nodes: String,
    _ inspection: Inspection,
    _ entity: (UInt64) -> KnownEntity?
  ) throws(MarbleTextError) -> ([MarbleLane], [EntityKey: UInt32]) {
    var lanes: [MarbleLane] = []
    var sitesOfKeys: [EntityKey: UInt32] = [:]
    for word in nodes.split(separator: ",").map({ String($0).trimmingBlanks }) {
      // The label of a subscription on a screen, such as `map@Feed.swift:81 #12`, refers to #12.
      let number = word.split(separator: " ").last.flatMap { $0.hasPrefix("#") ? $0 : nil }
      if let serial = UInt64((number ?? word[...]).drop { $0 == "#" }), serial > 0 {
        let (lane, known) = try lane(serial, inspection, entity)
        lanes.append(lane)
        sitesOfKeys[known.key] = known.site
        continue
      }
      let sites = inspection.sites.filter {
        $0.location == word || "\($0.name)@\($0.location)".isSpelled(word) || $0.name == word
      }
      guard !sites.isEmpty else {
        throw MarbleTextError(
          "'\(displayName(word, columns: 60))' is neither the number of a subscription nor a line of code of this trace; rxtop --once --screen sites lists them"
        )
      }
      lanes += sites.map { .site($0.id) }
    }
    guard !lanes.isEmpty else {
      throw MarbleTextError(
        "'\(displayName(nodes, columns: 60))' names no lane; use numbers of subscriptions or lines of code, as 12,Feed.swift:81"
      )
    }
    return (lanes, sitesOfKeys)
  }

  private static func lane(
    _ serial: UInt64,
    _ inspection: Inspection,
    _ entity: (UInt64) -> KnownEntity?
  ) throws(MarbleTextError) -> (MarbleLane, KnownEntity) {
    guard let known = entity(serial) else {
      throw MarbleTextError(
        "this trace has no record of #\(serial): there was none, or the ring has overwritten it; rxtop --once --screen subscriptions lists those that live"
      )
    }
    switch known.kind {
    case .subscription: return (.subscription(known.key), known)
    case .timer: return (.timer(known.key), known)
    default:
      let place = inspection.site(known.site).map { " of \($0.label)" } ?? ""
      throw MarbleTextError(
        "#\(serial) is \(known.kind == .owner ? "an owner" : "a signal")\(place), not a subscription: nothing passes it by itself; name a subscription or the line of code"
      )
    }
  }

  private static func moment(
    _ text: String,
    _ inspection: Inspection
  ) throws(MarbleTextError) -> Duration {
    switch position(of: text, inspection) {
    case .end: return inspection.instant.time
    case .time(let time): return time
    case .mark(let index):
      if let mark = inspection.marks.first(where: { $0.id == index }) { return mark.time }
    case .event(let number):
      if let time = inspection.time(ofEvent: number) { return time }
      throw MarbleTextError(
        "event #\(number) is not or no longer recorded; --screen events lists those that are"
      )
    case nil: break
    }
    throw MarbleTextError(
      "'\(displayName(text, columns: 40))' is not a moment; use 12.5s, 1:12.258, #8203, end, or the name of a mark"
    )
  }

  /// The moment that a text such as `12.5s`, `#8203` or `end` means; nil if it means none.
  public static func position(of text: String, _ inspection: Inspection) -> Position? {
    var model = Model(size: .standard)
    _ = model.update(.inspection(inspection, at: .end))
    return model.position(of: text)
  }

  /// The duration that a text such as `10ms`, `2 s` or `7d` means; a number alone means seconds.
  public static func length(_ text: String) -> Duration? { Quantity.length(text) }

  // MARK: Text

  /// The time axis, a line for each lane, and a legend.
  public func text(_ chart: MarbleChart) -> String {
    var model = model
    model.place.stretch = Stretch(span: query.span, end: query.from + query.span)
    let columns = model.size.columns
    let width = MarblesView.labelWidth(columns)
    var frame = Frame(
      size: Size(columns: columns, rows: chart.tracks.count + 1),
      glyphs: model.glyphs
    )
    MarbleAxis.draw(query, &frame, row: 0, column: width, model.glyphs)
    for (row, track) in chart.tracks.enumerated() {
      let label = MarblesView.label(track.lane, model, width: width, sites)
      let signs = MarbleSigns(track, model.glyphs)
      frame.put(label, row: row + 1, column: 0)
      frame.put(track.cells.map { signs.sign($0).0 }.joined(), row: row + 1, column: width)
    }
    return ANSIText(palette: nil).render(frame) + "\n" + MarbleSigns.legend(model.glyphs) + "\n"
  }

  /// Marble strings in the syntax of ReactiveTesting, one for each lane, with the values that the
  /// letters stand for.
  ///
  /// - Parameters:
  ///   - lanes: The answer to ``/TraceModel/TraceQuery/moments(_:)``.
  ///   - frame: The duration of a frame.
  /// - Returns: Lines ended by newlines.
  /// - Throws: ``MarbleTextError`` if there are too many frames, or more values in a lane than
  ///   there are letters.
  public func testText(_ lanes: [[LaneMoment]], frame: Duration) throws(MarbleTextError) -> String {
    let frames = Int((query.span / frame).rounded(.up))
    guard frames <= Self.frameLimit else {
      throw MarbleTextError(
        "\(frames) frames are too many, as at most \(Self.frameLimit) are printed; "
          + "choose a longer --frame or a shorter stretch"
      )
    }
    var text = "// \(Quantity.duration(frame)) a frame, from \(Quantity.moment(query.from))\n"
    let known = model.inspection.program.exactWindow?.lowerBound
    if known.map({ $0 > query.from }) ?? true {
      let end = Quantity.moment(min(known ?? .seconds(1 << 40), query.from + query.span))
      text +=
        "// Records of the time before \(end) are missing: more may have happened there than is shown here.\n"
    }
    let program = model.inspection.program
    if !program.parts.hasEveryEvent, let parts = program.partsText {
      text += "// \(parts): more may have happened than is shown here.\n"
    }
    for (lane, moments) in zip(query.lanes, lanes) {
      let (string, legend) = try self.string(moments, frame, frames, lane)
      text +=
        "\"\(string)\"  // \(MarblesView.label(lane, model, width: 60, sites).trimmingTrailingBlanks)\n"
      guard !legend.isEmpty else { continue }
      let pairs = legend.map { "\"\($0.0)\": \"\(CommandText.swiftEscaped($0.1))\"" }
      text += "// where: [\(pairs.joined(separator: ", "))]\n"
    }
    return text
  }

  private func string(
    _ moments: [LaneMoment],
    _ frame: Duration,
    _ frames: Int,
    _ lane: MarbleLane
  ) throws(MarbleTextError) -> (text: String, legend: [(Character, String)]) {
    var signs = [[Character]](repeating: [], count: frames + 1)
    var legend: [(Character, String)] = []
    var used = 0
    var last = 0
    for moment in moments {
      let place = min(frames, max(0, Int(((moment.time - query.from) / frame).rounded(.down))))
      let sign: Character?
      switch moment.kind {
      case .value(let description):
        if let description, let known = legend.first(where: { $0.1 == description }) {
          sign = known.0
        } else {
          guard used < Self.letters.count else {
            throw MarbleTextError(
              "\(displayName(MarblesView.label(lane, model, width: 40, sites)).trimmingTrailingBlanks) has more than \(Self.letters.count) values; choose a shorter stretch"
            )
          }
          let letter = Self.letters[used]
          used += 1
          if let description { legend.append((letter, description)) }
          sign = letter
        }
      case .completed: sign = "|"
      case .failed: sign = "#"
      case .subscribed, .disposed: sign = nil
      }
      if let sign { signs[place].append(sign) }
      last = max(last, place)
    }
    let text = signs.prefix(last + 1).map { frame in
      frame.isEmpty ? "-" : frame.count == 1 ? String(frame) : "(" + String(frame) + ")"
    }.joined()
    return (text, legend)
  }
}

/// The reason why marble diagrams cannot be printed as requested, with advice on what to do.
public struct MarbleTextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence, without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Escapes text for generated source code.
enum CommandText {
  /// The text as the content of a Swift string literal.
  static func swiftEscaped(_ text: String) -> String {
    displayName(text, columns: 200).reduce(into: "") { escaped, character in
      if character == "\"" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
