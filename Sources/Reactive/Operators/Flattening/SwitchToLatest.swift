public import TraceFormat

extension Signal {
  /// Forwards the values of the latest signal that this signal has sent.
  ///
  /// ```
  /// source          -A------B------|
  /// A                 -1-2-3-4-…
  /// B                        -5-6-|
  /// switchToLatest  ---1-2-3--5-6--|
  /// ```
  ///
  /// The previous inner signal is disposed of before the new one is subscribed to, and none of its
  /// values is delivered any more. The result completes when this signal and the latest inner
  /// signal have completed, and fails as soon as one of them fails. As with `concatMap`, a
  /// recursively defined signal uses no more stack and memory than one level.
  @inlinable
  public func switchToLatest<Inner: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> where Value == Signal<Inner, Failure> {
    Signal<Inner, Failure>(
      gated: Site("switchToLatest", file, line, column, [.merging, .flattens]),
      .one(self),
      argument: switching()
    ) { [self] down in
      let stage = SwitchStage(down)
      attach(Sink(stage.merging.part(), down.trace, stage.merging.outlet) { stage.receive($0) })
    }
  }

  @usableFromInline @inline(never)
  func switching<Inner: Sendable>() -> Argument where Value == Signal<Inner, Failure> {
    .following(Descending<Inner, Failure>(.latest, of: self) { .signal($0) })
  }
}
