import TraceModel

/// Shows a backtrace in two columns: the line of code, and the function.
///
/// The program's own functions are highlighted.
enum BacktraceView {
  /// The lines for frames of a backtrace such as `function at path/File.swift:12 [inlined]`.
  static func lines(_ frames: [String]) -> [DocumentLine] {
    let rows = frames.map(row)
    let width = min(34, rows.map { CellWidth.of($0.place) }.max() ?? 0)
    return rows.map { row in
      if row.isLink { return DocumentLine("  " + row.text, role: .suspect) }
      let padding = String(repeating: " ", count: max(2, width + 2 - CellWidth.of(row.place)))
      let isOwn = !row.isMachinery
      return DocumentLine([
        ("  " + row.place + padding, isOwn ? .site : .dim), (row.text, isOwn ? .strong : .dim),
      ])
    }
  }

  private struct Row {
    var place = ""
    var text: String
    var isLink = false
    var isMachinery = false
  }

  private static func row(_ frame: String) -> Row {
    let frame = displayName(frame, columns: 1000)
    guard !frame.hasPrefix("…") else { return Row(text: frame, isLink: true) }
    var row = Row(text: frame)
    row.isMachinery = frame.hasPrefix("(") || FrameOwner(ofLine: frame) != .program
    if let at = frame.lastRange(of: " at ") {
      let rest = frame[at.upperBound...]
      let end = rest.firstIndex(of: " ") ?? rest.endIndex
      row.place = String(rest[..<end].split(separator: "/").last ?? "")
      row.text = String(frame[..<at.lowerBound]) + rest[end...]
    }
    return row
  }
}
