import CReactiveTraceShims
public import ReactiveTrace

/// Whether the core has to behave differently because subscriptions are recorded or logged.
@usableFromInline
enum Tracing {
  /// Whether subscriptions are recorded or logged.
  @inlinable static var isProbing: Bool { @inline(__always) get { Tracer.isProbing } }

  /// Whether an operator may subscribe to the upstream signals of another operator directly,
  /// leaving out the stage of that operator.
  ///
  /// While subscriptions are recorded or logged, every operator gets a separate subscription,
  /// unless little stack is left.
  @usableFromInline static var mayLeaveOutStages: Bool {
    !Tracer.isProbing || rxt_releases_deep()
  }
}
