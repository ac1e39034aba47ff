public import TraceModel

/// The size of a screen in character cells.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var columns: Int
  /// The number of lines.
  public var rows: Int

  /// A size; negative numbers count as zero.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// The minimum size for which screens are laid out; on a smaller screen, a sentence says so.
  public static let minimum = Size(columns: 40, rows: 10)
  /// The traditional size of terminals.
  public static let standard = Size(columns: 80, rows: 24)
}

/// One place on the screen.
public struct Cell: Hashable, Sendable {
  /// The content: one grapheme, never a control character.
  ///
  /// It is nil in the right half of a wide character.
  public var text: Character?
  /// The meaning of the content, which decides how it is drawn.
  public var role: Role
  /// Whether it belongs to the selected row.
  public var isSelected: Bool

  /// A cell; by default a blank.
  public init(_ text: Character? = " ", role: Role = .text, isSelected: Bool = false) {
    self.text = text
    self.role = role
    self.isSelected = isSelected
  }
}

/// The content of a screen as a value: a grid of cells, which views draw and a ``Terminal`` shows.
///
/// Text outside the grid is cut off without an error. ``put(_:row:column:width:role:)`` is the only
/// way to write text, and it shows control characters, bidirectional overrides and zero-width
/// characters as `?`: whatever a trace contains, no frame contains an escape sequence.
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

  /// A blank screen.
  ///
  /// - Parameters:
  ///   - size: The size in cells.
  ///   - glyphs: The permitted characters; with the ASCII table all other characters become `?`.
  public init(size: Size, glyphs: Glyphs = .utf8) {
    self.size = size
    self.glyphs = glyphs
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
  }

  /// The cell at a place; a blank outside the grid.
  public subscript(row: Int, column: Int) -> Cell {
    guard contains(row, column) else { return Cell() }
    return cells[row * size.columns + column]
  }

  /// Writes text from a cell on to the right, and returns the column after it.
  ///
  /// - Parameters:
  ///   - text: A single line of text.
  ///   - row: The line, counted from 0 at the top.
  ///   - column: The column, counted from 0 at the left.
  ///   - width: The maximum width; nil for the rest of the line.
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

  /// Gives a whole line one role, and keeps its text.
  public mutating func tint(row: Int, role: Role) {
    for column in 0..<size.columns where contains(row, column) {
      cells[row * size.columns + column].role = role
    }
  }

  /// Marks a whole line as selected.
  public mutating func select(row: Int) {
    for column in 0..<size.columns where contains(row, column) {
      cells[row * size.columns + column].isSelected = true
    }
  }

  /// Marks some cells of a line as selected.
  mutating func select(row: Int, columns: Range<Int>) {
    for column in columns where contains(row, column) {
      cells[row * size.columns + column].isSelected = true
    }
  }

  /// Copies the lines of another frame to a line and those below it, as far as there is room.
  mutating func paste(_ other: Frame, row: Int) {
    for line in 0..<other.size.rows {
      for column in 0..<min(size.columns, other.size.columns) {
        set(other[line, column], row + line, column)
      }
    }
  }

  /// The text of one line without trailing blanks.
  public func line(_ row: Int) -> String {
    guard row >= 0, row < size.rows else { return "" }
    var line = ""
    for column in 0..<size.columns {
      if let character = cells[row * size.columns + column].text { line.append(character) }
    }
    return line.trimmingTrailingBlanks
  }

  /// All lines of the screen as text, without trailing blanks.
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
