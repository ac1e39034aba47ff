/// A collection of the standard library, written element by element until the text is full.
protocol KnownCollection: KnownValue {}

extension KnownCollection {
  static var isSure: Bool { false }
}

extension Array: KnownCollection {
  static func writer(_ way: ValueWriter.Way) -> ValueWriter {
    ElementsWriter<Self>("[", "]") { array, body in array.withUnsafeBufferPointer(body) }
  }
}

extension ArraySlice: KnownCollection {
  static func writer(_ way: ValueWriter.Way) -> ValueWriter {
    ElementsWriter<Self>(way == .top ? "[" : "ArraySlice([", way == .top ? "]" : "])") {
      slice,
      body in
      slice.withUnsafeBufferPointer(body)
    }
  }
}

extension ContiguousArray: KnownCollection {
  static func writer(_ way: ValueWriter.Way) -> ValueWriter {
    ElementsWriter<Self>(way == .top ? "[" : "ContiguousArray([", way == .top ? "]" : "])") {
      $0.withUnsafeBufferPointer($1)
    }
  }
}

/// Writes collections whose elements are in contiguous memory.
private final class ElementsWriter<Elements: Collection>: ValueWriter, @unchecked Sendable {
  typealias Reading = (Elements, (UnsafeBufferPointer<Elements.Element>) -> Void) -> Void

  private let opening: StaticString
  private let closing: StaticString
  private let read: Reading

  init(_ opening: StaticString, _ closing: StaticString, _ read: @escaping Reading) {
    (self.opening, self.closing, self.read) = (opening, closing, read)
  }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(opening)
    read(value.assumingMemoryBound(to: Elements.self).pointee) { elements in
      let writer = elements.isEmpty ? nil : ValueWriter.find(Elements.Element.self, .nested)
      for index in elements.indices {
        if index > 0 { text.write(", " as StaticString) }
        if text.isFull { return }
        let element = elements.baseAddress.unsafelyUnwrapped + index
        if let writer {
          writer._withUnsafeGuaranteedRef { $0.write(element, &text) }
        } else {
          ValueWriter.writeSlowly(element.pointee, .nested, &text)
        }
      }
    }
    if text.isFull { text.stop() } else { text.write(closing) }
  }
}

extension Set: KnownCollection {
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { SetWriter<Element>(way) }
}

private final class SetWriter<Element: Hashable>: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(way == .top ? "[" as StaticString : "Set([")
    var isFirst = true
    for element in value.assumingMemoryBound(to: Set<Element>.self).pointee {
      if !isFirst { text.write(", " as StaticString) }
      isFirst = false
      if text.isFull { return text.stop() }
      withUnsafePointer(to: element) { ValueWriter.write($0, .nested, &text) }
    }
    text.write(way == .top ? "]" as StaticString : "])")
  }
}

extension Dictionary: KnownCollection {
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { DictionaryWriter<Key, Value>() }
}

private final class DictionaryWriter<Key: Hashable, Value>: ValueWriter, @unchecked Sendable {
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let dictionary = value.assumingMemoryBound(to: [Key: Value].self).pointee
    if dictionary.isEmpty { return text.write("[:]" as StaticString) }
    var isFirst = true
    for (key, value) in dictionary {
      text.write(isFirst ? "[" as StaticString : ", ")
      isFirst = false
      if text.isFull { return text.stop() }
      withUnsafePointer(to: key) { ValueWriter.write($0, .nested, &text) }
      text.write(": " as StaticString)
      if text.isFull { return text.stop() }
      withUnsafePointer(to: value) { ValueWriter.write($0, .nested, &text) }
    }
    text.write(UInt8(ascii: "]"))
  }
}

extension Optional: KnownValue {
  static var isSure: Bool { true }
  static func writer(_ way: ValueWriter.Way) -> ValueWriter { OptionalWriter<Wrapped>() }
}

private final class OptionalWriter<Wrapped>: ValueWriter, @unchecked Sendable {
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    guard let wrapped = value.assumingMemoryBound(to: Wrapped?.self).pointee else {
      return text.write("nil" as StaticString)
    }
    text.write("Optional(" as StaticString)
    if text.isFull { return text.stop() }
    withUnsafePointer(to: wrapped) { ValueWriter.write($0, .nested, &text) }
    text.write(UInt8(ascii: ")"))
  }
}
