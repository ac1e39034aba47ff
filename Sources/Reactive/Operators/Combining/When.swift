import TraceFormat

extension Signal {
  /// Subscribes again when this signal has failed and a trigger made from its failures sends a
  /// value.
  ///
  /// ```
  /// source                           -1-#
  /// retry(when: delayed by 2)        -1----1----1-…
  /// retry(when: delayed, take(1))    -1----1-|
  /// ```
  ///
  /// The trigger is subscribed to once, before this signal. If the trigger sends a value while it
  /// is being subscribed to, this signal is subscribed to during the delivery of that value, so
  /// that events of this signal can end the subscription even if the trigger never stops sending.
  /// That value has no other effect. Later values of the trigger are ignored unless a failure waits
  /// for one. When the trigger completes, the result completes: at once if a failure is waiting,
  /// otherwise at the next failure. When the trigger fails, the result fails at once.
  ///
  /// - Parameters:
  ///   - trigger: Makes the trigger from the failures; runs once per subscription.
  /// - Returns: A signal that fails only if the trigger does.
  public func retry<Trigger: Sendable, NewFailure: Error>(
    when trigger:
      @escaping @Sendable (_ failures: Signal<Failure, Never>) -> Signal<
        Trigger, NewFailure
      >,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, NewFailure> {
    let site = Site("retry(when:)", file, line, column, [.passes, .retries])
    return Signal<Value, NewFailure>(site, .one(self)) { [self] down in
      WhenStage<Value, Failure, Failure, Never, NewFailure>(self, down) { end in
        switch end {
        case .failed(let failure): .note(failure)
        case .completed: .end(.completed)
        case .sourceGone: .end(.sourceGone)
        }
      }
      .start(site, trigger)
    }
  }

  /// Subscribes again when this signal has completed and a trigger made from its completions sends
  /// a value.
  ///
  /// ```
  /// source                       -1-|
  /// repeat(when: delayed by 2)   -1----1----1-…
  /// ```
  ///
  /// The trigger is subscribed to once, before this signal. If the trigger sends a value while it
  /// is being subscribed to, this signal is subscribed to during the delivery of that value, so
  /// that events of this signal can end the subscription even if the trigger never stops sending.
  /// That value has no other effect. Later values of the trigger are ignored unless a completion
  /// waits for one. When the trigger completes, the result completes: at once if a completion is
  /// waiting, otherwise at the next completion. When the trigger fails, the result fails at once.
  ///
  /// - Parameters:
  ///   - trigger: Makes the trigger from the completions; runs once per subscription.
  /// - Returns: A signal that fails when this one or the trigger does.
  public func `repeat`<Trigger: Sendable>(
    when trigger:
      @escaping @Sendable (_ completions: Signal<Void, Failure>) -> Signal<
        Trigger, Failure
      >,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("repeat(when:)", file, line, column, .passes)
    return Signal(site, .one(self)) { [self] down in
      WhenStage<Value, Failure, Void, Failure, Failure>(self, down) { end in
        if case .completed = end { .note(()) } else { .end(end) }
      }
      .start(site, trigger)
    }
  }
}

/// Subscribes to a signal again whenever a trigger responds to the end of that signal.
///
/// This class is `@unchecked Sendable` because its superclass `Resubscribing` is; its own
/// properties are constant or locked.
private final class WhenStage<
  Value: Sendable,
  SourceFailure: Error,
  Note: Sendable,
  NoteFailure: Error,
  Failure: Error
>: Resubscribing, @unchecked Sendable {
  enum Reaction {
    case note(Note)
    case end(End<Failure>)
  }

  private struct State: Sendable {
    var hasBegun = false
    var isWaiting = false
    /// Whether the trigger has subscribed to the signal from which it was made, which sends the
    /// ends of the source.
    ///
    /// Until then, `kept` is the end that still has to be sent to the trigger.
    var isTriggerSubscribed = false
    var kept: Note?
    var triggerEnd: End<Failure>?
  }

  private let source: Signal<Value, SourceFailure>
  private let down: Sink<Value, Failure>
  private let outlet: Outlet<Value, Failure>
  private let react: @Sendable (End<SourceFailure>) -> Reaction
  private let notes = Hub<Note, NoteFailure>()
  private let state = Locked(State())

  init(
    _ source: Signal<Value, SourceFailure>,
    _ down: Sink<Value, Failure>,
    _ react: @escaping @Sendable (End<SourceFailure>) -> Reaction
  ) {
    self.source = source
    self.down = down
    self.react = react
    outlet = Outlet(down)
    down.scope.own(outlet)
    super.init(down.scope, downstream: outlet) { unsafeDowncast($0, to: WhenStage.self).attach() }
  }

  func start<Trigger: Sendable>(
    _ site: Site,
    _ makeTrigger: (Signal<Note, NoteFailure>) -> Signal<Trigger, Failure>
  ) {
    let hub = notes
    down.scope.own(ActionTeardown { hub.sourceGone() })
    let signal = Signal<Note, NoteFailure>(site, argument: .none, name: "ends") { [weak self] in
      hub.add($0)
      self?.triggerSubscribed()
    }
    hub.id = signal.node.id
    let triggering = UpstreamScope<Failure>(in: down.scope) { [self] in triggerEnded($0) }
    makeTrigger(signal).attach(Sink(triggering, down.trace, outlet) { [self] _ in triggered() })
    if down.scope.isActive, isFirst() { start() }
  }

  /// Returns true at the first call, when the source has not been subscribed to yet, and false at
  /// later calls.
  private func isFirst() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// Notes that the trigger has subscribed to the signal that sends the ends of the source, and
  /// sends the end that has been kept, if there is one.
  private func triggerSubscribed() {
    let kept = state.withLock { state in
      defer { state.kept = nil }
      state.isTriggerSubscribed = true
      return state.kept
    }
    if let kept { notes.send(kept) }
  }

  private func attach() {
    let part = UpstreamScope<SourceFailure>(in: down.scope) { [self] in ended($0) }
    source.attach(Sink(part, down.trace, outlet) { [outlet] in outlet.send($0, from: part) })
  }

  private func ended(_ end: End<SourceFailure>) {
    switch react(end) {
    case .end(let end): outlet.end(end)
    case .note(let note):
      let (triggerEnd, isTriggerSubscribed) = state.withLock { state in
        if state.triggerEnd == nil { state.isWaiting = true }
        if !state.isTriggerSubscribed { state.kept = note }
        return (state.triggerEnd, state.isTriggerSubscribed)
      }
      if let triggerEnd { return outlet.end(triggerEnd) }
      if isTriggerSubscribed { notes.send(note) }
    }
  }

  private func triggered() {
    if isFirst() { return start() }
    let isDue = state.withLock { state in
      defer {
        state.isWaiting = false
        state.kept = nil
      }
      return state.isWaiting
    }
    if isDue { resubscribe() }
  }

  private func triggerEnded(_ end: End<Failure>) {
    if case .failed = end { return outlet.end(end) }
    let isWaiting = state.withLock { state in
      state.triggerEnd = end
      return state.isWaiting
    }
    if isWaiting { outlet.end(end) }
  }
}
