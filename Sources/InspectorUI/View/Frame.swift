public import TraceModel

/// The size of a screen in character cells.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size; negative numbers count as zero.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The minimum size for which screens are laid out; a smaller screen shows only a sentence that
  /// it is too small.
  public static let minimum = Size(columns: 40, rows: 10)
  /// The traditional size of terminals, 80 by 24.
  public static let standard = Size(columns: 80, rows: 24)
}

/// A character cell of the screen.
public struct Cell: Hashable, Sendable {
  /// The content: one grapheme cluster, never a control character.
  ///
  /// It is nil in the right half of a wide character.
  public var text: Character?
  /// The meaning of the content, which decides how it is drawn.
  public var role: Role
  /// Whether the cell belongs to the selected row.
  public var isSelected: Bool

  /// Creates a cell; by default, it is blank.
  public init(_ text: Character? = " ", role: Role = .text, isSelected: Bool = false) {
    self.text = text
    self.role = role
    self.isSelected = isSelected
  }
}

/// The content of a screen as a value: a grid of cells, which views draw and a ``Terminal`` shows.
///
/// Text outside the grid is cut off without an error. ``put(_:row:column:width:role:)`` is the only
/// way to write text, and it writes `?` for control characters, bidirectional overrides and
/// zero-width characters, so that no trace can put an escape sequence into a frame.
public struct Frame: Hashable, Sendable {
  /// The size in cells.
  public let size: Size
  /// The position of the text cursor; nil if the cursor is hidden.
  public var cursor: (row: Int, column: Int)? {
    get {
      cursorCell < 0 ? nil : (cursorCell / max(1, size.columns), cursorCell % max(1, size.columns))
    }
    set { cursorCell = newValue.map { $0.row * size.columns + $0.column } ?? -1 }
  }
  private var cursorCell = -1
  private var cells: [Cell]
  private let glyphs: Glyphs

  /// Creates a blank frame.
  ///
  /// - Parameters:
  ///   - size: The size in cells.
  ///   - glyphs: The characters that the terminal can show; with the ASCII table, all others are
  ///     replaced.
  public init(size: Size, glyphs: Glyphs = .utf8) {
    self.size = size
    self.glyphs = glyphs
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
  }

  /// The cell at a position; a blank cell outside the grid.
  public subscript(row: Int, column: Int) -> Cell {
    guard contains(row, column) else { return Cell() }
    return cells[row * size.columns + column]
  }

  /// Writes text that begins at a cell.
  ///
  /// - Parameters:
  ///   - text: A single line of text.
  ///   - row: The row, counted from 0 at the top.
  ///   - column: The column, counted from 0 at the left.
  ///   - width: The maximum width; nil for the rest of the row.
  ///   - role: The role of the text.
  /// - Returns: The column after the last one written.
  /// - Complexity: O(length of the text that fits).
  @discardableResult
  public mutating func put(
    _ text: String,
    row: Int,
    column: Int,
    width: Int? = nil,
    role: Role = .text
  ) -> Int {
    let edge = min(size.columns, width.map { column + $0 } ?? size.columns)
    var column = column
    for character in glyphs.text(text) {
      let shown = CellWidth.printable(character)
      let columns = CellWidth.of(shown)
      guard column + columns <= edge else { break }
      set(Cell(shown, role: role), row, column)
      if columns == 2 { set(Cell(nil, role: role), row, column + 1) }
      column += columns
    }
    return column
  }

  /// Changes the role of a whole row, and keeps its text.
  public mutating func tint(row: Int, role: Role) {
    for column in 0..<size.columns where contains(row, column) {
      cells[row * size.columns + column].role = role
    }
  }

  /// Marks a whole row as selected.
  public mutating func select(row: Int) {
    for column in 0..<size.columns where contains(row, column) {
      cells[row * size.columns + column].isSelected = true
    }
  }

  /// Marks some cells of a row as selected.
  mutating func select(row: Int, columns: Range<Int>) {
    for column in columns where contains(row, column) {
      cells[row * size.columns + column].isSelected = true
    }
  }

  /// Copies another frame into this frame, with the first row of the other frame at `row`; cells
  /// that do not fit are left out.
  mutating func paste(_ other: Frame, row: Int) {
    for line in 0..<other.size.rows {
      for column in 0..<min(size.columns, other.size.columns) {
        set(other[line, column], row + line, column)
      }
    }
  }

  /// The text of one row without trailing blanks.
  public func line(_ row: Int) -> String {
    guard row >= 0, row < size.rows else { return "" }
    var line = ""
    for column in 0..<size.columns {
      if let character = cells[row * size.columns + column].text { line.append(character) }
    }
    return line.trimmingTrailingBlanks
  }

  /// All rows as lines of text, without trailing blanks.
  public var text: String { (0..<size.rows).map { line($0) + "\n" }.joined() }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    if contains(row, column) { cells[row * size.columns + column] = cell }
  }

  private func contains(_ row: Int, _ column: Int) -> Bool {
    row >= 0 && row < size.rows && column >= 0 && column < size.columns
  }
}

extension StringProtocol {
  var trimmingTrailingBlanks: String {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...last])
  }
}
