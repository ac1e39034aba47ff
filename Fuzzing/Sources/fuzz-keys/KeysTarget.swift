internal import FuzzSupport
internal import InspectorUI
internal import TraceExports
internal import TraceFindings
internal import TraceModel
internal import TraceReading

/// Opens a trace with any contents in rxtop's screens, and presses any keys.
///
/// The input consists of the number of bytes that stand for keys, those bytes, and the trace in the
/// form that `fuzz-reader` expects (`DenseTrace`).
enum KeysTarget {
  private static let file = MemoryFile()
  private static let keyLimit = 64

  static func run(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let count = Int(first) % (keyLimit + 1)
    let keys = input.dropFirst().prefix(count)
    let (pieces, size) = DenseTrace.pieces(of: Array(input.dropFirst(1 + count)))
    file.write(pieces, count: size)
    do throws(TraceError) {
      try press(keys, TraceSource(path: file.path))
    } catch {
      precondition(!error.message.isEmpty)
    }
  }

  /// The input for a trace in text form, with keys that show most of its screens.
  static func input(ofText path: String) throws -> [UInt8] {
    let trace = try TraceText.assemble(String(decoding: try Files.contents(path), as: UTF8.self))
    let keys = Array("siurefahcD[,.jd".utf8)
    return [UInt8(keys.count)] + keys + DenseTrace.pack(trace)
  }

  private static func press(_ keys: ArraySlice<UInt8>, _ source: TraceSource) {
    var terminal = HeadlessTerminal(size: .standard, script: keys.map(message))
    var loop = ScreenLoop(
      model: Model(size: .standard),
      source: source,
      helpers: ScreenHelpers(
        save: { _ in "rxtop-1.txt" },
        describe: { "\($0)" },
        edit: { file, line, _ in "Opened \(file):\(line)." },
        saveSettings: { _ in "config" }
      )
    )
    do {
      try loop.run(on: &terminal)
    } catch {
      preconditionFailure("a terminal without a device fails: \(error)")
    }
  }

  /// The message that a byte stands for: below 128, a character or the key for a control character;
  /// otherwise a key without a character, a size or a click.
  private static func message(_ byte: UInt8) -> TerminalMessage {
    switch byte {
    case 0x0A, 0x0D: .key(.enter)
    case 0x1B: .key(.escape)
    case 0x08, 0x7F: .key(.backspace)
    case 0x09: .key(.tab)
    case 0..<0x20: .key(.control(Character(UnicodeScalar(byte + 0x60))))
    case 0x20..<0x80: .key(.character(Character(UnicodeScalar(byte))))
    case 0x80..<0xA0: .key(others[Int(byte) % others.count])
    case 0xA0..<0xC0:
      .resized(Size(columns: 32 + 4 * Int(byte % 32), rows: 6 + 3 * Int(byte % 16)))
    default: .mouse(MouseAction(.press, row: Int(byte % 32) % 26, column: 2 * Int(byte % 41)))
    }
  }

  private static let others: [Key] = [
    .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete, .backTab, .function(1),
    .function(2), .function(10),
  ]
}
