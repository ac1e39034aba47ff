/// An inner signal of a level of a ``Descent``; a level is one operator.
enum InnerSignal<Value: Sendable, Failure: Error>: Sendable {
  case signal(Signal<Value, Failure>)
  case infallible(Signal<Value, Never>)
  case deferred(@Sendable () -> Signal<Value, Failure>)
  /// A signal of any type, whose values are ignored.
  case ignoringValues(@Sendable (Scope<Failure>, SubscriptionTrace?) -> Void)
}

/// What a level does with an inner signal that arrives while another one is running: run it later
/// (`inTurn`), replace the running one with it (`latest`), or ignore it (`first`).
@usableFromInline
enum LevelPolicy: Sendable {
  case inTurn
  case latest
  case first
}

/// One operator of a ``Descent``.
///
/// This class is `@unchecked Sendable` because its variables are read and written only under the
/// descent's lock.
final class DescentLevel<Value: Sendable, Failure: Error>: @unchecked Sendable {
  let policy: LevelPolicy
  /// The level below, which runs this level as its inner signal; nil for the lowest level.
  ///
  /// `number` is the number of this level among the inner signals of the level below.
  var below: DescentLevel?
  var number = 0
  /// The level above, which is the inner signal of this level.
  ///
  /// Not retained, because the level above retains this one. The reference is not used once the
  /// level above has been released.
  unowned(unsafe) var above: DescentLevel?
  /// The number of inner signals so far, including the current one.
  var count = 0
  var waiting = Fifo<InnerSignal<Value, Failure>>()
  /// Whether the level's source may still send.
  var isOpen = true
  /// Whether the level has an inner signal that has not ended.
  var isBusy = false
  /// Whether the source or an inner signal of the level ended without an event (event contract,
  /// rule 11).
  var isLost = false
  /// Whether this level has been dropped, because another inner signal has replaced it, or because
  /// everything has been dropped.
  var isDropped = false
  var source: Subscription?

  init(_ policy: LevelPolicy) { self.policy = policy }

  /// Whether the inner signal with this number has been replaced, either at this level or because a
  /// lower level has replaced the inner signal that contains it.
  func isReplaced(_ number: Int) -> Bool {
    var (level, number) = (self, number)
    while true {
      if level.isDropped || (level.policy == .latest && level.count != number) { return true }
      guard let below = level.below else { return false }
      (level, number) = (below, level.number)
    }
  }
}

/// The scope (the object that ends a subscription) of the only signal that runs, or is about to
/// run, in a ``Descent``.
///
/// This class is `@unchecked Sendable` because its superclass `Scope` is; `level`, `number` and
/// `isLost` are read and written only under the descent's lock.
final class DescentPart<Value: Sendable, Failure: Error>: Scope<Failure>, @unchecked Sendable {
  private let descent: Descent<Value, Failure>
  /// The level whose inner signal runs in this scope; `number` is the number of that inner signal.
  var level: DescentLevel<Value, Failure>
  var number: Int
  /// Whether this part ended without an event, or `isLost` was set for a level that was removed
  /// because it only waited for this part.
  var isLost = false
  private var nearest: GatedStage?

  init(_ descent: Descent<Value, Failure>, _ level: DescentLevel<Value, Failure>) {
    self.descent = descent
    self.level = level
    number = level.count
    super.init()
  }

  override var downstreamGate: GatedStage? {
    get { nearest ?? descent.outlet }
    set { nearest = newValue }
  }

  override func ended(_ end: End<Failure>) {
    descent.place.release(self)
    descent.ended(self, end)
  }

  var wasDropped: Bool { wasAbandoned || descent.place.wasAbandoned }

  func handler() -> @Sendable (Value) -> Void { { self.receive($0) } }

  private func receive(_ value: Value) {
    let outlet = descent.outlet
    if outlet.gate.enter() {
      if !wasDropped { outlet.pass(value) }
      outlet.gate.leave()
    } else {
      outlet.enqueue { if !self.descent.isStale(self) { outlet.pass(value) } }
    }
  }
}

/// The signals and subscriptions that have been removed from a ``Descent``, to be cancelled and
/// released outside the lock.
struct Dropped<Value: Sendable, Failure: Error>: Sendable {
  var part: DescentPart<Value, Failure>?
  var next: InnerSignal<Value, Failure>?
  /// The subscriptions to the sources of the removed levels, from the highest level to the lowest.
  var sources: [Subscription] = []
  var waiting: [Fifo<InnerSignal<Value, Failure>>] = []

  func cancel(in place: Scope<Failure>) {
    if let part { place.drop(part) }
    for source in sources { place.drop(source) }
  }
}

