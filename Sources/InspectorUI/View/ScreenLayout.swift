/// The rows of the terminal that the parts of a screen occupy.
///
/// Both the update function and the views use this layout, so that they agree on how many rows of a
/// list are visible.
struct ScreenLayout: Equatable {
  /// The program, its state and the time.
  let title = 0
  /// The view bar.
  let bar = 1
  /// The path and the summary; nil if the terminal has few rows.
  let summary: Int?
  /// The headings of columns, or the time axis of Marbles; nil if there are none.
  let headings: Int?
  /// The rows of a table, or the lines of a text.
  let list: Range<Int>
  /// The explanation of the selected row, below the list.
  let explanation: Range<Int>
  /// The keys, the text that is being typed, or a message.
  let footer: Int

  /// Lays out a screen.
  ///
  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - screen: The screen.
  ///   - found: On Findings, the number of rows; if there are few, there is more room to explain
  ///     the selected one.
  ///   - hasPreview: Whether lists and the map have a preview of the selected row, if the terminal
  ///     has enough rows.
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

  /// The minimum number of terminal rows at which lists have a preview of the selected row.
  static let minimumRowsForPreview = 36
}
