import CReactiveTraceShims
import ReactiveTrace

/// How a signal that merges starts in a merge: one of its own, or the one that subscribes to it.
///
/// Merging is associative. A `flatMap` in a `flatMap` in a `flatMap` needs one gate and one count of what
/// still runs, so that a signal that is defined by itself takes no more stack and memory than one level.
@usableFromInline
class Joining<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked because it has a subclass; both hold constants only.
  @usableFromInline final let start: @Sendable (Merging<Value, Failure>) -> Void

  @inlinable
  init(_ start: @escaping @Sendable (Merging<Value, Failure>) -> Void) { self.start = start }
}

/// The signals that join a merge and are being started, each from inside what another one sends.
///
/// As openings of a ``Gate``: not deeper than ``deepest``; from there on they wait, and are started when
/// the others return.
@usableFromInline
struct JoiningNest<Value: Sendable, Failure: Error>: Sendable {
  private static var deepest: Int { 32 }

  private var depth = 0
  private var waiting = Fifo<Joining<Value, Failure>>()

  @usableFromInline
  init() {}

  /// True if `one` may be started now; otherwise one of those that are being started looks after it.
  mutating func enter(_ one: Joining<Value, Failure>) -> Bool {
    if depth >= Self.deepest {
      waiting.push(one)
      return false
    }
    depth += 1
    return true
  }

  /// The next that waits; nil for one level less.
  mutating func next() -> Joining<Value, Failure>? {
    if let one = waiting.pop() { return one }
    depth -= 1
    return nil
  }
}

extension Merging {
  /// Starts a signal, which counts as running already, in this merge, if it can; false if it has to be
  /// subscribed to.
  ///
  /// Where it is traced or logged it is a subscription of its own, as long as there are few of them below and the stack
  /// is far from its end.
  @inlinable @inline(__always)
  func join(_ inner: Signal<Value, Failure>) -> Bool {
    switch inner.node.argument {
    case .joining(let object): join(object)
    case .descending, .following: joinDescending(inner)
    default: false
    }
  }

  @usableFromInline @inline(never)
  func joinDescending(_ inner: Signal<Value, Failure>) -> Bool {
    let made = made(inner, in: scope)
    if case .joining(let object) = made.node.argument, join(object) { return true }
    let place = part()
    if Descent.begin(made, in: place, of: self, isCounted: true) { return true }
    run(made, in: place)
    return true
  }

  @usableFromInline @inline(never)
  func join(_ object: AnyObject) -> Bool {
    guard Descent<Value, Failure>.mayJoin(above: outlet) else { return false }
    // Only signals of the same types are subscribed to here, and each has the joining of its own.
    start(unsafeDowncast(object, to: Joining<Value, Failure>.self))
    return true
  }

  private func start(_ first: Joining<Value, Failure>) {
    guard outlet.isPathOpen else { return outlet.whenOpen { self.start(first) } }
    guard nest.withLock({ $0.enter(first) }) else { return }
    var next: Joining<Value, Failure>? = first
    while let one = next {
      if !scope.isActive {
        // Nobody listens any more.
      } else if outlet.isPathOpen {
        one.start(self)
      } else {
        outlet.whenOpen { self.start(one) }
      }
      next = nest.withLock { $0.next() }
    }
  }
}

/// The signals of a `merge`.
///
/// A merge in a merge in a merge needs one gate, too: where the first is subscribed to, the signals of the others take
/// their places.
@usableFromInline
final class MergedSignals<Value: Sendable, Failure: Error>: Joining<Value, Failure>,
  @unchecked Sendable
{
  @usableFromInline let signals: [Signal<Value, Failure>]

  @inlinable
  init(_ signals: [Signal<Value, Failure>]) {
    self.signals = signals
    super.init { merging in
      merging.subscribe(toAll: signals)
      merging.endedWell(isSourceGone: false)
    }
  }

  /// The signals of one that is a merge, and may be left out; nil of any other.
  ///
  /// Where it is traced or logged it is a subscription of its own, as long as the stack is far from its end.
  @inlinable @inline(__always)
  static func of(_ signal: Signal<Value, Failure>) -> [Signal<Value, Failure>]? {
    guard case .merged(let object) = signal.node.argument else { return nil }
    return of(object)
  }

  @usableFromInline @inline(never)
  static func of(_ object: AnyObject) -> [Signal<Value, Failure>]? {
    if Tracer.isProbing, !rxt_releases_deep() { return nil }
    return unsafeDowncast(object, to: MergedSignals.self).signals
  }
}

extension Merging {
  /// Subscribes to signals in their order, and instead of one that is a merge to those that it merges.
  @inlinable
  func subscribe(toAll signals: [Signal<Value, Failure>]) {
    for (index, signal) in signals.enumerated() {
      guard scope.isActive else { return }
      if MergedSignals.of(signal) != nil { return subscribe(toNested: signals[index...]) }
      subscribe(to: signal)
    }
  }

  @inlinable
  func subscribe(toNested signals: ArraySlice<Signal<Value, Failure>>) {
    var rest = [signals]
    while scope.isActive, let last = rest.indices.last {
      guard let signal = rest[last].popFirst() else {
        rest.removeLast()
        continue
      }
      if let inner = MergedSignals.of(signal) {
        rest.append(inner[...])
      } else {
        subscribe(to: signal)
      }
    }
  }
}
