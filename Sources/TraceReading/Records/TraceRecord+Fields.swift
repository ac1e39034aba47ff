/// The meaning of the words of a record, so that no other code has to decode them. Each optional
/// accessor is nil for records of another kind.
extension TraceRecord {
  /// The entity that the record is about; none for records about hops, marks, threads and the
  /// recording itself.
  public var entity: TraceID {
    RecordFields.hasEntity(kind) ? TraceID(rawValue: id) : .none
  }

  /// Whether the thread of a `runsOn` record runs the main queue; nil for a value that this version
  /// does not know.
  public var isOnMainQueue: Bool? {
    guard kind == .runsOn else { return nil }
    return id == 1 ? true : id == 2 ? false : nil
  }

  /// The site of the entity that the record is about, if the record contains it.
  public var site: UInt32? {
    switch kind {
    case .entityStatus, .signalCreated, .subscribed, .timerArmed, .ownerCreated: argument
    default: nil
    }
  }

  /// Why a subscription or timer ended; nil also for a reason this version does not know.
  public var endReason: EndReason? {
    kind == .ended || kind == .timerEnded ? EndReason(rawValue: argument) : nil
  }

  /// What ended subscriptions: the contents of a `tear-down` record, which are about the `ended`
  /// records that follow, or of an `ended` record that contains its own cause.
  public struct TearDown: Sendable, Equatable {
    /// What caused it; nil for a cause that this version does not know.
    public let cause: EndCause?
    /// The owner, operator or subscription that caused it; none if the trace does not contain it.
    public let by: TraceID
    /// The subscription downstream of those that end; none if there is none, or it is not known.
    public let downstream: TraceID
    /// Where it happened, as an asynchronous backtrace; 0 if that is not known.
    public let chain: UInt32
  }

  /// The cause, if this is a `tear-down` record, or an `ended` record that contains its own.
  public var tearDown: TearDown? {
    if kind == .ended, more.2 != 0 {
      return TearDown(
        cause: EndCause(rawValue: Packing.low(more.2)),
        by: TraceID(rawValue: Packing.low(more.0)),
        downstream: TraceID(rawValue: Packing.low(more.1)),
        chain: 0
      )
    }
    guard kind == .tearDown else { return nil }
    return TearDown(
      cause: EndCause(rawValue: argument),
      by: TraceID(rawValue: Packing.low(more.0)),
      downstream: TraceID(rawValue: Packing.low(more.1)),
      chain: id
    )
  }

  /// The event that was refused; nil also for one this version does not know.
  public var refusedEvent: RefusedEvent? {
    kind == .refused ? RefusedEvent(rawValue: argument) : nil
  }

