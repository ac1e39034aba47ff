import CReactiveTraceShims
import ReactiveTrace

/// How a signal that merges starts in a merge: one of its own, or the one that subscribes to it.
///
/// Merging is associative. A `flatMap` in a `flatMap` in a `flatMap` needs one gate and one count of what
/// still runs, so that a signal that is defined by itself takes no more stack and memory than one level.
@usableFromInline
final class Joining<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let start: @Sendable (Merging<Value, Failure>) -> Void

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
  /// Where it is traced or logged it is a subscription of its own, as long as the stack is far from its end.
  @inlinable @inline(__always)
  func join(_ inner: Signal<Value, Failure>) -> Bool {
    guard case .joining(let object) = inner.node.argument else { return false }
    return join(object)
  }

  @usableFromInline @inline(never)
  func join(_ object: AnyObject) -> Bool {
    if Tracer.isProbing, !rxt_releases_deep() { return false }
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
