/// How the text form of a trace shows the content of a field.
package enum FieldType: Sendable, Equatable {
  case number
  case hex
  /// The number of a string in the string heap.
  case string
  /// An index into these names.
  case names([String])
  /// Bytes of text, padded with zeros.
  case text
  /// Bytes without further meaning.
  case bytes
}

/// One field of a structure.
///
/// The text form of a trace and the tables in `TraceFormat.md` are generated from such fields.
package struct FieldSpec: Sendable {
  /// The name in ``Layout`` and in the text form.
  package let name: String
  /// The offset from the beginning of the structure, in bytes.
  package let offset: Int
  /// The size of one value, in bytes.
  package let width: Int
  /// The number of consecutive values.
  package let count: Int
  /// The bits of the word that hold the value, if several values share the word.
  package let bits: Range<Int>?
  package let type: FieldType
  /// The meaning of the field, for the table in `TraceFormat.md`.
  package let meaning: String

  init<Value>(
    _ name: String,
    _ field: Field<Value>,
    count: Int = 1,
    bits: Range<Int>? = nil,
    _ type: FieldType,
    _ meaning: String
  ) {
    self.init(
      name,
      offset: field.offset,
      width: MemoryLayout<Value>.size,
      count: count,
      bits: bits,
      type,
      meaning
    )
  }

  /// Creates the specification of a plain number.
  package init<Value>(
    _ name: String,
    _ field: Field<Value>,
    count: Int = 1,
    bits: Range<Int>? = nil,
    _ meaning: String
  ) {
    self.init(name, field, count: count, bits: bits, .number, meaning)
  }

  init(
    _ name: String,
    offset: Int,
    width: Int,
    count: Int = 1,
    bits: Range<Int>? = nil,
    _ type: FieldType,
    _ meaning: String
  ) {
    self.name = name
    self.offset = offset
    self.width = width
    self.count = count
    self.bits = bits
    self.type = type
    self.meaning = meaning
  }

  /// Whether the field is a run of bytes rather than a number.
  package var isBytes: Bool { type == .text || type == .bytes }

  /// The largest number that fits in the field.
  package var limit: UInt64 {
    let bits = self.bits?.count ?? width * 8
    return bits >= 64 ? .max : 1 << UInt64(bits) - 1
  }

  /// Reads the value at `index` of this field in the structure that begins at `start`; zero if
  /// `bytes` does not contain the whole value.
  package func load(from bytes: UnsafeRawBufferPointer, at start: Int, index: Int = 0) -> UInt64 {
    let word = loadWord(from: bytes, at: start + index * width)
    guard let bits else { return word }
    return word >> UInt64(bits.lowerBound) & limit
  }

  /// Stores a number, which must not be above ``limit``.
  ///
  /// `bytes` must hold the whole structure.
  package func store(_ value: UInt64, to bytes: inout [UInt8], at start: Int, index: Int = 0) {
    var word = value
    if let bits {
      let old = bytes.withUnsafeBytes { loadWord(from: $0, at: start + index * width) }
      let shift = UInt64(bits.lowerBound)
      word = old & ~(limit << shift) | (value & limit) << shift
    }
    for byte in 0..<width {
      bytes[start + offset + index * width + byte] = UInt8(
        truncatingIfNeeded: word >> UInt64(8 * byte)
      )
    }
  }

  private func loadWord(from bytes: UnsafeRawBufferPointer, at start: Int) -> UInt64 {
    switch width {
    case 2: UInt64(Field<UInt16>(at: offset).load(from: bytes, at: start))
    case 4: UInt64(Field<UInt32>(at: offset).load(from: bytes, at: start))
    case 8: Field<UInt64>(at: offset).load(from: bytes, at: start)
    default: 0
    }
  }
}

/// One structure of the file with all its fields.
package struct StructureSpec: Sendable {
  /// The word that begins its lines in text form.
  package let name: String
  /// The name of its enumeration in ``Layout``.
  package let layoutName: String
  package let byteCount: Int
  package let fields: [FieldSpec]

  /// The field called `name`.
  package func field(_ name: String) -> FieldSpec? { fields.first { $0.name == name } }
}
