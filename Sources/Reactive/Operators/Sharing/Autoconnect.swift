import TraceFormat
import Synchronization

extension Connection {
  /// Connects when the first subscriber subscribes, and ends the shared subscription when the last
  /// subscriber has ended.
  ///
  /// ```
  /// first      -1-2-
  /// second       -2-3-        when both have ended, the source is disposed of
  /// third                     ends without an event
  /// ```
  ///
  /// If this method is called several times on one connection, the subscribers of all resulting
  /// signals are counted together. The source is subscribed to only once: a subscriber that arrives
  /// after the shared subscription has ended in this way gets the values that the connection
  /// keeps, if any, and then ends without an event; behind `multicast(_:)`, it waits for what is sent
  /// into the subject. To subscribe to the source again in that case,
  /// as `refCount` of RxSwift and `autoconnect` of Combine do, use
  /// ``Signal/share(replay:scope:file:line:column:)``.
  ///
  /// - Returns: A signal that retains this connection.
  public func autoconnect(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