/// The levels of a ``Descent``: a linked list in which only the highest level may run a signal.
///
/// The levels are objects that are changed only under the descent's lock.
struct DescentState<Value: Sendable, Failure: Error>: Sendable {
  enum Next: Sendable {
    case nothing
    case start
    case end(isLost: Bool)
  }

  private static var deepest: Int { 32 }

  /// The highest level.
  ///
  /// Initially, it is also the lowest level. The lowest level represents the descent's `place`: it
  /// has one inner signal, and ends when that signal ends.
  private(set) var top: DescentLevel<Value, Failure>
  /// The part that runs in the highest level.
  var part: DescentPart<Value, Failure>?
  /// The signal for `part`, until it is started.
  private var signal: InnerSignal<Value, Failure>?
  /// The number of loops, on all threads, that are starting signals.
  ///
  /// Loops are nested if a signal sends a value while it is being started, and the value causes
  /// another signal to start.
  private var depth = 0

  init() {
    top = DescentLevel(.inTurn)
    top.isOpen = false
  }

  /// Gives the highest level a signal to run.
  mutating func occupy(
    _ level: DescentLevel<Value, Failure>,
    _ inner: InnerSignal<Value, Failure>,
    in descent: Descent<Value, Failure>
  ) {
    level.isBusy = true
    level.count += 1
    part = DescentPart(descent, level)
    signal = inner
    removeIfPassThrough(level)
  }

  /// Decides what happens after the highest level has become idle.
  ///
  /// The level's next waiting signal starts. A level that has no waiting signal and will not get
  /// another is removed, and the level below it continues in the same way. When the lowest level
  /// has no more signals, everything ends.
  mutating func advance(in descent: Descent<Value, Failure>) -> Next {
    while true {
      let level = top
      if level.isBusy { return .nothing }
      if let inner = level.waiting.pop() {
        occupy(level, inner, in: descent)
        return .start
      }
      if level.isOpen { return .nothing }
      guard let below = level.below else { return .end(isLost: level.isLost) }
      below.above = nil
      below.isBusy = false
      if level.isLost { below.isLost = true }
      top = below
    }
  }

  /// Removes a level if it only waits for its inner signal to end.
  mutating func removeIfPassThrough(_ level: DescentLevel<Value, Failure>) {
    guard !level.isOpen, level.isBusy, level.waiting.isEmpty, let below = level.below else {
      return
    }
    if let above = level.above {
      above.below = below
      above.number = level.number
      if level.isLost { above.isLost = true }
      below.above = above
    } else if let part {
      part.level = below
      part.number = level.number
      if level.isLost { part.isLost = true }
      below.above = nil
      top = below
    }
  }

  /// Replaces a signal that has not been started yet with a level; returns nil if another signal
  /// has replaced it in the meantime.
  mutating func push(
    _ policy: LevelPolicy,
    instead part: DescentPart<Value, Failure>
  ) -> DescentLevel<Value, Failure>? {
    guard self.part === part else { return nil }
    let level = DescentLevel<Value, Failure>(policy)
    level.below = part.level
    level.number = part.number
    level.isLost = part.isLost
    part.level.above = level
    top = level
    self.part = nil
    return level
  }

  /// Whether no other signal will run after that of `part`.
  func isLast(_ part: DescentPart<Value, Failure>) -> Bool {
    self.part === part && part.level.below == nil
  }

  // MARK: Starts

  mutating func enter() -> Bool {
    if signal == nil || depth >= Self.deepest { return false }
    depth += 1
    return true
  }

  /// Takes the signal that is to be started next.
  ///
  /// Returns nil if no signal is to be started; the caller's loop then ends, and `depth` no longer
  /// counts the loop.
  mutating func next() -> (InnerSignal<Value, Failure>, DescentPart<Value, Failure>)? {
    if let signal, let part {
      self.signal = nil
      return (signal, part)
    }
    depth -= 1
    return nil
  }

  // MARK: Drops

  mutating func drop(above level: DescentLevel<Value, Failure>) -> Dropped<Value, Failure> {
    part?.abandon()
    var dropped = Dropped(part: part, next: signal)
    part = nil
    signal = nil
    while top !== level, let below = top.below {
      top.isDropped = true
      if let source = top.source { dropped.sources.append(source) }
      if !top.waiting.isEmpty { dropped.waiting.append(top.waiting) }
      top.source = nil
      top.waiting = Fifo()
      top.below = nil
      top = below
    }
    level.above = nil
    return dropped
  }

  /// Drops everything; nothing can be started afterwards.
  mutating func dropAll() -> Dropped<Value, Failure> {
    var lowest = top
    while let below = lowest.below { lowest = below }
    return drop(above: lowest)
  }
}
