import CReactiveTraceShims
public import ReactiveTrace

/// Whether anything is recorded or logged, for code of the core that behaves differently in that
/// case.
@usableFromInline
enum Tracing {
  /// Whether subscriptions get traced stages, or are logged.
  @inlinable static var isProbing: Bool { @inline(__always) get { Tracer.isProbing } }

  /// Whether an operator may subscribe to the upstream signals of another operator directly,
  /// leaving out the stage of that operator.
  ///
  /// If that operator is traced or logged, it gets a separate subscription, for as long as enough
  /// stack is left.
  @usableFromInline static var mayLeaveOutStages: Bool {
    !Tracer.isProbing || rxt_releases_deep()
  }
}
