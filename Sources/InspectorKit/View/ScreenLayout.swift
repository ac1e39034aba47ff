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

  init(size: Size, screen: Screen) {
    let rows = max(size.rows, Size.minimum.rows)
    footer = rows - 1
    summary = rows >= 14 ? 2 : nil
    var top = summary == nil ? 2 : 3
    let hasHeadings = screen.table != nil
    headings = hasHeadings ? top : nil
    if hasHeadings { top += 1 }
    let bottom = screen == .findings ? top + max(2, (footer - top) * 2 / 5) : footer
    list = top..<max(top + 1, bottom)
    explanation = screen == .findings ? min(bottom + 1, footer)..<footer : footer..<footer
  }
}
