import CReactiveTraceShims
import Dispatch
import Glibc
public import ReactiveTrace
import TraceFormat

/// What a signal knows of itself without its types: what a name is built from.
@usableFromInline
struct SignalNode: Sendable {
  @usableFromInline let site: Site
  @usableFromInline let argument: Argument
  /// What it is called in the trace; none if it was made while nothing was recorded.
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

/// What knows the property that a signal is of, once somebody has asked for the signal through it.
@usableFromInline
protocol Declaration: AnyObject, Sendable {
  /// `Login.username`; nil while nobody has asked, and where the program has no names of its properties.
  var declaredName: String? { get }
}

/// A signal of any type, as the tree of names sees it.
@usableFromInline
protocol AnySignal: AnyObject, Sendable {
  var node: SignalNode { get }
  /// What the trace calls it, without a copy of the node.
  var traceID: TraceID { get }
  /// The signals the operator was applied to.
  var upstreams: Upstreams { get }
}

extension Signal: AnySignal {
  @usableFromInline final var traceID: TraceID { node.id }
}

/// The signals an operator was applied to.
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

  /// Keeps them until a worker thread lets them go, whose stack is empty, if this one's is nearly full: a
  /// long chain releases itself from the end, each signal inside the release of the next.
  @usableFromInline
  func releaseFromHere() { if rxt_releases_deep() { releaseOnAnotherStack() } }

  @inline(never)
  func releaseOnAnotherStack() {
    let held = HeldSignals(all)
    Tracer.apart { DispatchQueue.global().async { held.release() } }
  }
}

/// Signals that a worker thread lets go of, after the one that is being released has.
///
/// Unchecked: one thread at a time has it.
private final class HeldSignals: @unchecked Sendable {
  private var signals: [AnyObject]

  init(_ signals: [any AnySignal]) { self.signals = signals }

  /// Waits until nobody else refers to them, but not for long: others may.
  ///
  /// Where the worker was first, the last reference would go on the stack that is nearly full, and so on with the next
  /// signal.
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

/// What stands between the parentheses of an operator in a name, or the name that a program has given.
@usableFromInline
enum Argument: Sendable {
  case none
  case closure
  case integer(Int)
  case duration(Duration)
  case text(String)
  case scheduler(SchedulerIdentity)
  /// What the closure returns, which is asked whenever somebody asks for the name.
  case written(@Sendable () -> String)
  /// Not between parentheses, but behind a point: one of several signals of an object.
  case part(String)
  /// Nothing but the signals, in an array.
  case list
  case name(String)
  /// A closure, or the name of the property that is declared.
  case declared(any Declaration)
  /// A closure, of a signal that can run into the merge that subscribes to it: its ``Joining``.
  case joining(any AnyObject & Sendable)
  /// None, of a `merge`: its ``MergedSignals``.
  case merged(any AnyObject & Sendable)
  /// A closure, of a signal that can be a level of a ``Descent``: its ``Descending``.
  case descending(any AnyObject & Sendable)
  /// None, of such a one.
  case following(any AnyObject & Sendable)
}

extension Argument {
  /// What a trace has of it.
  ///
  /// Asked only where something is recorded. What is written by a closure is so in a few of this library's operators, which
  /// put numbers together and run nothing of the program.
  var recorded: SignalArgument {
    switch self {
    case .none, .merged, .following: return .none
    case .closure, .joining, .descending, .declared: return .closure
    case .integer(let number): return .integer(number)
    case .duration(let duration):
      let (seconds, attoseconds) = duration.components
      let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isTooLongBySome) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      guard !isTooLong, !isTooLongBySome, attoseconds % 1_000_000_000 == 0 else {
        return .text("\(spelled(duration)), …")
      }
      return .duration(nanoseconds: sum)
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
