import Foundation
import InspectorUI
import Testing

/// Compares frames with text files in `Golden/`.
///
/// A file is rewritten instead if the environment contains `UPDATE_GOLDEN=1`; review the difference
/// before committing it.
enum Golden {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Golden")

  static func expect(
    _ text: String,
    named name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appending(path: name + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      Issue.record(
        "There is no Golden/\(name).txt; run with UPDATE_GOLDEN=1 to write it.",
        sourceLocation: sourceLocation
      )
      return
    }
    guard text != expected else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(lines, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    Issue.record(
      """
      Golden/\(name).txt differs\(line.map { " from line \($0 + 1)" } ?? " in length"); \
      UPDATE_GOLDEN=1 rewrites it. The frame is now:
      \(text)
      """,
      sourceLocation: sourceLocation
    )
  }
}

extension Frame {
  /// The text between two edges, which show trailing blanks and the width.
  var framed: String {
    (0..<size.rows).map { row in
      let line = line(row)
      var columns = 0
      for column in 0..<size.columns where self[row, column].text != " " { columns = column + 1 }
      return "|" + line + String(repeating: " ", count: max(0, size.columns - max(columns, 0)))
        + "|\n"
    }.joined()
  }

  /// The look of each cell without colour: `.` plain, `b` bold, `d` dim, `u` underlined, `B` bold
  /// and underlined, `r` reverse, `R` reverse with bold or underlined.
  var looks: String {
    (0..<size.rows).map { row in
      (0..<size.columns).map { column in
        let look = Palette.mono.attributes(of: self[row, column])
        if look.isReverse { return look.isBold || look.isUnderlined ? "R" : "r" }
        if look.isUnderlined { return look.isBold ? "B" : "u" }
        return look.isBold ? "b" : look.isDim ? "d" : "."
      }.joined() + "\n"
    }.joined()
  }
}
