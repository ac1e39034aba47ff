/// What a mouse did on a cell of the screen.
public struct MouseAction: Hashable, Sendable {
  /// The kind of action.
  public enum Kind: Hashable, Sendable { case press, doublePress, wheelUp, wheelDown }

  /// The kind of action.
  public var kind: Kind
  /// Line from the top, 0 first.
  public var row: Int
  /// Column from the left, 0 first.
  public var column: Int

  /// An action on a cell.
  public init(_ kind: Kind, row: Int, column: Int) {
    self.kind = kind
    self.row = row
    self.column = column
  }
}
