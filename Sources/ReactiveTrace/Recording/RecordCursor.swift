import CReactiveTraceShims
import TracePlatform

/// A record that has not been written yet, with the values of its continuations: further units of
/// 16 bytes that follow a record.
struct PendingRecord {
  /// The number of its kind.
  var kind: UInt16
  var id: UInt32
  var argument: UInt32 = 0
  /// The number of continuations in use, which hold two values each.
  var continuations = 0
  var more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

  init(_ kind: RecordKind, _ id: UInt32, _ argument: UInt32 = 0) {
    self.kind = kind.rawValue
    self.id = id
    self.argument = argument
  }

  init(_ kind: ShortRecordKind, _ id: UInt32, _ argument: UInt32) {
    self.kind = kind.rawValue
    self.id = id
    self.argument = argument
  }

  /// The number of units of 16 bytes that it occupies.
  var length: Int { 1 + continuations }
}

/// Where records are being written, before they are published.
struct RecordCursor {
  /// The header of the segment.
  let segment: UnsafeMutableRawPointer
  var position: UnsafeMutableRawPointer
  let base: UInt64

  /// Writes a record and its continuations, all of which must fit.
  @inline(__always)
  mutating func append(_ record: PendingRecord, at time: UInt64) {
    append(
      Packing.head(delta: time &- base, kind: record.kind),
      Packing.pair(high: record.argument, low: record.id)
    )
    if record.continuations > 0 { appendContinuation(record.more.0, record.more.1) }
    if record.continuations > 1 { appendContinuation(record.more.2, record.more.3) }
    if record.continuations > 2 { appendContinuation(record.more.4, record.more.5) }
  }

  @inline(__always)
  mutating func appendContinuation(_ first: UInt64, _ second: UInt64) {
    append(Packing.head(delta: first, kind: RecordKind.continuation.rawValue), second)
  }

  @inline(__always)
  private mutating func append(_ head: UInt64, _ body: UInt64) {
    Layout.Record.head.setRelaxed(head, at: position)
    Layout.Record.body.setRelaxed(body, at: position)
    position += Layout.Record.byteCount
  }

  /// Whether the serial of an entity, its number in the recording, follows from its identifier, so
  /// that a short record can leave the serial out.
  @inline(__always)
  func implies(_ serial: UInt64, slotBits: UInt32) -> Bool {
    serial &- Layout.Segment.baseSerial.relaxed(at: segment) &- 1
      < Packing.serialSpan(slotBits: slotBits)
  }

  /// The signal whose creation the preceding record reports; none if that record reports something
  /// else.
  @inline(__always)
  var lastSignal: TraceID {
    var before = position - Layout.Record.byteCount
    let first = segment + Layout.Segment.headerByteCount
    guard before >= first else { return .none }
    var kind = Packing.kind(ofHead: Layout.Record.head.relaxed(at: before))
    if kind == RecordKind.continuation.rawValue, before > first {
      before -= Layout.Record.byteCount
      kind = Packing.kind(ofHead: Layout.Record.head.relaxed(at: before))
      guard kind == RecordKind.signalCreated.rawValue else { return .none }
    }
    guard
      kind == ShortRecordKind.signalAppended.rawValue
        || kind == ShortRecordKind.sourceCreated.rawValue
        || kind == RecordKind.signalCreated.rawValue
    else { return .none }
    return TraceID(rawValue: Packing.low(Layout.Record.body.relaxed(at: before)))
  }

  /// Makes everything written so far readable: pairs with the reader's load of `committed`.
  @inline(__always)
  func publish() {
    Layout.Segment.committed.setRelease(UInt32(truncatingIfNeeded: position - segment), at: segment)
  }
}
