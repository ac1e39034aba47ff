import CReactiveTraceShims
public import ReactiveTrace

/// Whether anything is recorded, for what the core does otherwise then.
@usableFromInline
enum Tracing {
  /// Whether subscriptions get traced stages, or are logged.
  @inlinable static var isProbing: Bool { @inline(__always) get { Tracer.isProbing } }

  /// Whether an operator may subscribe to the signals of another one in place of that one.
  ///
  /// If that one is traced or logged, it gets a separate subscription, for as long as enough stack is
  /// left.
  @usableFromInline static var mayLeaveOutStages: Bool {
    !Tracer.isProbing || rxt_releases_deep()
  }
}
