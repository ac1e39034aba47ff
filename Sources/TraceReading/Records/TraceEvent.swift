/// The content of a record, by kind.
///
/// This is where the machine words of a record get their meaning. Code that handles every kind
/// switches over this without a `default`, so that the compiler points out each such place when a
/// kind is added.
public enum TraceEvent: Sendable, Equatable {
  /// The state of an entity at its first record in a generation, which is a stretch of the trace
  /// that can be read without the earlier records.
  case status(TraceRecord.Status)
  /// An operator made a signal.
  case signalCreated(TraceRecord.SignalCreation)
  /// The program gave the signal a name; the number is that of the name among the strings.
  case signalNamed(UInt32)
  /// The chain (asynchronous backtrace) in which the operator that made the signal was called.
  case signalMade(UInt32)
  /// The last reference to the signal was released.
  case signalReleased
  /// A subscription began.
  case subscribed(TraceRecord.Subscribing)
  /// `dispose` was called.
  case disposeRequested
  /// What ended the subscriptions whose `ended` records follow.
  case tearDown(TraceRecord.TearDown)
  /// A subscription has ended; the reason is nil if this version does not know it.
  case ended(EndReason?)
  /// The closures of a subscription have been freed.
  case subscriptionReleased
  /// The disposable was released while the subscription continued.
  case disposableReleased
  /// An object that owns subscriptions got its first one.
  case ownerCreated(TraceRecord.OwnerCreation)
  /// A subscription was bound to an owner.
  case ownerBound(TraceID)
  /// An owner has ended.
  case ownerEnded
  /// A closure of the subscription holds the object that its owner belongs to.
  case ownerHeld(TraceRecord.OwnerHolding)
  /// A value passed through the subscription; the number is the low half of the subscription's
  /// count of events.
  case next(UInt32)
  /// A failure passed through the subscription; the number is that of its type among the strings.
  case failed(UInt32)
  /// Completion passed through the subscription.
  case completed
  /// An event came too late and was dropped; nil for an event that this version does not know.
  case refused(RefusedEvent?)
  /// The number of values that the subscription holds, or of events that wait at its gate.
  case depth(UInt32)
  /// The description of the value that passed last: ``TraceRecord/valueText``.
  case value
  /// The description of the failure that follows; the number is that of its type among the strings.
  case failureText(UInt32)
  /// A delivery through a gate, which puts events of several senders in order, began.
  case turnBegan
  /// The delivery returned.
  case turnEnded
  /// A property was set by a thread that had read an earlier value than the one that it replaced.
  case valueOverwritten
  /// A scheduler accepted work.
  case hopScheduled(TraceRecord.HopScheduling)
  /// The work began to run, on the scheduler of this row.
  case hopBegan(UInt32)
  /// The work returned.
  case hopEnded
  /// The work was cancelled before it began, on the scheduler of this row.
  case hopCancelled(UInt32)
  /// Whether the thread runs the main queue, outside of scheduled work, from its next turn on; nil
  /// for a value that this version does not know.
  case runsOn(isMainQueue: Bool?)
  /// A timer was armed.
  case timerArmed(TraceRecord.TimerArming)
  /// The timer fired; the number says how many times it has.
  case timerFired(UInt32)
  /// The timer ended; nil for a reason that this version does not know.
  case timerEnded(EndReason?)
  /// A mark was set; the number is that of its name among the strings.
  case mark(UInt32)
  /// The records that follow were written by another thread.
  case threadSwitched
  /// The number of records of the thread that were dropped for lack of room.
  case recordsLost(UInt32)
  /// The level of recording changed; nil for one that this version does not know.
  case levelChanged(TraceLevel?)
  /// The process was forked; the number says how many times it has been.
  case forked(UInt32)
  /// From here on, no more segments are appended to the file of a stream.
  case tailEnded
}

extension TraceRecord {
  /// The content; nil for a continuation whose first record is missing, and for a status whose kind
  /// of entity or state this version does not know.
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
    case .valueOverwritten: .valueOverwritten
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
