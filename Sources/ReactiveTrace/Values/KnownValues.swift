/// A type of the standard library whose values are written without a temporary string, or written
/// only as far as there is room in the text.
protocol KnownValue {
  /// Whether it is certain that a program cannot override the description of the type.
  static var isSure: Bool { get }

  static func writer(_ way: ValueWriter.Way) -> ValueWriter
}

// MARK: Numbers

extension KnownValue where Self: FixedWidthInteger {
  static var isSure: Bool { false }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter {
    IntegerWriter(isSigned: isSigned, bitWidth)
  }
}

extension Int: KnownValue {}
extension Int8: KnownValue {}
extension Int16: KnownValue {}
extension Int32: KnownValue {}
extension Int64: KnownValue {}
extension UInt: KnownValue {}
extension UInt8: KnownValue {}
extension UInt16: KnownValue {}
extension UInt32: KnownValue {}
extension UInt64: KnownValue {}

private final class IntegerWriter: ValueWriter, @unchecked Sendable {
  private let isSigned: Bool
  private let width: Int

  init(isSigned: Bool, _ width: Int) { (self.isSigned, self.width) = (isSigned, width) }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    if isSigned {
      let number =
        switch width {
        case 8: Int64(value.load(as: Int8.self))
        case 16: Int64(value.load(as: Int16.self))
        case 32: Int64(value.load(as: Int32.self))
        default: value.load(as: Int64.self)
        }
      text.write(number.magnitude, isNegative: number < 0)
    } else {
      let number =
        switch width {
        case 8: UInt64(value.load(as: UInt8.self))
        case 16: UInt64(value.load(as: UInt16.self))
        case 32: UInt64(value.load(as: UInt32.self))
        default: value.load(as: UInt64.self)
        }
      text.write(number, isNegative: false)
    }
  }
}

extension KnownValue where Self: TextOutputStreamable & CustomDebugStringConvertible {
  static var isSure: Bool { true }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter {
    switch way {
    case .top: StreamingWriter<Self>(isPlain: true)
    case .nested: DebugDescriptionWriter<Self>(isPlain: true)
    }
  }
}

extension Double: KnownValue {}
extension Float: KnownValue {}

extension Bool: KnownValue {
  static var isSure: Bool { false }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { BoolWriter() }
}

private final class BoolWriter: ValueWriter, @unchecked Sendable {
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(value.load(as: Bool.self) ? "true" as StaticString : "false")
  }
}

// MARK: Texts

extension String: KnownValue {
  static var isSure: Bool { true }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { StringWriter(way) }
}

private final class StringWriter: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let string = value.assumingMemoryBound(to: String.self).pointee
    switch way {
    case .top: text.write(string)
    case .nested: text.quote(string)
    }
  }
}

extension Substring: KnownValue {
  static var isSure: Bool { true }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { SubstringWriter(way) }
}

private final class SubstringWriter: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let string = value.assumingMemoryBound(to: Substring.self).pointee
    switch way {
    case .top:
      let written: Void? = string.utf8.withContiguousStorageIfAvailable {
        text.write(UnsafeRawBufferPointer($0))
      }
      if written == nil { text.write(String(string)) }
    case .nested: text.quote(string)
    }
  }
}

extension ClippedText {
  /// Writes a text in quotes, with invisible characters as escapes, as `debugDescription` does.
  fileprivate mutating func quote(_ string: some StringProtocol) {
    let isDone = string.utf8.withContiguousStorageIfAvailable { bytes in
      let kept = Layout.Record.valueByteCount
      if bytes.prefix(kept).allSatisfy({ $0 < 0x80 }) {
        quoteASCII(bytes)
        return true
      }
      // Whether a scalar is escaped may depend on its neighbours, but not on what is beyond an
      // ASCII character, so the text can be cut after such a character.
      guard let cut = bytes.dropFirst(kept).firstIndex(where: { $0 < 0x80 }), cut < bytes.count - 1
      else { return false }
      write(String(decoding: bytes[...cut], as: UTF8.self).debugDescription)
      stop()
      return true
    }
    if isDone != true { write(String(string).debugDescription) }
  }

  /// Writes a text in quotes; the part of it that is kept must be ASCII.
  private mutating func quoteASCII(_ all: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeBufferPointer(rebasing: all.prefix(Layout.Record.valueByteCount))
    write(UInt8(ascii: "\""))
    var written = 0
    while written < bytes.count {
      if isFull { return stop() }
      let start = written
      while written < bytes.count, Self.isPlain(bytes[written]) { written += 1 }
      if written > start {
        write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<written])))
        continue
      }
      let byte = bytes[written]
      written += 1
      switch byte {
      case 0x00: write("\\0" as StaticString)
      case 0x09: write("\\t" as StaticString)
      case 0x0A: write("\\n" as StaticString)
      case 0x0D: write("\\r" as StaticString)
      case UInt8(ascii: "\""): write("\\\"" as StaticString)
      case UInt8(ascii: "\\"): write("\\\\" as StaticString)
      case UInt8(ascii: "'"): write("\\'" as StaticString)
      default:
        write("\\u{" as StaticString)
        for digit in [byte >> 4, byte & 0xF] {
          write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
        write(UInt8(ascii: "}"))
      }
    }
    if bytes.count < all.count { stop() } else { write(UInt8(ascii: "\"")) }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: "'")
  }
}
