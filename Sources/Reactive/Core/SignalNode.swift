import Dispatch
public import ReactiveTrace

/// What a signal knows of itself without its types: what a name is built from.
@usableFromInline
struct SignalNode: Sendable {
  @usableFromInline let site: Site
  @usableFromInline let upstreams: Upstreams
  @usableFromInline let argument: Argument
  @usableFromInline let name: String?
  /// What it is called in the trace; none if it was made while nothing was recorded.
  @usableFromInline let id: TraceID

  @inlinable @inline(__always)
  init(_ site: Site, _ upstreams: Upstreams, _ argument: Argument, _ name: String?) {
    self.site = site
    self.upstreams = upstreams
    self.argument = argument
    self.name = name
    id = Tracer.isOn ? SignalNode.created(site, upstreams, name) : .none
  }

  @usableFromInline @inline(never)
  static func created(_ site: Site, _ upstreams: Upstreams, _ name: String?) -> TraceID {
    let id = Tracer.signalCreated(
      site: site.traceNumber,
      upstreams: upstreams.all.map { $0.node.id }
    )
    if let name { Tracer.signalNamed(id, name) }
    return id
  }
}

/// A signal of any type, as the tree of names sees it.
@usableFromInline
protocol AnySignal: AnyObject, Sendable {
  var node: SignalNode { get }
}

extension Signal: AnySignal {}

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

  /// Keeps them until a worker thread lets them go, whose stack is empty.
  @usableFromInline @inline(never)
  func releaseOnAnotherStack() { DispatchQueue.global().async { withExtendedLifetime(self) {} } }
}

/// What stands between the parentheses of an operator in a name.
@usableFromInline
enum Argument: Sendable {
  case none
  case closure
  case integer(Int)
  case duration(Duration)
  case text(String)
}
