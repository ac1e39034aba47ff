import TraceModel

public import TraceReading

/// A screen to choose one of several running programs.
public struct TracePicker: Sendable {
  private let entries: [TraceDirectory.Entry]
  private let now: UInt64
  private let glyphs: Glyphs
  private var size: Size
  private var index = 0

  /// What a message led to.
  public enum Outcome: Sendable {
    case undecided
    case chosen(TraceDirectory.Entry)
    case quit
  }

  /// A picker with the first entry selected; `now` in nanoseconds since 1970.
  public init(_ entries: [TraceDirectory.Entry], now: UInt64, glyphs: Glyphs, size: Size) {
    self.entries = entries
    self.now = now
    self.glyphs = glyphs
    self.size = size
  }

  /// Takes a key or another size in.
  public mutating func update(_ message: TerminalMessage) -> Outcome {
    switch message {
    case .resized(let size): self.size = size
    case .ended: return .quit
    case .mouse(let action):
      switch action.kind {
      case .wheelUp: index = max(0, index - 1)
      case .wheelDown: index = min(index + 1, max(0, entries.count - 1))
      case .press, .doublePress:
        let row = max(0, index - max(1, size.rows - 4) + 1) + action.row - 3
        guard entries.indices.contains(row) else { break }
        if row == index || action.kind == .doublePress { return .chosen(entries[row]) }
        index = row
      }
    case .key(.escape): return .quit
    case .key(let key):
      switch KeyTable.command(for: key) {
      case .move(let step): index = min(max(0, index + step), max(0, entries.count - 1))
      case .first: index = 0
      case .last: index = max(0, entries.count - 1)
      case .open: if entries.indices.contains(index) { return .chosen(entries[index]) }
      case .quit, .quitNow: return .quit
      default: break
      }
    }
    return .undecided
  }

  /// The screen.
  public func frame() -> Frame {
    var frame = Frame(size: size, glyphs: glyphs)
    let table = TraceList.table(glyphs, now: now)
    let layout = table.layout(width: size.columns)
    frame.put("Which program?", row: 0, column: 0, role: .title)
    table.drawHeadings(&frame, row: 2, layout, sort: nil)
    let height = max(1, size.rows - 4)
    let top = max(0, index - height + 1)
    for (offset, entry) in entries.dropFirst(top).prefix(height).enumerated() {
      table.draw(entry, &frame, row: 3 + offset, layout)
      if top + offset == index { frame.select(row: 3 + offset) }
    }
    let column = frame.put("Enter", row: size.rows - 1, column: 0, role: .key)
    let next = frame.put(" open  ", row: size.rows - 1, column: column, role: .bar)
    let last = frame.put("q", row: size.rows - 1, column: next, role: .key)
    frame.put(" quit", row: size.rows - 1, column: last, role: .bar)
    return frame
  }

  /// Shows the screen until one is chosen; nil if the user would rather not.
  public mutating func run(on terminal: inout some Terminal) throws(TerminalError)
    -> TraceDirectory.Entry?
  {
    while true {
      try terminal.present(frame())
      guard let message = try terminal.nextMessage(before: .now + .seconds(3600)) else { continue }
      switch update(message) {
      case .undecided: continue
      case .chosen(let entry): return entry
      case .quit: return nil
      }
    }
  }
}
