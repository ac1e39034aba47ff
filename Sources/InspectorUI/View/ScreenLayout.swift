/// Which lines of the screen belong to what.
///
/// Update and view both ask it, so that they agree on how many rows there are to scroll in.
struct ScreenLayout: Equatable {
  /// Program, state, time.
  let title = 0
  /// The view bar.
  let bar = 1
  /// What the screen shows, in a sentence; nil on low screens.
  let summary: Int?
  /// Column headings; nil where there are none.
  let headings: Int?
  /// Rows of the table or lines of the text.
  let list: Range<Int>
  /// The part below the list that explains the selected row.
  let explanation: Range<Int>
  /// Keys, or what is being typed or said.
  let footer: Int

  /// A few rows that are `found` leave more room for the explanation of one.
  ///
  /// On high screens a list has a part below it, unless `hasPreview` says that it has none.
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

  /// Rows of a screen from which on a list has room for what is known of its selected row.
  static let leastForPreview = 36
}
