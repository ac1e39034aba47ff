/// What a record says, kind by kind.
///
/// The one place where the words of a record get their meaning. Who answers for every kind switches over this without a
/// `default`, so that the compiler names each such place when there is a new kind.
public enum TraceEvent: Sendable, Equatable {
  /// What an entity was at its first record in a generation.
  case status(TraceRecord.Status)
  /// An operator made a signal.
  case signalCreated(TraceRecord.SignalCreation)
  /// The program gave the signal a name: its number among the strings.
  case signalNamed(UInt32)
  /// The chain in which the operator was called that made a signal.
  case signalMade(UInt32)
  /// Nobody refers to the signal any more.
  case signalReleased
  /// A subscription began.
  case subscribed(TraceRecord.Subscribing)
  /// Somebody called dispose.
  case disposeRequested
  /// What ended the subscriptions whose ends follow.
  case tearDown(TraceRecord.TearDown)
  /// A subscription was torn down; nil for a reason that this version does not know.
  case ended(EndReason?)
  /// The closures of a subscription have been freed.
  case subscriptionReleased
  /// The disposable is gone and the subscription lives on.
  case disposableReleased
  /// An object that owns subscriptions got its first one.
  case ownerCreated(TraceRecord.OwnerCreation)
  /// A subscription was bound to an owner.
  case ownerBound(TraceID)
  /// An owner has ended.
  case ownerEnded
  /// A closure of the subscription holds the object that its owner belongs to.
  case ownerHeld(TraceRecord.OwnerHolding)
  /// A value passed: the low half of the subscription's count of events.
  case next(UInt32)
  /// A failure passed: the number of its type among the strings.
  case failed(UInt32)
  /// Completion passed.
  case completed
  /// An event came too late; nil for one that this version does not know.
  case refused(RefusedEvent?)
  /// So many values are held, or wait at the gate.
  case depth(UInt32)
  /// The description of the value before it: ``TraceRecord/valueText``.
  case value
  /// The description of the failure that follows: the number of its type among the strings.
  case failureText(UInt32)
  /// A delivery through a gate began.
  case turnBegan
  /// It returned.
  case turnEnded
  /// A scheduler accepted work.
  case hopScheduled(TraceRecord.HopScheduling)
  /// The work began to run, on the scheduler of this row.
  case hopBegan(UInt32)
  /// It returned.
  case hopEnded
  /// It was cancelled before it began, on the scheduler of this row.
  case hopCancelled(UInt32)
  /// Whether what follows on the thread runs on the main queue; nil where this version does not know.
  case runsOn(isMainQueue: Bool?)
  /// A timer was armed.
  case timerArmed(TraceRecord.TimerArming)
  /// It fired for the so-manyth time.
  case timerFired(UInt32)
  /// It is over; nil for a reason that this version does not know.
  case timerEnded(EndReason?)
  /// A mark was set: the number of its name among the strings.
  case mark(UInt32)
  /// What follows was written by another thread.
  case threadSwitched
  /// So many records of the thread found no room.
  case recordsLost(UInt32)
  /// The level of recording changed; nil for one that this version does not know.
  case levelChanged(TraceLevel?)
  /// The process was forked for the so-manyth time.
  case forked(UInt32)
  /// The file no longer grows.
  case tailEnded
}

extension TraceRecord {
  /// What it says; nil for a continuation alone, and for a status of a kind of entity that this version does not know.
  public var event: TraceEvent? {
    switch kind {
    case .continuation: nil
    case .entityStatus: status.map(TraceEvent.status)
    case .signalCreated: signalCreation.map(TraceEvent.signalCreated)
    case .signalNamed: .signalNamed(argument)
    case .signalMade: .signalMade(argument)
    case .signalReleased: .signalReleased
    case .subscribed: subscribing.map(TraceEvent.subscribed)
    case .disposeRequested: .disposeRequested
    case .tearDown: tearDown.map(TraceEvent.tearDown)
    case .ended: .ended(endReason)
    case .subscriptionReleased: .subscriptionReleased
    case .disposableReleased: .disposableReleased
    case .ownerCreated: ownerCreation.map(TraceEvent.ownerCreated)
    case .ownerBound: .ownerBound(TraceID(rawValue: argument))
    case .ownerEnded: .ownerEnded
    case .ownerHeld: ownerHolding.map(TraceEvent.ownerHeld)
    case .next: .next(argument)
    case .failed: .failed(argument)
    case .completed: .completed
    case .refused: .refused(refusedEvent)
    case .depth: .depth(argument)
    case .value: .value
    case .failureText: .failureText(id)
    case .turnBegan: .turnBegan
    case .turnEnded: .turnEnded
    case .hopScheduled: hopScheduling.map(TraceEvent.hopScheduled)
    case .hopBegan: .hopBegan(argument)
    case .hopEnded: .hopEnded
    case .hopCancelled: .hopCancelled(argument)
    case .runsOn: .runsOn(isMainQueue: isOnMainQueue)
    case .timerArmed: timerArming.map(TraceEvent.timerArmed)
    case .timerFired: .timerFired(argument)
    case .timerEnded: .timerEnded(endReason)
    case .mark: .mark(argument)
    case .threadSwitched: .threadSwitched
    case .recordsLost: .recordsLost(id)
    case .levelChanged: .levelChanged(TraceLevel(rawValue: id))
    case .forked: .forked(id)
    case .tailEnded: .tailEnded
    }
  }
}
