internal import FuzzSupport
internal import TraceReading

/// Assembles any text into a trace, and converts the trace to text again.
enum TextTarget {
  private static let file = MemoryFile()

  static func run(_ input: some Sequence<UInt8>) {
    let bytes: [UInt8]
    do throws(TraceError) {
      let text = String(decoding: Array(input), as: UTF8.self)
      bytes = try TraceText.assemble(text, byteLimit: 4 << 20)
    } catch {
      precondition(!error.message.isEmpty)
      return
    }
    do throws(TraceError) {
      // The text form of an undamaged file must assemble to an equivalent file.
      guard let text = try dump(bytes) else { return }
      let again = try dump(try TraceText.assemble(text, byteLimit: 8 << 20))
      precondition(again == text, "a dump that does not make the same trace again")
    } catch {
      precondition(error.code != .malformedText, "\(error)")
    }
  }

  /// The text form of a file; nil if the file has a problem.
  private static func dump(_ bytes: [UInt8]) throws(TraceError) -> String? {
    file.write([(0, bytes[...])], count: bytes.count)
    let reader = try TraceReader(path: file.path)
    let isWhole = try reader.snapshot().problems.isEmpty
    let text = TraceText.dump(reader)
    return isWhole ? text : nil
  }
}
