import NIOCore

/// The table through which the methods of an event loop are called if its type is not known
/// statically: the witness table of its conformance.
///
/// The table begins with the description of the conformance; one word for each requirement of the
/// protocol follows.
struct ConformanceTable {
  /// The class of the loop, which is the first word of its objects.
  let type: UInt
  let words: UnsafePointer<UInt>
  /// The description of the protocol.
  private let requirements: UnsafeRawPointer
  private let count: Int

  /// A type that is known to conform: the address of its metadata, and the address of its table.
  ///
  /// The structure is needed because a bare metatype would be bit-cast as the metadata alone.
  private struct LoopType {
    let type: any EventLoop.Type
  }

  /// Returns nil if the type is not an event loop, or if its table is not a complete one emitted by
  /// the compiler.
  init?(_ type: Any.Type) {
    guard let loop = type as? any EventLoop.Type,
      MemoryLayout<LoopType>.size == MemoryLayout<(UInt, UInt)>.size
    else { return nil }
    let (metadata, table) = unsafeBitCast(LoopType(type: loop), to: (UInt, UInt).self)
    guard let words = UnsafePointer<UInt>(bitPattern: table),
      let description = UnsafeRawPointer(bitPattern: words[0]),
      let requirements = Self.reference(description),
      // The description refers back to the table.
      description + 8 + Int(description.load(fromByteOffset: 8, as: Int32.self))
        == UnsafeRawPointer(words)
    else { return nil }
    let count = Int(requirements.load(fromByteOffset: 16, as: UInt32.self))
    guard (1...256).contains(count) else { return nil }
    self.type = metadata
    self.words = words
    self.requirements = requirements
    self.count = count
  }

  /// The target of the relative reference, possibly indirect, that is stored at an address.
  private static func reference(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(place.load(as: Int32.self))
    let target = place + (distance & ~1)
    return distance & 1 == 0 ? target : target.load(as: UnsafeRawPointer?.self)
  }

  /// Whether another table is of the same protocol.
  func matches(_ other: ConformanceTable) -> Bool {
    requirements == other.requirements
      && MemoryLayout<any EventLoop>.size == MemoryLayout<(UInt, UInt)>.size
  }

  /// The entries that are methods of an instance.
  var methods: [Int] {
    let signature = Int(requirements.load(fromByteOffset: 12, as: UInt32.self))
    let first = requirements + 24 + 12 * signature
    return (0..<count)
      .filter { first.load(fromByteOffset: 8 * $0, as: UInt32.self) & 0x3F == 0x11 }
      .map { $0 + 1 }
  }

  /// A copy, which the caller owns.
  func copy() -> UnsafeMutablePointer<UInt> {
    let copy = UnsafeMutablePointer<UInt>.allocate(capacity: count + 1)
    copy.initialize(from: words, count: count + 1)
    return copy
  }

  /// A loop whose methods are called through a given table.
  @inline(__always)
  static func eventLoop(_ object: AnyObject, _ table: UnsafeRawPointer) -> any EventLoop {
    unsafeBitCast((object, table), to: (any EventLoop).self)
  }
}
