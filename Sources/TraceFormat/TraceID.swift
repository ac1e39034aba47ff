/// The identifier of an entity in records and slots: slot index in the low bits, incarnation above.
///
/// Unique among live entities; a reused slot has another incarnation. Zero means "none", and is
/// used for entities made while nothing was recorded.
@frozen
public struct TraceID: Hashable, Sendable {
  /// The 32 bits as they are stored in the file.
  public let rawValue: UInt32

  /// The identifier with these bits.
  @inlinable @inline(__always)
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  // Written by hand: the synthesized operator cannot be inlined into other modules, and this is on
  // the event path.
  /// Whether both identify the same entity.
  @inlinable @inline(__always)
  public static func == (left: TraceID, right: TraceID) -> Bool { left.rawValue == right.rawValue }

  /// No entity, or one that is not traced.
  @inlinable @inline(__always)
  public static var none: TraceID { TraceID(rawValue: 0) }
}
