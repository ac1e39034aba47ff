/// Renders a frame as text for `--once` and for saved screens.
///
/// With a palette, the text contains escape sequences for colours and styles, but not for moving
/// the cursor. Without one, it contains no escape sequences.
public struct ANSIText: Sendable {
  /// The colours and styles; nil for plain text.
  public let palette: Palette?

  /// Creates a renderer with the colours and styles of a palette; nil for plain text.
  public init(palette: Palette?) { self.palette = palette }

  /// The lines of a frame, each ended by a newline and without trailing blanks; blank lines at the
  /// end are left out.
  public func render(_ frame: Frame) -> String {
    var lines = (0..<frame.size.rows).map { line(frame, $0) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ frame: Frame, _ row: Int) -> String {
    guard let palette else { return frame.line(row) }
    var end = frame.size.columns
    while end > 0, isBlank(frame[row, end - 1], palette) { end -= 1 }
    var text = ""
    var current = Attributes()
    for column in 0..<end {
      let cell = frame[row, column]
      guard let character = cell.text else { continue }
      let wanted = palette.attributes(of: cell)
      if wanted != current {
        text += Self.sequence(wanted)
        current = wanted
      }
      text.append(character)
    }
    return current == Attributes() ? text : text + "\u{1B}[0m"
  }

  private func isBlank(_ cell: Cell, _ palette: Palette) -> Bool {
    let attributes = palette.attributes(of: cell)
    return cell.text == " " && !attributes.isReverse && !attributes.isUnderlined
      && attributes.background == nil
  }

  private static func sequence(_ attributes: Attributes) -> String {
    var codes = [0]
    if attributes.isBold { codes.append(1) }
    if attributes.isDim { codes.append(2) }
    if attributes.isUnderlined { codes.append(4) }
    if attributes.isReverse { codes.append(7) }
    if let color = attributes.foreground { codes.append(30 + color.rawValue) }
    if let color = attributes.background { codes.append(40 + color.rawValue) }
    return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m"
  }
}
