import CReactiveTraceShims

/// The code that starts a `flatMap` or a `merge` in a ``Merging``, which is one subscription to a
/// merging operator.
///
/// A `flatMap` can also start in the `Merging` of the operator that subscribes to it: merging is
/// associative, so `flatMap` nested to any depth needs only one gate, which puts events in order,
/// and one count of running signals. A recursively defined signal uses no more stack and memory
/// than one level.
@usableFromInline
class Joining<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // This class is `@unchecked Sendable` because it has a subclass; both classes have only constant
  // properties.
  @usableFromInline final let start: @Sendable (Merging<Value, Failure>) -> Void

  @inlinable
  init(_ start: @escaping @Sendable (Merging<Value, Failure>) -> Void) { self.start = start }
}

/// Limits how deeply the starts of signals in one merge are nested.
///
/// While a signal is being started, it may send a value that causes another signal to start. At a
/// depth of ``deepest``, further signals wait until one of the starts under way returns.
@usableFromInline
struct NestedStarts: Sendable {
  private static var deepest: Int { 32 }

  private var depth = 0
  private var waiting = Fifo<any AnyObject & Sendable>()

  @usableFromInline
  init() {}

  /// Returns true if `one` may be started now; otherwise makes it wait until a start under way
  /// returns, and returns false.
  mutating func enter(_ one: any AnyObject & Sendable) -> Bool {
    if depth >= Self.deepest {
      waiting.push(one)
      return false
    }
    depth += 1
    return true
  }

  /// Removes and returns the next waiting signal; if no signal waits, decrements the depth and
  /// returns nil.
  mutating func next() -> (any AnyObject & Sendable)? {
    if let one = waiting.pop() { return one }
    depth -= 1
    return nil
  }
}

extension Merging {
  /// Starts a signal in this merge, if possible; returns false if the caller has to subscribe to
  /// the signal.
  ///
  /// The caller has already counted the signal as running. While signals are traced or logged, each
  /// gets a separate subscription, unless there are many gates downstream or little stack is left.
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
    let resolved = resolved(inner, in: scope)
    if case .joining(let object) = resolved.node.argument, join(object) { return true }
    let place = part()
    if Descent.begin(resolved, in: place, of: self, isCounted: true) { return true }
    run(resolved, in: place)
    return true
  }

  @usableFromInline @inline(never)
  func join(_ object: AnyObject) -> Bool {
    guard Descent<Value, Failure>.mayJoin(upstreamOf: outlet) else { return false }
    // Only signals with this merge's value and failure types are subscribed to here, so the object
    // has the same types.
    start(unsafeDowncast(object, to: Joining<Value, Failure>.self))
    return true
  }

  private func start(_ first: Joining<Value, Failure>) {
    guard outlet.isPathOpen else { return outlet.whenOpen { self.start(first) } }
    guard nestedStarts.withLock({ $0.enter(first) }) else { return }
    var next: Joining<Value, Failure>? = first
    while let one = next {
      if !scope.isActive {
        // The subscription has ended.
      } else if outlet.isPathOpen {
        one.start(self)
      } else {
        outlet.whenOpen { self.start(one) }
      }
      // Only this method adds to `nestedStarts`, so the object has the types of this merge.
      next = nestedStarts.withLock { $0.next() }.map {
        unsafeDowncast($0, to: Joining<Value, Failure>.self)
      }
    }
  }
}

/// The signals of a `merge`.
///
/// Nested merges need only one gate: instead of subscribing to an inner merge, the outer merge
/// subscribes to the signals of the inner merge.
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
      merging.endedWithoutFailure(isSourceGone: false)
    }
  }

  /// The signals of a merge that gets no subscription of its own; nil for any other signal.
  ///
  /// While signals are traced or logged, every merge gets a subscription, unless little stack is
  /// left.
  @inlinable @inline(__always)
  static func of(_ signal: Signal<Value, Failure>) -> [Signal<Value, Failure>]? {
    guard case .merged(let object) = signal.node.argument else { return nil }
    return of(object)
  }

  @usableFromInline @inline(never)
  static func of(_ object: AnyObject) -> [Signal<Value, Failure>]? {
    guard Tracing.mayLeaveOutStages else { return nil }
    return unsafeDowncast(object, to: MergedSignals.self).signals
  }
}

extension Merging {
  /// Subscribes to signals in order; instead of a signal that is a merge, subscribes to the merged
  /// signals.
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
