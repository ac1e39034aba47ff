/// Which lines of the screen show what.
///
/// Both the update function and the views use it, so that they agree on the number of rows that are
/// visible.
struct ScreenLayout: Equatable {
  /// The line with the program, its state and the time.
  let title = 0
  /// The line with the view bar.
  let bar = 1
  /// The line with a sentence about what the screen shows; nil on low screens.
  let summary: Int?
  /// The line with the headings of columns; nil where there are none.
  let headings: Int?
  /// The lines with the rows of a table, or with text.
  let list: Range<Int>
  /// The lines below the list that explain the selected row.
  let explanation: Range<Int>
  /// The line with the keys, with the text that is being typed, or with a message.
  let footer: Int

  /// Lays out a screen.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - screen: The screen.
  ///   - found: The number of findings; if there are only a few, there is more room to explain one.
  ///   - hasPreview: Whether lists and the map have a preview of the selected row, if the screen is
  ///     high enough.
  init(size: Size, screen: Screen, found: Int = 0, hasPreview: Bool = true) {
    let rows = max(size.rows, Size.minimum.rows)
    footer = rows - 1
    summary = rows >= 14 ? 2 : nil
    var top = summary == nil ? 2 : 3
    // Marbles have their time axis where tables have their headings.
    let hasHeadings = screen.table != nil || screen == .marbles
    headings = hasHeadings ? top : nil
    if hasHeadings { top += 1 }
    let room = footer - top
    let explaining: Int? =
      switch screen {
      case .findings:
        max(0, room - max(2, found > 0 ? min(room * 2 / 5, found + 1) : room * 2 / 5))
      case .queues: rows >= 14 ? max(0, room - max(3, room / 2)) : nil
      case .map: rows >= 20 && hasPreview ? max(5, rows / 4) : nil
      case .sites, .signals, .subscriptions, .events:
        rows >= Self.minimumRowsForPreview && hasPreview ? rows / 4 : nil
      case .marbles: rows >= 14 ? 3 : nil
      default: nil
      }
    guard let explaining else {
      list = top..<max(top + 1, footer)
      explanation = footer..<footer
      return
    }
    let bottom = footer - explaining
    list = top..<max(top + 1, bottom)
    explanation = min(bottom + 1, footer)..<footer
  }

  /// A list has a preview of its selected row if the screen has at least this many lines.
  static let minimumRowsForPreview = 36
}
