/// The numbers from which the serial of an entity in a short record is computed, together with the
/// identifier of the entity.
struct SerialBase: Sendable {
  /// The serial of the last entity that was made before the segment was taken.
  var base: UInt64 = 0
  var slotBits: UInt32 = 1

  func serial(of id: UInt32) -> UInt64 {
    Packing.serial(of: TraceID(rawValue: id), after: base, slotBits: slotBits)
  }
}

/// The expansion of short records, which stand for longer ones (TraceFormat §5).
extension TraceRecord {
  /// Replaces the contents of a short record at `slot` by those of the record for which it stands.
  ///
  /// - Parameters:
  ///   - raw: Its kind.
  ///   - slot: The bytes of the record, followed by those of its continuations.
  ///   - upstream: The signal that the record before it created.
  ///   - serials: Computes the serial from the identifier.
  @inline(__always)
  mutating func expand(
    _ raw: Int,
    _ slot: UnsafeRawPointer,
    upstream: UInt32,
    _ serials: SerialBase
  ) {
    guard let short = ShortRecordKind(rawValue: UInt16(truncatingIfNeeded: raw)) else { return }
    switch short {
    case .signalAppended: expandSignal(upstream: upstream, serials)
    case .sourceCreated: expandSignal(upstream: 0, serials)
    case .stagesSubscribed:
      let values = SegmentWalk.more(slot + Layout.Record.byteCount, count: 1)
      length = 2
      more.0 = UInt64(Packing.low(values.0))
      more.1 = serials.serial(of: id)
      more.2 = UInt64(Packing.low(values.1))
      more.3 = Packing.pair(high: Packing.high(values.0), low: Packing.high(values.1))
    case .endedByOperator, .endedByDownstream:
      more.1 = UInt64(argument)
      more.0 = short == .endedByOperator && argument == 0 ? UInt64(id) : more.1
      more.2 = UInt64((short.cause ?? .unknown).rawValue)
      argument = EndReason.cancelled.rawValue
    case .operatorTearDown, .downstreamTearDown, .eventTearDown:
      more.0 = UInt64(id)
      more.1 = UInt64(argument)
      id = 0
      argument = (short.cause ?? .unknown).rawValue
    }
  }

  @inline(__always)
  private mutating func expandSignal(upstream: UInt32, _ serials: SerialBase) {
    more.0 = Packing.pair(high: Packing.argument(ofWord: argument), low: upstream)
    more.1 = serials.serial(of: id)
    argument = Packing.site(ofWord: argument)
  }

  /// Fills in the contents of a further subscription of a batch, whose continuation is at `slot`.
  @inline(__always)
  mutating func continueBatch(
    _ slot: UnsafeRawPointer,
    after last: TraceRecord,
    _ serials: SerialBase
  ) {
    more.0 = UInt64(last.id)
    more.1 = serials.serial(of: id)
    more.2 = UInt64(Packing.low(Packing.delta(ofHead: Layout.Record.head.load(from: slot))))
    more.3 = last.more.3
  }
}
