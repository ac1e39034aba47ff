/// An action with the mouse on a cell of the screen.
public struct MouseAction: Hashable, Sendable {
  /// The kind of action.
  public enum Kind: Hashable, Sendable { case press, doublePress, wheelUp, wheelDown }

  /// The kind of action.
  public var kind: Kind
  /// The row of the cell, counted from 0 at the top.
  public var row: Int
  /// The column of the cell, counted from 0 at the left.
  public var column: Int

  /// Creates an action on a cell.
  public init(_ kind: Kind, row: Int, column: Int) {
    self.kind = kind
    self.row = row
    self.column = column
  }
}
