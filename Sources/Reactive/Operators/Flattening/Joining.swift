import CReactiveTraceShims

/// The code that starts a `flatMap` or a `merge` in a ``Merging``: its own, or, for a `flatMap`,
/// that of the operator that subscribes to it.
///
/// Merging is associative, so a `flatMap` in a `flatMap` in a `flatMap` needs only one gate and one
/// count of running signals, and a recursively defined signal uses no more stack and memory than
/// one level.
@usableFromInline
class Joining<Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked because it has a subclass; both hold only constants.
  @usableFromInline final let start: @Sendable (Merging<Value, Failure>) -> Void

  @inlinable
  init(_ start: @escaping @Sendable (Merging<Value, Failure>) -> Void) { self.start = start }
}

/// Limits how deeply the starts of signals that join a merge are nested.
///
/// A signal may be started while another one, whose start has not returned, is sending a value. At
/// a depth of ``deepest``, further signals wait until one of the starts under way returns.
@usableFromInline
struct NestedStarts: Sendable {
  private static var deepest: Int { 32 }

  private var depth = 0
  private var waiting = Fifo<any AnyObject & Sendable>()

  @usableFromInline
  init() {}

  /// Returns true if `one` may be started now; otherwise one of the starts under way will start it.
  mutating func enter(_ one: any AnyObject & Sendable) -> Bool {
    if depth >= Self.deepest {
      waiting.push(one)
      return false
    }
    depth += 1
    return true
  }

  /// The next signal that waits; if there is none, decrements the depth and returns nil.
  mutating func next() -> (any AnyObject & Sendable)? {
    if let one = waiting.pop() { return one }
    depth -= 1
    return nil
  }
}

extension Merging {
  /// Starts a signal in this merge, if possible; returns false if the caller has to subscribe to
  /// it.
  ///
  /// The signal is already counted as running. While signals are traced or logged, it does not join
  /// but gets a separate subscription, unless there are many gates below or little stack is left.
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
    // The object belongs to a signal of the same types, as only such signals are subscribed to
    // here.
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
      // Only `start` adds to the nested starts.
      next = nestedStarts.withLock { $0.next() }.map {
        unsafeDowncast($0, to: Joining<Value, Failure>.self)
      }
    }
  }
}

/// The signals of a `merge`.
///
/// A merge in a merge in a merge needs only one gate, too: where the inner merge would be
/// subscribed to, its signals are subscribed to instead.
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

  /// The signals of a merge that needs no subscription of its own; nil for any other signal.
  ///
  /// While signals are traced or logged, every merge needs one, unless little stack is left.
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
  /// Subscribes to signals in order; in place of a merge it subscribes to the merged signals.
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
