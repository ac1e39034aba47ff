import TraceModel

/// The signs of one lane of marbles.
///
/// A cell shows its most important event: a failure takes precedence over an end, a value or a
/// beginning. Several values are shown as a digit in the lane of one subscription or timer, and as
/// a bar in the lane of a line of code.
struct MarbleSigns {
  private let glyphs: Glyphs
  private let isGroup: Bool
  private let most: Int

  init(_ track: MarbleTrack, _ glyphs: Glyphs) {
    var isGroup = false
    if case .site = track.lane { isGroup = true }
    self.init(track.cells, isGroup: isGroup, glyphs)
  }

  init(_ cells: [MarbleCell], isGroup: Bool, _ glyphs: Glyphs) {
    self.glyphs = glyphs
    self.isGroup = isGroup
    most = cells.reduce(1) { max($0, $1.isPartial ? 1 : $1.values) }
  }

  func sign(_ cell: MarbleCell) -> (String, Role) {
    if cell.marks.contains(.failed) { return (glyphs.marbles.failed, .violation) }
    if cell.marks.contains(.refused) { return (glyphs.marbles.refused, .violation) }
    // If records are missing, the number of values is only a lower bound, so it is not shown.
    if cell.isPartial, cell.values > 0 { return (glyphs.marbles.value, .dim) }
    if isGroup, cell.values > 0 { return (density(cell.values), .strong) }
    if cell.marks.contains(.disposed) { return (glyphs.marbles.disposed, .gone) }
    if cell.marks.contains(.completed) { return (glyphs.marbles.completed, .good) }
    if cell.values > 0 { return (count(cell.values), .strong) }
    if cell.marks.contains(.subscribed) { return (glyphs.marbles.subscribed, .good) }
    if cell.marks.contains(.lost) { return (Quantity.unknown, .loss) }
    if cell.marks.contains(.waiting) { return (glyphs.marbles.waiting, .suspect) }
    switch cell.life {
    case .absent: return (" ", .text)
    case .unknown: return (Quantity.unknown, .dim)
    case .idle: return (isGroup ? glyphs.marbles.quiet : glyphs.marbles.idle, .dim)
    case .busy: return (glyphs.marbles.busy, .text)
    }
  }

  private func count(_ values: Int) -> String {
    values == 1 ? glyphs.marbles.value : values < 10 ? "\(values)" : "+"
  }

  /// One of eight signs for a number of values; if no cell has more than eight values, each number
  /// has its own sign.
  private func density(_ values: Int) -> String {
    let levels = glyphs.marbles.densities
    let level = most <= levels.count ? values : (values * levels.count + most - 1) / most
    return levels[max(1, min(levels.count, level)) - 1]
  }

  static func legend(_ glyphs: Glyphs) -> String {
    let marbles = glyphs.marbles
    return "\(marbles.value) value 2-9 + several  \(marbles.subscribed) begins  "
      + "\(marbles.completed) completed  \(marbles.failed) failed  \(marbles.disposed) disposed  "
      + "\(marbles.refused) refused  \(marbles.waiting) waits  \(marbles.busy) busy  "
      + "\(marbles.densities[0])\(marbles.densities[3])\(marbles.densities[7]) of many  ? unknown"
  }
}

/// The time axis of marbles.
enum MarbleAxis {
  /// Draws ticks at round times, with labels.
  static func draw(
    _ query: MarbleQuery,
    _ frame: inout Frame,
    row: Int,
    column: Int,
    _ glyphs: Glyphs
  ) {
    let step = step(query)
    guard step > .zero else { return }
    let first = query.from / step
    var index = Int(first.rounded(.up))
    var free = 0
    while true {
      let time = step * index
      let place = Int(((time - query.from) / query.span * Double(query.columns)).rounded(.down))
      guard place < query.columns else { break }
      let text = glyphs.tick + label(time, step: step)
      if place >= free, place + CellWidth.of(text) <= query.columns {
        frame.put(text, row: row, column: column + place, role: .heading)
        free = place + CellWidth.of(text) + 1
      }
      index += 1
    }
  }

  /// The time between two ticks: the shortest that leaves room for labels and is 1, 2 or 5 times a
  /// power of ten.
  static func step(_ query: MarbleQuery) -> Duration {
    let wanted = query.cell * 13
    var step = Duration.nanoseconds(1)
    var factors = [2.0, 2.5, 2.0][...]
    while step < wanted {
      step = step * (factors.first ?? 2)
      factors = factors.dropFirst()
      if factors.isEmpty { factors = [2.0, 2.5, 2.0][...] }
    }
    return step
  }

  /// A time, with as many decimals as the time between two ticks requires.
  static func label(_ time: Duration, step: Duration) -> String {
    let (seconds, attoseconds) = max(.zero, time).components
    var digits = 0
    var unit = Duration.seconds(1)
    while digits < 9, unit > step {
      unit = unit / 10
      digits += 1
    }
    var fraction = String(attoseconds / 1_000_000_000)
    fraction = String(String(repeating: "0", count: max(0, 9 - fraction.count)) + fraction)
    let tail = digits == 0 ? "" : "." + fraction.prefix(digits)
    if seconds < 60 { return "\(seconds)\(tail)s" }
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)\(tail)"
  }
}
