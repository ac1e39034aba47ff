import TraceModel

/// The records that are the evidence of a finding, drawn as marbles from the first to the last.
enum EvidenceStrip {
  /// The minimum number of records; with fewer records, a strip would show no more than their
  /// times.
  private static let minimumEventCount = 3
  private static let fewestColumns = 8

  /// The strip, such as `1.204 s ┬──●─2─●──✖ 3.900 s`; nil if there are too few records or there is
  /// no room.
  static func text(_ evidence: Evidence, width: Int, _ glyphs: Glyphs) -> String? {
    guard evidence.eventCount >= minimumEventCount, let first = evidence.moments.first?.time,
      let last = evidence.moments.last?.time, last > first
    else { return nil }
    let (begin, end) = (Quantity.moment(first) + " ", " " + Quantity.moment(last))
    let columns = width - begin.count - end.count
    guard columns >= fewestColumns else { return nil }
    var idle = MarbleCell()
    idle.life = .idle
    var cells = [MarbleCell](repeating: idle, count: columns)
    for moment in evidence.moments {
      let part = (moment.time - first) / (last - first)
      let place = min(columns - 1, max(0, Int(part * Double(columns))))
      cells[place].values += moment.values
      cells[place].marks.formUnion(moment.marks)
    }
    let signs = MarbleSigns(cells, isGroup: false, glyphs)
    return begin + cells.map { signs.sign($0).0 }.joined() + end
  }
}
