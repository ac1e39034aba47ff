/// The identifier of an entity in records and slots: the index of the entity's slot in the low
/// bits, and above it the low bits of its serial, a number that rises from entity to entity.
///
/// It is unique among live entities; the next entity in the same slot has another one. Zero means
/// "none", and is used for entities that were made while nothing was recorded.
@frozen
public struct TraceID: Hashable, Sendable {
  /// The 32 bits as they are stored in the file.
  public let rawValue: UInt32

  /// The identifier with these bits.
  @inlinable @inline(__always)
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  // Written by hand: the synthesized operator cannot be inlined into other modules, and this one
  // runs for every event.
  /// Whether both identify the same entity.
  @inlinable @inline(__always)
  public static func == (left: TraceID, right: TraceID) -> Bool { left.rawValue == right.rawValue }

  /// No entity, or one that is not traced.
  @inlinable @inline(__always)
  public static var none: TraceID { TraceID(rawValue: 0) }
}
