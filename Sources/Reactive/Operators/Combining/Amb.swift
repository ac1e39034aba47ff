import TraceFormat

extension Signal {
  /// Forwards whichever of several signals is the first to send an event.
  ///
  /// ```
  /// a     ---1-2-|
  /// b     -3---4-5-|
  /// amb   -3---4-5-|
  /// ```
  ///
  /// The first event decides, even if it is a failure or completion. Before that event is
  /// forwarded, the subscriptions to the other signals are cancelled. If a signal sends an event
  /// while it is being subscribed to, the signals after it are not subscribed to at all. If
  /// `signals` is empty, the result completes at once.
  ///
  /// - Parameters:
  ///   - signals: Subscribed to in this order.
  /// - Returns: A signal with the events of the first signal to send an event.
  public static func amb(
    _ signals: [Signal],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("amb", file, line, column, [.merging, .partners]), .many(signals), argument: .list)
    { down in
      let stage = RaceStage(down)
      var kept: Arrival?
      for signal in signals {
        guard stage.isOpen else { return }
        kept = Arrival.collect(after: kept) { stage.add(signal, after: kept) }
      }
      stage.left(isLost: false)
    }
  }

  /// Forwards whichever of this signal and several others is the first to send an event; see
  /// ``amb(_:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - others: Subscribed to after this one, in this order.
  /// - Returns: A signal with the events of the first signal to send an event.
  public func amb(
    with others: Signal...,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    .amb([self] + others, file: file, line: line, column: column)
  }
}
