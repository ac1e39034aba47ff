import ReactiveTrace

extension OperatorTurn {
  /// Records in the trace how many values, or inner signals, the operator keeps now.
  public func holds(_ count: Int) { HeldCount(of: core.trace).changed(to: count) }
}
