import TraceFormat
import Synchronization

extension Connection {
  /// Connects when the first subscriber subscribes, and ends the shared subscription when the last
  /// one has ended.
  ///
  /// ```
  /// first      -1-2-
  /// second       -2-3-        both left: the source is ended
  /// third             (gone)
  /// ```
  ///
  /// Several such signals of one connection count their subscribers together. A connection is made
  /// only once: a subscriber that comes after the last one has ended gets the kept values, and ends
  /// without an event. To start anew in that case, use
  /// ``Signal/share(replay:scope:file:line:column:)``; `refCount` of RxSwift and `autoconnect` of
  /// Combine do that.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that keeps this connection, connected or not.
  public func autoconnect(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Value, Failure> {
    Signal(
      Site("autoconnect", file, line, column, .passes),
      .one(signal),
      argument: .none
    ) { [self] in add($0) }
  }

  private func add(_ down: Sink<Value, Failure>) {
    run.members.wrappingAdd(1, ordering: .acquiringAndReleasing)
    down.scope.own(ActionTeardown { [run] in run.leave() })
    signal.attach(down)
    connect()
  }
}

extension SharedRun {
  fileprivate func leave() {
    let (_, left) = members.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    if left == 0 { scope.dispose() }
  }
}
