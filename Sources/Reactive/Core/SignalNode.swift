import CReactiveTraceShims
import Dispatch
import Glibc
public import TraceFormat

/// The parts of a signal that do not depend on its types, and from which its name is built.
@usableFromInline
struct SignalNode: Sendable {
  @usableFromInline let site: Site
  @usableFromInline let argument: Argument
  /// The signal's identifier in the trace; none if the signal was made while nothing was recorded.
  @usableFromInline var id = TraceID.none

  @inlinable @inline(__always)
  init(_ site: Site, _ argument: Argument) {
    self.site = site
    self.argument = argument
  }

  var name: String? {
    switch argument {
    case .name(let name): name
    case .declared(let declaration): declaration.declaredName
    default: nil
    }
  }
}

/// Knows the `@Observed` property of the program that a signal belongs to, once the signal has been
/// read through that property.
@usableFromInline
protocol Declaration: AnyObject, Sendable {
  /// For example `Login.username`; nil if the signal has not been read through a property, or if
  /// the program contains no names of its properties.
  var declaredName: String? { get }
}

/// A signal of any type, as a node of the tree of names.
@usableFromInline
protocol AnySignal: AnyObject, Sendable {
  var node: SignalNode { get }
  /// The signal's identifier in the trace, read without copying the node.
  var traceID: TraceID { get }
  /// The signals to which the operator was applied.
  var upstreams: Upstreams { get }
}

extension Signal: AnySignal {
  @usableFromInline final var traceID: TraceID { node.id }
}

/// The signals to which an operator was applied.
@usableFromInline
enum Upstreams: Sendable {
  case none
  case one(any AnySignal)
  case many([any AnySignal])

  @usableFromInline var all: [any AnySignal] {
    switch self {
    case .none: []
    case .one(let signal): [signal]
    case .many(let signals): signals
    }
  }

  /// Lets a worker thread, whose stack is empty, release the signals if releases are deeply nested
  /// on this thread: in a long chain, each signal is released inside the release of the next one
  /// downstream.
  @usableFromInline
  func releaseFromHere() { if rxt_releases_deep() { releaseOnAnotherStack() } }

  @inline(never)
  func releaseOnAnotherStack() {
    let held = HeldSignals(all)
    onEmptyStack { held.release() }
  }
}

/// Signals that a worker thread releases after the signal that is being released now.
///
/// Unchecked: only one thread at a time uses it.
private final class HeldSignals: @unchecked Sendable {
  private var signals: [AnyObject]

  init(_ signals: [any AnySignal]) { self.signals = signals }

  /// Releases the signals when nothing else refers to them, or after a short wait: other references
  /// may last.
  ///
  /// If the worker released its reference first, the last reference would be released on the stack
  /// that is nearly full, and so on with the next signal.
  func release() {
    for index in signals.indices {
      var looks = 0
      while looks < 200, !isKnownUniquelyReferenced(&signals[index]) {
        sched_yield()
        looks += 1
      }
    }
    signals = []
  }
}

/// What a name shows between the parentheses of an operator, or the name that a program has given.
@usableFromInline
enum Argument: Sendable {
  case none
  case closure
  case integer(Int)
  case duration(Duration)
  case text(String)
  case scheduler(SchedulerIdentity)
  /// The text that a closure returns; the closure is called whenever the name is read.
  case written(@Sendable () -> String)
  /// One of several signals of an object: shown after a dot, not in parentheses.
  case part(String)
  /// The upstream signals, shown as an array.
  case list
  case name(String)
  /// Shown as a closure, or as the name of the `@Observed` property that this object knows.
  case declared(any Declaration)
  /// Shown as a closure. If a merge subscribes to the signal, this ``Joining`` can run the signal
  /// as part of that merge.
  case joining(any AnyObject & Sendable)
  /// Shown without an argument. The signal is a `merge` of these ``MergedSignals``.
  case merged(any AnyObject & Sendable)
  /// Shown as a closure. This ``Descending`` can run the signal as a level of a ``Descent``.
  case descending(any AnyObject & Sendable)
  /// Shown without an argument. This ``Descending`` can run the signal as a level of a ``Descent``.
  case following(any AnyObject & Sendable)
}

extension Argument {
  /// The form in which a trace records the argument.
  ///
  /// This property is read only if something is recorded. Only a few operators of this library use
  /// ``written(_:)``, with a closure that formats numbers and runs no code of the program.
  var recorded: SignalArgument {
    switch self {
    case .none, .merged, .following: return .none
    case .closure, .joining, .descending, .declared: return .closure
    case .integer(let number): return .integer(number)
    case .duration(let duration):
      // Longer durations do not fit in 64 bits.
      let longest = Duration.seconds(Int64.max / 1_000_000_000)
      guard duration < longest, .zero - duration < longest else {
        return .text("\(spelled(duration)), …")
      }
      let (seconds, attoseconds) = duration.components
      guard attoseconds % 1_000_000_000 == 0 else { return .text("\(spelled(duration)), …") }
      return .duration(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    case .text(let text): return .text(text)
    case .scheduler(let identity): return .scheduler(identity.traceNumber)
    case .written(let write):
      let text = write()
      return text.isEmpty ? .none : .text(text)
    case .part(let part): return .part(part)
    case .list: return .list
    case .name: return .unknown
    }
  }
}
