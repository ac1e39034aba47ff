/// A signal that a level of a ``Descent`` runs.
enum InnerSignal<Value: Sendable, Failure: Error>: Sendable {
  case signal(Signal<Value, Failure>)
  case infallible(Signal<Value, Never>)
  case deferred(@Sendable () -> Signal<Value, Failure>)
  /// A signal of any type, whose values are ignored.
  case ignoringValues(@Sendable (Scope<Failure>, SubscriptionTrace?) -> Void)
}

/// What a level does with a signal that comes while another runs.
@usableFromInline
enum LevelPolicy: Sendable {
  case inTurn
  case latest
  case first
}

/// One operator of a ``Descent``.
///
/// Unchecked: its variables are read and written under the descent's lock.
final class DescentLevel<Value: Sendable, Failure: Error>: @unchecked Sendable {
  let policy: LevelPolicy
  /// The level whose inner signal this one is, and the number of that inner signal; nil for the
  /// lowest.
  var below: DescentLevel?
  var number = 0
  /// The level that is the inner signal of this one.
  ///
  /// Not retained: it refers to this one, and is cleared before it is released.
  unowned(unsafe) var above: DescentLevel?
  /// How many inner signals it has had.
  var count = 0
  var waiting = Fifo<InnerSignal<Value, Failure>>()
  /// Whether its source may still send.
  var isOpen = true
  /// Whether it has an inner signal.
  var isBusy = false
  /// Whether a part of it ended without an event.
  var isLost = false
  /// Whether another inner signal has replaced this level.
  var isDropped = false
  var source: Subscription?

  init(_ policy: LevelPolicy) { self.policy = policy }

  /// Whether the inner signal of that number has been replaced, here or further down.
  func isReplaced(_ number: Int) -> Bool {
    var (level, number) = (self, number)
    while true {
      if level.isDropped || (level.policy == .latest && level.count != number) { return true }
      guard let below = level.below else { return false }
      (level, number) = (below, level.number)
    }
  }
}

/// The scope of the one signal that runs in a ``Descent``, or is about to run.
///
/// Unchecked as `Scope` is; its level is read and written under the descent's lock.
final class DescentPart<Value: Sendable, Failure: Error>: Scope<Failure>, @unchecked Sendable {
  private let descent: Descent<Value, Failure>
  /// The level whose inner signal it is, and the number of that inner signal.
  var level: DescentLevel<Value, Failure>
  var number: Int
  /// Whether a part of a level that it has replaced ended without an event.
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

/// Subscriptions that no longer run, to be cancelled and released outside the lock.
struct Dropped<Value: Sendable, Failure: Error>: Sendable {
  var part: DescentPart<Value, Failure>?
  var next: InnerSignal<Value, Failure>?
  /// From the highest level to the lowest.
  var sources: [Subscription] = []
  var waiting: [Fifo<InnerSignal<Value, Failure>>] = []

  func cancel(in place: Scope<Failure>) {
    if let part { place.drop(part) }
    for source in sources { place.drop(source) }
  }
}

/// The levels of a ``Descent``: a list, of which only the highest level may run a signal.
///
/// A pure value except for the levels, which only this type changes.
struct DescentState<Value: Sendable, Failure: Error>: Sendable {
  enum Next: Sendable {
    case nothing
    case start
    case end(isLost: Bool)
  }

  private static var deepest: Int { 32 }

  /// The lowest level represents the place: it has one inner signal, and ends with it.
  private(set) var top: DescentLevel<Value, Failure>
  /// The part that runs in the highest level.
  var part: DescentPart<Value, Failure>?
  /// The signal for `part`, until it is started.
  private var signal: InnerSignal<Value, Failure>?
  /// How many starts are under way, each from inside what another one sends, or on another thread.
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

  /// The signal to run after the highest level has become idle: its next one, or that of a lower
  /// level.
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

  /// Removes a level that only waits for its inner signal.
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

  /// Replaces a signal that has not been started with a level; nil if that signal has been replaced
  /// meanwhile.
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

  /// Whether nothing follows the part.
  func isLast(_ part: DescentPart<Value, Failure>) -> Bool {
    self.part === part && part.level.below == nil
  }

  // MARK: Starts

  mutating func enter() -> Bool {
    if signal == nil || depth >= Self.deepest { return false }
    depth += 1
    return true
  }

  /// The next signal to start; if there is none, counts one start less and returns nil.
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

  /// Drops everything, permanently.
  mutating func dropAll() -> Dropped<Value, Failure> {
    var lowest = top
    while let below = lowest.below { lowest = below }
    return drop(above: lowest)
  }
}
