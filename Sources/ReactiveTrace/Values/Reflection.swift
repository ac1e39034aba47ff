import CReactiveTraceShims

/// Runtime information about types and values, from the functions on which `Mirror` is based.
enum Reflection {
  /// A part of a structure or a tuple.
  struct Field {
    let name: String
    let offset: Int
    let type: Any.Type
  }

  /// The kind of a type, which is the first word of its metadata.
  enum Kind: UInt {
    case `class` = 0
    case `struct` = 0x200
    case `enum` = 0x201
    case optional = 0x202
    case tuple = 0x301
    case function = 0x302
    case existential = 0x303
    case metatype = 0x304
    case existentialMetatype = 0x306
    case other = 0xFFFF
  }

  static func kind(_ type: Any.Type) -> Kind { Kind(rawValue: runtimeKind(type)) ?? .other }

  /// How a value of a protocol type is stored.
  enum Box {
    /// As `Any`, followed by witness tables.
    case any
    /// A reference, followed by witness tables.
    case object
    case error
  }

  /// How values of a protocol type are stored; nil if this is unknown.
  static func box<Value>(_ type: Value.Type) -> Box? {
    let word = MemoryLayout<UnsafeRawPointer>.size
    let flags = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: word, as: UInt32.self)
    let tables = Int(flags & 0xFF_FFFF) * word
    switch (flags >> 24 & 0x3F, flags >> 31) {
    case (1, _): return MemoryLayout<Value>.size == word ? .error : nil
    case (0, 1): return MemoryLayout<Value>.size == 4 * word + tables ? .any : nil
    case (0, 0): return MemoryLayout<Value>.size == word + tables ? .object : nil
    default: return nil
    }
  }

  /// Whether one of a type's conformances to the protocols for descriptions is isolated to a global
  /// actor.
  ///
  /// The result does not depend on the actor that calls this.
  static func isIsolated(_ type: Any.Type) -> Bool {
    let word = MemoryLayout<UnsafeRawPointer>.size
    let protocols: [Any.Type] = [
      (any TextOutputStreamable).self, (any CustomStringConvertible).self,
      (any CustomDebugStringConvertible).self, (any CustomReflectable).self,
    ]
    return protocols.contains { kind in
      let descriptor = unsafeBitCast(kind, to: UnsafeRawPointer.self)
        .load(fromByteOffset: 2 * word, as: UnsafeRawPointer.self)
      let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
      // A witness table begins with the address of the conformance descriptor.
      guard let table = rxt_conformance(type, descriptor) else { return false }
      let conformance = table.load(as: UnsafeRawPointer.self)
      return conformance.load(fromByteOffset: 12, as: UInt32.self) & (1 << 19) != 0
    }
  }

  static func count(_ type: Any.Type) -> Int { runtimeCount(type) }

  /// A part of a structure or a tuple; nil if it is not stored as its type suggests, for example a
  /// weak reference.
  static func field(_ type: Any.Type, _ index: Int) -> Field? {
    var details = FieldDetails()
    let fieldType = runtimeField(type, index: index, details: &details)
    defer { details.free?(details.name) }
    guard let name = details.name, details.isStrong else { return nil }
    guard kind(fieldType) != .other else { return nil }
    let offset = runtimeOffset(type, index: index)
    return Field(name: String(cString: name), offset: offset, type: fieldType)
  }

  /// The name of the case of an enumeration; nil if there is none.
  static func caseName<Value>(_ value: UnsafePointer<Value>) -> String? {
    runtimeCaseName(value.pointee).flatMap { String(validatingCString: $0) }
  }

  /// Whether an enumeration's case has a payload.
  static func hasPayload<Value>(_ value: UnsafePointer<Value>) -> Bool {
    runtimeCount(of: value.pointee, type: Value.self) > 0
  }

  /// The number of a value's case, counted from 0; nil if the type does not provide it.
  static func tag<Value>(_ value: UnsafePointer<Value>) -> Int? {
    // The value witnesses of a type are stored before it: eight functions, sizes, flags, and, for
    // an enumeration, the function that returns the tag.
    typealias Function = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    let word = MemoryLayout<UnsafeRawPointer>.size
    let witnesses = type.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
    let hasCases = witnesses.load(fromByteOffset: 10 * word, as: UInt32.self) & 1 << 21 != 0
    guard hasCases else { return nil }
    return Int(witnesses.load(fromByteOffset: 11 * word, as: Function.self)(value, type))
  }

  /// The payload of an enumeration's case that has one.
  ///
  /// - Parameter value: The value, which no other code may use meanwhile, because the payload is
  ///   projected in place.
  /// - Returns: A copy of the payload.
  static func payload<Value>(_ value: UnsafeMutablePointer<Value>) -> Any {
    var details = FieldDetails()
    let payload = runtimeChild(
      of: value.pointee,
      type: Value.self,
      index: 0,
      name: &details.name,
      free: &details.free
    )
    details.free?(details.name)
    return payload
  }
}

private typealias NameFree = @convention(c) (UnsafePointer<CChar>?) -> Void

private struct FieldDetails {
  var name: UnsafePointer<CChar>?
  var free: NameFree?
  var isStrong = false
  var isVar = false
}

@_silgen_name("swift_getMetadataKind")
private func runtimeKind(_ type: Any.Type) -> UInt

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func runtimeCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func runtimeField(
  _ type: Any.Type,
  index: Int,
  details: UnsafeMutablePointer<FieldDetails>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func runtimeOffset(_ type: Any.Type, index: Int) -> Int

@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

@_silgen_name("swift_reflectionMirror_count")
private func runtimeCount<Value>(of value: Value, type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_subscript")
private func runtimeChild<Value>(
  of value: Value,
  type: Any.Type,
  index: Int,
  name: UnsafeMutablePointer<UnsafePointer<CChar>?>,
  free: UnsafeMutablePointer<NameFree?>
) -> Any
