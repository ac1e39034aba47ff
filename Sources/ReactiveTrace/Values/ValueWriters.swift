/// Writes the whole description of values, through the standard library: for rare types, and for
/// types that cannot be written in another way.
final class SlowWriter<Value>: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    ValueWriter.writeSlowly(value.assumingMemoryBound(to: Value.self).pointee, way, &text)
  }

  override func isTuple(_ value: UnsafeRawPointer) -> Bool {
    Mirror(reflecting: value.assumingMemoryBound(to: Value.self).pointee).displayStyle == .tuple
  }
}

/// Writes the same text for all values.
final class TextWriter: ValueWriter, @unchecked Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(self.text)
  }
}

/// Writes values of types that have their own description.
class DescribedWriter<Text>: ValueWriter, @unchecked Sendable {
  private let reflects: Bool

  /// - Parameter isPlain: Whether the type's mirror is known not to be that of a tuple.
  init(isPlain: Bool = false) { reflects = !isPlain && Text.self is any CustomReflectable.Type }

  override final func isTuple(_ value: UnsafeRawPointer) -> Bool {
    reflects
      && Mirror(reflecting: value.assumingMemoryBound(to: Text.self).pointee).displayStyle == .tuple
  }
}

final class StreamingWriter<Text: TextOutputStreamable>: DescribedWriter<Text>, @unchecked Sendable
{
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    value.assumingMemoryBound(to: Text.self).pointee.write(to: &text)
  }
}

final class DescriptionWriter<Text: CustomStringConvertible>: DescribedWriter<Text>,
  @unchecked Sendable
{
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(value.assumingMemoryBound(to: Text.self).pointee.description)
  }
}

final class DebugDescriptionWriter<Text: CustomDebugStringConvertible>: DescribedWriter<Text>,
  @unchecked Sendable
{
  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    text.write(value.assumingMemoryBound(to: Text.self).pointee.debugDescription)
  }
}

/// Writes objects with the writers of their classes, because a subclass may have a different
/// description.
final class ObjectWriter: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let object = value.assumingMemoryBound(to: AnyObject.self).pointee
    if let writer = ValueWriter.find(exactly: type(of: object), way) {
      writer._withUnsafeGuaranteedRef { $0.write(value, &text) }
    } else {
      ValueWriter.writeSlowly(object, way, &text)
    }
  }

  override func isTuple(_ value: UnsafeRawPointer) -> Bool {
    let object = value.assumingMemoryBound(to: AnyObject.self).pointee
    return ValueWriter.find(exactly: type(of: object), way)?
      ._withUnsafeGuaranteedRef { $0.isTuple(value) }
      ?? (Mirror(reflecting: object).displayStyle == .tuple)
  }
}

/// Writes values of protocol types with the writers of the values they contain.
///
/// The box of any protocol begins like that of `Any`: with room for the value, and its type.
final class BoxWriter: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let way = way
    withUnsafeMutablePointer(to: &text) { text in
      func write<Value>(_ value: Value) {
        withUnsafePointer(to: value) { ValueWriter.write($0, way, &text.pointee) }
      }
      _openExistential(value.assumingMemoryBound(to: Any.self).pointee, do: write)
    }
  }

  override func isTuple(_ value: UnsafeRawPointer) -> Bool {
    func isTuple<Value>(_ value: Value) -> Bool {
      PayloadWriter.isTuple(value, ValueWriter.find(Value.self, way))
    }
    return _openExistential(value.assumingMemoryBound(to: Any.self).pointee, do: isTuple)
  }
}

/// Writes values of type `any Error`, which are stored in a special box.
final class ErrorWriter: ValueWriter, @unchecked Sendable {
  private let way: Way

  init(_ way: Way) { self.way = way }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    let way = way
    withUnsafeMutablePointer(to: &text) { text in
      func write<Failure: Error>(_ error: Failure) {
        withUnsafePointer(to: error) { ValueWriter.write($0, way, &text.pointee) }
      }
      _openExistential(value.assumingMemoryBound(to: (any Error).self).pointee, do: write)
    }
  }

  override func isTuple(_ value: UnsafeRawPointer) -> Bool {
    func isTuple<Failure: Error>(_ error: Failure) -> Bool {
      PayloadWriter.isTuple(error, ValueWriter.find(Failure.self, way))
    }
    return _openExistential(value.assumingMemoryBound(to: (any Error).self).pointee, do: isTuple)
  }
}

/// Writes structures and tuples part by part.
final class FieldsWriter: ValueWriter, @unchecked Sendable {
  /// A part, and the text before it.
  struct Field {
    let prefix: String
    let offset: Int
    let writer: Reference
  }

  private struct Part {
    let prefix: UnsafeRawBufferPointer
    let offset: Int
    let writer: Reference
  }

  private let parts: UnsafeMutableBufferPointer<Part>
  private let end: UnsafeRawBufferPointer
  private let isTuple: Bool

  init(_ fields: [Field], end: String, isTuple: Bool) {
    parts = .allocate(capacity: fields.count)
    for (index, field) in fields.enumerated() {
      let part = Part(prefix: .copy(field.prefix), offset: field.offset, writer: field.writer)
      parts.initializeElement(at: index, to: part)
    }
    self.end = .copy(end)
    self.isTuple = isTuple
  }

  deinit {
    for part in parts { part.prefix.deallocate() }
    parts.deallocate()
    end.deallocate()
  }

  override func write(_ value: UnsafeRawPointer, _ text: inout ClippedText) {
    for part in UnsafeBufferPointer(parts) {
      text.write(part.prefix)
      if text.isFull { return text.stop() }
      part.writer._withUnsafeGuaranteedRef { $0.write(value + part.offset, &text) }
    }
    if text.isFull { text.stop() } else { text.write(end) }
  }

  override func isTuple(_ value: UnsafeRawPointer) -> Bool { isTuple }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a text, to be freed by the caller.
  fileprivate static func copy(_ text: String) -> Self {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    copy.copyBytes(from: text.utf8)
    return Self(copy)
  }
}
