/// The kinds of records (TraceFormat §5).
///
/// Raw values are part of the format and never change meaning.
public enum RecordKind: UInt16, CaseIterable, Sendable {
  /// A continuation: contains 112 more bits of the record before it.
  case continuation = 1

  // A status repeats what is known about an entity, so that a generation, which is a stretch of a
  // trace, can be read without the earlier records.
  case entityStatus = 2

  // Signals.
  case signalCreated = 8
  case signalNamed = 9
  case signalReleased = 10
  case signalMade = 11

  // Subscriptions.
  case subscribed = 16
  case disposeRequested = 17
  case ended = 18
  case subscriptionReleased = 19
  case disposableReleased = 20
  case tearDown = 21

  // Owners: objects that end the subscriptions bound to them.
  case ownerCreated = 24
  case ownerBound = 25
  case ownerEnded = 26
  case ownerHeld = 27

  // Events.
  case next = 32
  case failed = 33
  case completed = 34
  case refused = 35
  case depth = 36
  case value = 37
  case failureText = 38

  // Turns: deliveries through a gate, which puts events of several senders in order.
  case turnBegan = 40
  case turnEnded = 41

  // Properties.
  case valueOverwritten = 42

  // Hops: work that is scheduled in one place and runs in another.
  case hopScheduled = 48
  case hopBegan = 49
  case hopEnded = 50
  case hopCancelled = 51
  case runsOn = 52

  // Timers.
  case timerArmed = 56
  case timerFired = 57
  case timerEnded = 58

  // The recording itself.
  case mark = 64
  case threadSwitched = 65
  case recordsLost = 66
  case levelChanged = 67
  case forked = 68
  case tailEnded = 69
}

/// The kinds of short records (TraceFormat §5): a reader replaces each short record by the longer
/// one that it stands for.
///
/// Raw values are part of the format, and none is that of a ``RecordKind``.
public enum ShortRecordKind: UInt16, CaseIterable, Sendable {
  // Signals.
  case signalAppended = 12
  case sourceCreated = 13

  // Subscriptions.
  case stagesSubscribed = 22
  case endedByOperator = 23
  case operatorTearDown = 28
  case downstreamTearDown = 29
  case eventTearDown = 30
  case endedByDownstream = 31

  /// The kind of the record that a short record of this kind stands for.
  public var longForm: RecordKind {
    switch self {
    case .signalAppended, .sourceCreated: .signalCreated
    case .stagesSubscribed: .subscribed
    case .endedByOperator, .endedByDownstream: .ended
    case .operatorTearDown, .downstreamTearDown, .eventTearDown: .tearDown
    }
  }

  /// The cause that a short record of this kind states for the end of subscriptions; nil if it
  /// states none.
  public var cause: EndCause? {
    switch self {
    case .operatorTearDown, .endedByOperator: .operator
    case .downstreamTearDown, .endedByDownstream: .downstream
    case .eventTearDown: .event
    case .signalAppended, .sourceCreated, .stagesSubscribed: nil
    }
  }
}

/// What an argument of a record means.
public enum ArgumentType: String, CaseIterable, Sendable {
  /// An entity's identifier (``TraceID``).
  case entity
  case site
  case string
  case stack
  case chain
  case scheduler
  case thread
  case hop
  case count
  case serial
  case ticks
  case reason
  case cause
  case state
  case event
  case level
  case number
  case none
}
