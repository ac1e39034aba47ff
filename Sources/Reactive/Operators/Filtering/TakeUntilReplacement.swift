public import TraceFormat

extension Signal {
  /// Forwards values until another signal sends any event, then forwards that signal instead.
  ///
  /// ```
  /// source                       -1-2-3-4-|
  /// replacement                  ----a--b--|
  /// take(untilReplacement: …)    -1-2a--b--|
  /// ```
  ///
  /// The first event of the replacement ends the source; if it is a failure or completion, it also
  /// ends the result. Until then, a failure of the source is forwarded, but completion of the
  /// source is not, because the replacement may still send events. The replacement is subscribed to
  /// first: if it sends an event at once, the source is never subscribed to.
  ///
  /// No event of the source is delivered after the first event of the replacement, not even an
  /// event that is already queued. If the replacement can no longer send and has sent no event, the
  /// source continues; when the source has completed, the result ends without an event (event
  /// contract, rule 11).
  ///
  /// - Parameters:
  ///   - replacement: Takes over with its first event.
  /// - Returns: A signal that ends as the replacement does, unless this signal fails first.
  @inlinable
  public func take(
    untilReplacement replacement: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("take(untilReplacement:)", file, line, column, [.merging, .passes]),
      .many([self, replacement]),
      argument: .none
    ) { [self] down in
      let stage = ReplacementStage(down)
      let outlet = stage.outlet
      let original = UpstreamScope<Failure>(in: down.scope) { stage.originalEnded($0) }
      let successor = UpstreamScope<Failure>(in: down.scope) {
        stage.successorEnded($0, of: original)
      }
      let begun = Arrival.collect {
        replacement.attach(
          Sink(successor, down.trace, outlet) { stage.receiveSuccessor($0, of: original) }
        )
      }
      guard original.isActive else { return }
      attach(Sink(original, down.trace, outlet) { outlet.send($0, from: original) }, after: begun)
    }
  }
}

/// The state of one subscription to `take(untilReplacement:)`.
///
/// This class is `@unchecked Sendable` because its state is used only inside the gate of the
/// outlet, which lets one thread at a time deliver events.
@usableFromInline
final class ReplacementStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let outlet: Outlet<Value, Failure>
  @exclusivity(unchecked) @usableFromInline var isReplaced = false
  @exclusivity(unchecked) @usableFromInline var hasLostSource = false
  @exclusivity(unchecked) @usableFromInline var originalIsOver = false

  @inlinable
  init(_ down: Sink<Value, Failure>) {
    outlet = Outlet(down)
    down.scope.own(outlet)
  }

  @inlinable
  func receiveSuccessor(_ value: Value, of original: Scope<Failure>) {
    outlet.run(self, value, original) {
      $0.takeOver($2)
      $0.outlet.pass($1)
    }
  }

  /// Ends the source, at the first event of the replacement.
  @inlinable
  func takeOver(_ original: Scope<Failure>) {
    if isReplaced { return }
    isReplaced = true
    original.abandon()
    original.cancel(.cancelled)
    outlet.scope.release(original)
  }

  @inlinable
  func originalEnded(_ end: End<Failure>) {
    outlet.run(self, end) { $0.noteOriginal($1) }
  }

  @inlinable
  func noteOriginal(_ end: End<Failure>) {
    if isReplaced { return }
    originalIsOver = true
    if case .failed = end { return outlet.scope.end(end) }
    if hasLostSource { outlet.scope.end(.sourceGone) }
  }

  @inlinable
  func successorEnded(_ end: End<Failure>, of original: Scope<Failure>) {
    outlet.run(self, end, original) { $0.noteSuccessor($1, $2) }
  }

  @inlinable
  func noteSuccessor(_ end: End<Failure>, _ original: Scope<Failure>) {
    if case .sourceGone = end, !isReplaced, !originalIsOver {
      hasLostSource = true
    } else {
      takeOver(original)
      outlet.scope.end(end)
    }
  }
}
