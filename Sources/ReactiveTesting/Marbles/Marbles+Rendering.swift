import Reactive

extension Marbles: CustomStringConvertible {
  /// The diagram as text, in the form that ``init(parsing:)`` reads.
  public var description: String { cells.joined() }

  /// The text of each frame.
  var cells: [String] {
    var groups = Array(repeating: "", count: frameCount)
    for item in items { groups[item.frame] += item.symbol }
    return groups.map { group in
      switch group.count {
      case 0: "-"
      case 1: group
      default: "(\(group))"
      }
    }
  }

  /// Several diagrams below each other, each after its title, with their frames aligned.
  static func aligned(_ rows: [(title: String, marbles: Marbles)]) -> String {
    let widest = rows.map(\.title.count).max() ?? 0
    let frames = rows.map(\.marbles.frameCount).max() ?? 0
    let cells = rows.map(\.marbles.cells)
    let widths = (0..<frames).map { frame in
      cells.map { frame < $0.count ? $0[frame].count : 0 }.max() ?? 1
    }
    return zip(rows, cells).map { row, cells in
      let line = zip(cells, widths).enumerated().map { frame, cell in
        let padding = frame == cells.count - 1 ? 0 : cell.1 - cell.0.count
        return cell.0 + String(repeating: "-", count: padding)
      }
      return row.title.padded(to: widest) + "  " + line.joined()
    }
    .joined(separator: "\n")
  }
}

extension Marbles.Item {
  var symbol: String {
    switch event {
    case .next(let value): value
    case .failed: "#"
    case .completed: "|"
    }
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
