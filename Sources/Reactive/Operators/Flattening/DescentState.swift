import ReactiveTrace

/// A signal that a level of a ``Descent`` runs.
enum InnerSignal<Value: Sendable, Failure: Error>: Sendable {
  case signal(Signal<Value, Failure>)
  case infallible(Signal<Value, Never>)
  case made(@Sendable () -> Signal<Value, Failure>)
  /// One whose values nobody gets, of whatever type.
  case unheard(@Sendable (Scope<Failure>, SubscriptionTrace?) -> Void)
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
/// Unchecked: what changes is read and written under the descent's lock.
final class DescentLevel<Value: Sendable, Failure: Error>: @unchecked Sendable {
  let policy: LevelPolicy
  /// The level whose inner signal this one is, and which of them; nil for the lowest.
  var below: DescentLevel?
  var number = 0
  /// The level that is the inner signal of this one.
  ///
  /// Not retained: it refers to this one, and is told before it goes.
  unowned(unsafe) var above: DescentLevel?
  /// How many inner signals it has had.
  var count = 0
  var waiting = Fifo<InnerSignal<Value, Failure>>()
  /// Whether its source may still send.
  var isOpen = true
  /// Whether it has an inner signal.
  var isBusy = false
  /// Whether something of it ended without an event.
  var isLost = false
  /// Whether another inner signal has taken the place that this level had.
  var isDropped = false
  var source: Subscription?

  init(_ policy: LevelPolicy) { self.policy = policy }

  /// Whether what the inner signal of that number sent has been replaced, here or further down.
  func isPast(_ number: Int) -> Bool {
    var (level, number) = (self, number)
    while true {
      if level.isDropped || (level.policy == .latest && level.count != number) { return true }
      guard let below = level.below else { return false }
      (level, number) = (below, level.number)
    }
  }
}

/// The scope of the one signal that runs in a ``Descent``, or is about to.
///
/// Unchecked for what `Scope` says; its place is read and written under the descent's lock.
final class DescentPart<Value: Sendable, Failure: Error>: Scope<Failure>, @unchecked Sendable {
  private let descent: Descent<Value, Failure>
  /// The level whose inner signal it is, and which of them.
  var level: DescentLevel<Value, Failure>
  var number: Int
  /// Whether a level that it has taken the place of lost something.
  var isLost = false
  private var nearest: GatedStage?

  init(_ descent: Descent<Value, Failure>, _ level: DescentLevel<Value, Failure>) {
    self.descent = descent
    self.level = level
    number = level.count
    super.init()
  }

  override var below: GatedStage? {
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
      outlet.later { if !self.descent.isStale(self) { outlet.pass(value) } }
    }
  }
}

/// What runs no more, to be cancelled and released outside the lock.
struct Dropped<Value: Sendable, Failure: Error>: Sendable {
  var part: DescentPart<Value, Failure>?
  var next: InnerSignal<Value, Failure>?
  /// From the top down.
  var sources: [Subscription] = []
  var waiting: [Fifo<InnerSignal<Value, Failure>>] = []

  func cancel(in place: Scope<Failure>) {
    if let part { place.drop(part) }
    for source in sources { place.drop(source) }
  }
}

/// The levels of a ``Descent``: a list, of which the highest one runs a signal, or none.
///
/// A pure value but for the levels, which only this changes.
struct DescentState<Value: Sendable, Failure: Error>: Sendable {
  enum Next: Sendable {
    case nothing
    case start
    case end(isLost: Bool)
  }

  private static var deepest: Int { 32 }

  /// The lowest level stands for the place: it has one inner signal, and ends with it.
  private(set) var top: DescentLevel<Value, Failure>
  /// What runs in the highest level.
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
    leaveOut(level)
  }

  /// After the highest level has become idle: its next signal, or that of a lower one.
  mutating func goOn(in descent: Descent<Value, Failure>) -> Next {
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

  /// Takes a level out that has nothing left to do but to wait for its inner signal.
  mutating func leaveOut(_ level: DescentLevel<Value, Failure>) {
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

  /// Puts a level in the place of a signal that has not been started; nil if that has been replaced.
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

  /// Whether nothing follows that part.
  func isLast(_ part: DescentPart<Value, Failure>) -> Bool {
    self.part === part && part.level.below == nil
  }

  // MARK: Starts

  mutating func enter() -> Bool {
    if signal == nil || depth >= Self.deepest { return false }
    depth += 1
    return true
  }

  /// What is to be started next; nil for one start less.
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

  /// All of it, for good.
  mutating func dropAll() -> Dropped<Value, Failure> {
    var lowest = top
    while let below = lowest.below { lowest = below }
    return drop(above: lowest)
  }
}