  /// The description of a value or of a failure: its first bytes, and its length in bytes.
  ///
  /// The text is cut if there are more than ``/TraceFormat/Layout/Record/valueByteCount``. The
  /// length is `Int.max` if it is unknown because the description was not generated to its end.
  public var valueText: (text: String, byteCount: Int)? {
    guard kind == .value || kind == .failureText else { return nil }
    let words = [more.0, more.1, more.2, more.3, more.4, more.5]
    var bytes: [UInt8] = []
    for (index, word) in words.enumerated() {
      for byte in 0..<(index % 2 == 0 ? 6 : 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)))
      }
    }
    let count = min(Int(argument), bytes.count)
    let isCounted = argument != Layout.Record.unknownByteCount
    return (String(decoding: bytes[..<count], as: UTF8.self), isCounted ? Int(argument) : Int.max)
  }

  /// The owner that a subscription was bound to.
  public var owner: TraceID? { kind == .ownerBound ? TraceID(rawValue: argument) : nil }

  /// The contents of a `status` record: the state of an entity at its first record in a generation,
  /// which is a stretch of the trace that can be read without the earlier records.
  public struct Status: Sendable, Equatable {
    /// What the entity is.
    public let kind: EntityKind
    /// The entity's state.
    public let state: EntityState
    /// Row in the scheduler table; 0 if unknown, and for signals.
    public let scheduler: UInt32
    /// The same as ``TraceSlot/argument``.
    public let argument: UInt32
    /// Row in the site table.
    public let site: UInt32
    /// Unique over all entities of the recording.
    public let serial: UInt64
    /// The same as ``TraceSlot/link``.
    public let link: TraceID
    /// The time at which the entity was created, in ticks.
    public let createdAt: UInt64
    /// For a subscription, its signal; none otherwise.
    public let signal: TraceID
    /// For a signal or an owner, the number of its subscriptions; for a timer, its period in
    /// microseconds; zero otherwise.
    public let number: UInt32
    /// The number of events of a subscription, of times that a timer fired, or of subscriptions to
    /// a signal.
    public let eventCount: UInt64
  }

  /// The contents of a `status` record; nil also if kind or state are unknown.
  public var status: Status? {
    guard kind == .entityStatus else { return nil }
    let word = Packing.low(more.0)
    guard let entityKind = EntityKind(rawValue: Packing.kind(ofState: word)),
      let state = EntityState(rawValue: Packing.state(ofState: word))
    else { return nil }
    let number = Packing.low(more.4)
    return Status(
      kind: entityKind,
      state: state,
      scheduler: entityKind == .signal ? 0 : Packing.scheduler(ofState: word),
      argument: entityKind == .signal ? Packing.argument(ofState: word) : 0,
      site: argument,
      serial: more.1,
      link: TraceID(rawValue: Packing.low(more.2)),
      createdAt: more.3,
      signal: entityKind == .subscription ? TraceID(rawValue: number) : .none,
      number: entityKind == .subscription ? 0 : number,
      eventCount: more.5
    )
  }

  /// The contents of a `signal-created` record.
  ///
  /// Further upstreams are in the slot.
  public struct SignalCreation: Sendable, Equatable {
    /// The first upstream signal, or none.
    public let upstream: TraceID
    /// Unique over all entities of the recording.
    public let serial: UInt64
    /// Row in the site table.
    public let site: UInt32
    /// The same as ``TraceSlot/argument``.
    public let argument: UInt32
  }

  /// The contents of a `signal-created` record.
  public var signalCreation: SignalCreation? {
    guard kind == .signalCreated else { return nil }
    return SignalCreation(
      upstream: TraceID(rawValue: Packing.low(more.0)),
      serial: more.1,
      site: argument,
      argument: Packing.high(more.0)
    )
  }

  /// The contents of an `owner-created` record.
  public struct OwnerCreation: Sendable, Equatable {
    /// Unique over all entities of the recording.
    public let serial: UInt64
    /// Row in the site table.
    public let site: UInt32
    /// Row in the scheduler table.
    public let scheduler: UInt32
  }

  /// The contents, if this is an `owner-created` record.
  public var ownerCreation: OwnerCreation? {
    guard kind == .ownerCreated else { return nil }
    return OwnerCreation(serial: more.1, site: argument, scheduler: Packing.low(more.0))
  }

  /// The contents of an `owner-held` record.
  public struct OwnerHolding: Sendable, Equatable {
    /// Row in the site table, of the operator to which the closure was passed.
    public let site: UInt32
    /// The owner whose object the closure holds.
    public let owner: TraceID
  }

  /// The contents, if this is an `owner-held` record.
  public var ownerHolding: OwnerHolding? {
    guard kind == .ownerHeld else { return nil }
    return OwnerHolding(site: argument, owner: TraceID(rawValue: Packing.low(more.0)))
  }

  /// The contents of a `subscribed` record.
  public struct Subscribing: Sendable, Equatable {
    /// The subscription that receives the events, or none.
    public let downstream: TraceID
    /// Unique over all entities of the recording.
    public let serial: UInt64
    /// The signal subscribed to.
    public let signal: TraceID
    /// Row in the scheduler table; 0 if unknown.
    public let scheduler: UInt32
    /// The chain (asynchronous backtrace) in which it was made.
    public let chain: UInt32
    /// Row in the site table.
    public let site: UInt32
  }

  /// The contents of a `subscribed` record.
  public var subscribing: Subscribing? {
    guard kind == .subscribed else { return nil }
    return Subscribing(
      downstream: TraceID(rawValue: Packing.low(more.0)),
      serial: more.1,
      signal: TraceID(rawValue: Packing.low(more.2)),
      scheduler: Packing.high(more.3),
      chain: Packing.low(more.3),
      site: argument
    )
  }

  /// The contents of a `hop-scheduled` record.
  public struct HopScheduling: Sendable, Equatable {
    /// The number that identifies the scheduled work.
    public let hop: UInt32
    /// The chain (asynchronous backtrace) in which it was made.
    public let chain: UInt32
    /// Row in the scheduler table; 0 if unknown.
    public let scheduler: UInt32
    /// The subscription it is made for, or none.
    public let subscription: TraceID
  }

  /// The contents of a `hop-scheduled` record.
  public var hopScheduling: HopScheduling? {
    guard kind == .hopScheduled else { return nil }
    return HopScheduling(
      hop: id,
      chain: argument,
      scheduler: Packing.low(more.0),
      subscription: TraceID(rawValue: Packing.low(more.1))
    )
  }

  /// The contents of a `timer-armed` record.
  public struct TimerArming: Sendable, Equatable {
    /// The subscription it is made for, or none.
    public let subscription: TraceID
    /// Unique over all entities of the recording.
    public let serial: UInt64
    /// Its period in microseconds; 0 for a timer that fires once.
    public let microseconds: UInt32
    /// Row in the scheduler table; 0 if unknown.
    public let scheduler: UInt32
    /// The chain of its work, which begins where the timer was armed.
    public let chain: UInt32
    /// Row in the site table.
    public let site: UInt32
  }

  /// The contents of a `timer-armed` record.
  public var timerArming: TimerArming? {
    guard kind == .timerArmed else { return nil }
    return TimerArming(
      subscription: TraceID(rawValue: Packing.low(more.0)),
      serial: more.1,
      microseconds: Packing.low(more.2),
      scheduler: Packing.high(more.3),
      chain: Packing.low(more.3),
      site: argument
    )
  }
}

/// Properties of kinds, in a table that is fast enough for millions of records.
private enum RecordFields {
  private static let entityKinds: [Bool] = {
    var table = [Bool](
      repeating: false,
      count: 1 + RecordKind.allCases.reduce(0) { max($0, Int($1.rawValue)) }
    )
    for kind in RecordKind.allCases {
      table[Int(kind.rawValue)] = RecordSpec.of(kind).identifier.type == .entity
    }
    return table
  }()

  static func hasEntity(_ kind: RecordKind) -> Bool { entityKinds[Int(kind.rawValue)] }
}
