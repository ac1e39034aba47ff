/// The layout of the screen's lines.
///
/// Update and view both use it, so that they agree on the number of rows to scroll in.
struct ScreenLayout: Equatable {
  /// Program, state, time.
  let title = 0
  /// The view bar.
  let bar = 1
  /// A sentence about what the screen shows; nil on low screens.
  let summary: Int?
  /// Column headings; nil where there are none.
  let headings: Int?
  /// Rows of the table or lines of the text.
  let list: Range<Int>
  /// The part below the list that explains the selected row.
  let explanation: Range<Int>
  /// Keys, or what is being typed, or a message.
  let footer: Int

  /// Where only a few rows are `found`, there is more room for the explanation of one.
  ///
  /// On high screens a list has a part below it, unless `hasPreview` is false.
  init(size: Size, screen: Screen, found: Int = 0, hasPreview: Bool = true) {
    let rows = max(size.rows, Size.minimum.rows)
    footer = rows - 1
    summary = rows >= 14 ? 2 : nil
    var top = summary == nil ? 2 : 3
    // Marbles have a time axis where tables have headings.
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
        rows >= Self.leastForPreview && hasPreview ? rows / 4 : nil
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

  /// The number of screen rows from which on a list has room for a preview of its selected row.
  static let leastForPreview = 36
}
