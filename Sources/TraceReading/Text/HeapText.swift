/// A heap of strings or stacks that is being built.
struct HeapText {
  private let unit: Int
  /// The contents of the heap so far.
  ///
  /// Entry 0 is the empty one.
  private(set) var bytes: [UInt8]
  private var numbers: [[UInt8]: UInt32] = [:]

  init(unit: Int) {
    self.unit = unit
    bytes = [UInt8](repeating: 0, count: unit)
  }

  /// Adds a string under the given number or the next free one.
  ///
  /// A quoted word of the text form refers to the first string that was added with the same text.
  mutating func addString(_ text: [UInt8], at number: Int?) {
    var entry = [UInt8](repeating: 0, count: Layout.StringHeap.bytes)
    let length = FieldSpec("length", Layout.StringHeap.length, "")
    length.store(UInt64(text.count), to: &entry, at: 0)
    let place = place(entry + text, at: number)
    if numbers[text] == nil { numbers[text] = UInt32(clamping: place / unit) }
  }

  /// The number of a string, which is added if it is new.
  mutating func number(ofString text: [UInt8]) -> UInt32 {
    if text.isEmpty { return 0 }
    if numbers[text] == nil { addString(text, at: nil) }
    return numbers[text] ?? 0
  }

  /// Adds a stack, under the given number or the next free one.
  mutating func addStack(_ frames: [UInt64], at number: Int?) {
    var entry: [UInt8] = []
    for word in [UInt64(frames.count)] + frames {
      withUnsafeBytes(of: word.littleEndian) { entry += $0 }
    }
    _ = place(entry, at: number)
  }

  private mutating func place(_ entry: [UInt8], at number: Int?) -> Int {
    let start = number.map { $0 * unit } ?? bytes.count
    let end = (start + entry.count + unit - 1) / unit * unit
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(start..<(start + entry.count), with: entry)
    return start
  }
}
