/// Decides how the values of a type are written.
enum TypePlan {
  /// The writer of the values of a type.
  static func writer<Value>(_ type: Value.Type, _ way: ValueWriter.Way) -> ValueWriter {
    if let known = type as? any KnownValue.Type, known.isSure || !isOverridden(type, way) {
      return known.writer(way)
    }
    switch Reflection.kind(type) {
    case .struct:
      return described(type, way) ?? fields(type, way) ?? SlowWriter<Value>(way)
    case .tuple: return fields(type, way) ?? SlowWriter<Value>(way)
    case .enum: return described(type, way) ?? EnumWriter<Value>(way)
    case .class: return type is AnyObject.Type ? ObjectWriter(way) : SlowWriter<Value>(way)
    case .existential:
      switch Reflection.box(type) {
      case .any: return BoxWriter(way)
      case .object: return ObjectWriter(way)
      case .error: return ErrorWriter(way)
      case nil: return SlowWriter<Value>(way)
      }
    default: return SlowWriter<Value>(way)
    }
  }

  /// The writer of objects of a class, but not of its subclasses.
  static func writer<Object>(exactly type: Object.Type, _ way: ValueWriter.Way) -> ValueWriter {
    guard Reflection.kind(type) == .class else { return SlowWriter<Object>(way) }
    return described(type, way) ?? TextWriter(_typeName(type, qualified: true))
  }

  /// Whether the program has given a type of the standard library a description that takes
  /// precedence over the standard one.
  private static func isOverridden(_ type: Any.Type, _ way: ValueWriter.Way) -> Bool {
    switch way {
    case .top: type is any TextOutputStreamable.Type
    case .nested:
      type is any CustomDebugStringConvertible.Type && !(type is any KnownCollection.Type)
    }
  }

  /// The writer for a type that has its own description or a custom mirror; nil for others.
  ///
  /// Follows the standard library's order of precedence. A description that is isolated to an actor
  /// is only available on that actor, which has to be checked for each value.
  private static func described<Value>(_ type: Value.Type, _ way: ValueWriter.Way) -> ValueWriter? {
    func streamed<Text: TextOutputStreamable>(_ type: Text.Type) -> ValueWriter {
      StreamingWriter<Text>()
    }
    func described<Text: CustomStringConvertible>(_ type: Text.Type) -> ValueWriter {
      DescriptionWriter<Text>()
    }
    func debugged<Text: CustomDebugStringConvertible>(_ type: Text.Type) -> ValueWriter {
      DebugDescriptionWriter<Text>()
    }
    if Reflection.isIsolated(type) { return SlowWriter<Value>(way) }
    let streams = type as? any TextOutputStreamable.Type
    let describes = type as? any CustomStringConvertible.Type
    let debugs = type as? any CustomDebugStringConvertible.Type
    let reflects = type as? any CustomReflectable.Type
    switch way {
    case .top:
      if let streams { return streamed(streams) }
      if let describes { return described(describes) }
      if let debugs { return debugged(debugs) }
    case .nested:
      if let debugs { return debugged(debugs) }
      if let describes { return described(describes) }
      if let streams { return streamed(streams) }
    }
    return reflects == nil ? nil : SlowWriter<Value>(way)
  }

  /// A writer for a structure or a tuple that writes part by part; nil if a part cannot simply be
  /// read in place.
  private static func fields(_ type: Any.Type, _ way: ValueWriter.Way) -> ValueWriter? {
    func find<Part>(_ type: Part.Type) -> ValueWriter.Reference? { ValueWriter.find(type, .nested) }
    let isTuple = Reflection.kind(type) == .tuple
    var text = (isTuple ? "" : _typeName(type, qualified: way == .nested)) + "("
    var fields: [FieldsWriter.Field] = []
    for index in 0..<Reflection.count(type) {
      guard let field = Reflection.field(type, index),
        let writer = _openExistential(field.type, do: find)
      else { return nil }
      if index > 0 { text += ", " }
      if !isTuple || !field.name.hasPrefix(".") && !field.name.isEmpty {
        text += field.name + ": "
      }
      fields.append(FieldsWriter.Field(prefix: text, offset: field.offset, writer: writer))
      text = ""
    }
    return FieldsWriter(fields, end: text + ")", isTuple: isTuple)
  }
}
