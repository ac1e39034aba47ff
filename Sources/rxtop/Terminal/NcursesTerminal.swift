internal import CNcurses
internal import Glibc
internal import InspectorUI

/// The terminal of the user, drawn with ncurses.
///
/// The terminal is restored however the program ends: by ``close()``, or by ``TerminalGuard`` after
/// a signal or a trap. There can be only one instance at a time, and because of ncurses, it may be
/// used only on the main thread.
final class NcursesTerminal: Terminal {
  private(set) var size: Size
  private let palette: Palette
  private let screen: OpaquePointer
  private var pairs: [Int: Int32] = [:]
  private var isOpen = true
  /// The signal that asked the program to end, if there was one.
  private(set) var endingSignal: Int32?

  /// Takes over the terminal: switches to the alternate screen and unbuffered input, and hides the
  /// cursor.
  init(palette: Palette, hasMouse: Bool = true) throws(TerminalError) {
    guard TerminalGuard.install() else {
      throw TerminalError(
        .unusable,
        "the terminal could not be restored after a crash: no pipe can be made; use --once"
      )
    }
    guard let screen = rxn_open() else {
      let term = getenv("TERM").map { String(cString: $0) } ?? ""
      throw TerminalError(
        .unusable,
        (term.isEmpty
          ? "TERM is not set, and says nothing of the terminal"
          : "TERM is '\(term)', which is no known terminal that can move its cursor")
          + "; use --once for plain text"
      )
    }
    self.screen = screen
    TerminalGuard.arm()
    if hasMouse { rxn_start_mouse() }
    self.palette = palette == .color && rxn_start_color() ? .color : .mono
    size = Size(columns: Int(rxn_columns()), rows: Int(rxn_lines()))
    rxn_clear()
    rxn_refresh()
  }

  /// Restores the terminal; a second call does nothing.
  func close() {
    guard isOpen else { return }
    isOpen = false
    endwin()
    TerminalGuard.reset()
    delscreen(screen)
  }

  func nextMessage(
    before deadline: ContinuousClock.Instant
  ) throws(TerminalError) -> TerminalMessage? {
    while true {
      if let input = readInput() { return input }
      switch TerminalGuard.wait(until: deadline) {
      case nil: return nil
      case .input:
        guard let input = readInput() else { continue }
        return input
      case .inputClosed: return .ended
      case .end(let signal):
        endingSignal = signal
        return .ended
      case .resize:
        updateSize()
        return .resized(size)
      case .stop:
        TerminalGuard.stopProcess { endwin() }
        return resume()
      case .resume:
        return resume()
      }
    }
  }

  /// Restores the terminal for another program, such as an editor, and takes it over afterwards.
  func suspend(during body: () throws -> Void) throws {
    endwin()
    TerminalGuard.reset()
    defer { _ = resume() }
    try body()
  }

  func redraw() { rxn_touch_all() }

  func present(_ frame: Frame) throws(TerminalError) {
    rxn_clear()
    for row in 0..<min(frame.size.rows, size.rows) { present(frame, row: row) }
    if let cursor = frame.cursor {
      move(Int32(cursor.row), Int32(cursor.column))
      curs_set(1)
    } else {
      curs_set(0)
    }
    rxn_refresh()
  }

  /// Draws a row; consecutive cells with the same attributes are written at once.
  private func present(_ frame: Frame, row: Int) {
    var column = 0
    let end = min(frame.size.columns, size.columns)
    while column < end {
      let attributes = palette.attributes(of: frame[row, column])
      let start = column
      var text = ""
      while column < end, palette.attributes(of: frame[row, column]) == attributes {
        if let character = frame[row, column].text { text.append(character) }
        column += 1
      }
      rxn_look(
        attributes.isBold,
        attributes.isDim,
        attributes.isReverse,
        attributes.isUnderlined,
        pair(attributes)
      )
      rxn_text(Int32(row), Int32(start), text)
    }
  }

  /// The number of a colour pair of ncurses, which is created on first use; 0, the default colours,
  /// if the terminal supports no more pairs.
  private func pair(_ attributes: Attributes) -> Int32 {
    guard palette == .color, attributes.foreground != nil || attributes.background != nil else {
      return 0
    }
    let foreground = attributes.foreground?.rawValue ?? -1
    let background = attributes.background?.rawValue ?? -1
    let key = (foreground + 1) * 9 + background + 1
    if let known = pairs[key] { return known }
    let number = Int32(pairs.count + 1)
    guard number < rxn_color_pairs() else { return 0 }
    init_pair(Int16(number), Int16(foreground), Int16(background))
    pairs[key] = number
    return number
  }

  private func resume() -> TerminalMessage {
    rxn_refresh()
    TerminalGuard.rearm()
    rxn_touch_all()
    updateSize()
    return .resized(size)
  }

  private func updateSize() {
    var lines: Int32 = 0
    var columns: Int32 = 0
    if rxn_window_size(&lines, &columns) { resizeterm(lines, columns) }
    size = Size(columns: Int(rxn_columns()), rows: Int(rxn_lines()))
  }

  private func readInput() -> TerminalMessage? {
    while true {
      var value: UInt32 = 0
      switch rxn_key(&value) {
      case 1: if let key = Self.key(character: value) { return .key(key) }
      case 2:
        let code = Int32(bitPattern: value)
        if code == KEY_MOUSE {
          if let action = Self.mouseAction() { return .mouse(action) }
        } else if let key = Self.key(code: code) {
          return .key(key)
        }
      default: return nil
      }
    }
  }

  private static func mouseAction() -> MouseAction? {
    var row: Int32 = 0
    var column: Int32 = 0
    let kind: MouseAction.Kind
    switch rxn_mouse(&row, &column) {
    case 1: kind = .press
    case 2: kind = .doublePress
    case 3: kind = .wheelUp
    case 4: kind = .wheelDown
    default: return nil
    }
    return MouseAction(kind, row: Int(row), column: Int(column))
  }

  private static func key(character: UInt32) -> Key? {
    switch character {
    case 9: .tab
    case 10, 13: .enter
    case 27: .escape
    case 8, 127: .backspace
    case 1...26: .control(Character(Unicode.Scalar(UInt8(character) + 96)))
    case 0...31: nil
    default: Unicode.Scalar(character).map { .character(Character($0)) }
    }
  }

  private static func key(code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_HOME, KEY_FIND: .home
    case KEY_END, KEY_SELECT: .end
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_ENTER: .enter
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_BTAB: .backTab
    case (KEY_F0 + 1)...(KEY_F0 + 12): .function(Int(code - KEY_F0))
    default: nil
    }
  }
}
