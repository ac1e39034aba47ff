import TraceFormat

extension Signal {
  /// Forwards only the inner signal that is the first to send a value or to end; the inner signals
  /// are the values of this signal.
  ///
  /// ```
  /// source        -A-B-----C-|
  /// A              -----1-2-|
  /// B                --3-4-|
  /// flattenRace   -----3-4-|
  /// ```
  ///
  /// The first event of an inner signal decides, even if it is a failure or completion: the
  /// subscriptions to the other inner signals and to this signal are disposed of before the event
  /// is forwarded. Inner signals that this signal would have sent later are never subscribed to.
  ///
  /// - Returns: A signal that ends as the chosen inner signal does. If this signal fails before an
  ///   inner signal is chosen, or completes without having sent an inner signal, the result ends in
  ///   the same way.
  /// - Complexity: Retains the inner signals until one of them has sent or ended.
  public func flattenRace<Inner: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      Site("flattenRace", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: .none
    ) { [self] down in
      let stage = RaceStage(down)
      let outer = UpstreamScope<Failure>(in: down.scope) { end in
        switch end {
        case .completed: stage.left(isLost: false)
        case .failed: if stage.wins(-1) { down.scope.end(end) }
        case .sourceGone: stage.left(isLost: true)
        }
      }
      stage.join(outer, -1)
      attach(Sink(outer, down.trace, down.downstreamGate) { stage.add($0) })
    }
  }
}
