/// What happens to a request to execute an action.
@usableFromInline
enum Admission<Output: Sendable, Failure: Error>: Sendable {
  case refused
  case begins
  case waits
  case joins(Execution<Output, Failure>)
}

extension ExecutionCore {
  /// Begins the execution `own` with `down` as its subscriber.
  ///
  /// If another execution is running, applies `policy` instead; if the action is not enabled,
  /// refuses the request.
  @inlinable
  func admit(_ own: Run, _ policy: ActionPolicy, _ down: Sink<Output, ActionError<Failure>>) {
    let admission = change { state -> Admission<Output, Failure> in
      guard state.status.isEnabled else { return .refused }
      guard state.status.running > 0 else {
        state.status.running = 1
        state.current = own
        state.subscribersOfCurrent = 1
        return .begins
      }
      // `current` is nil while an execution whose subscribers have all left is being cancelled; a
      // new subscriber waits until that execution has ended.
      if policy == .share, let current = state.current {
        state.subscribersOfCurrent += 1
        return .joins(current)
      }
      state.waiting.push(own)
      return .waits
    }
    switch admission {
    case .refused:
      own.refuse()
      refused()
      down.scope.end(.failed(.notEnabled(site)))
    case .joins(let run): listen(down, to: run)
    case .waits: listen(down, to: own)
    case .begins:
      listen(down, to: own)
      began(own)
      own.begin()
    }
  }

  @inlinable
  func listen(_ down: Sink<Output, ActionError<Failure>>, to run: Run) {
    down.scope.own(ActionTeardown { [self] in leave(run) })
    run.hub.addReplaying(down)
  }

  /// Called when a subscription to `run` has ended.
  ///
  /// The end of the last subscription cancels the execution, or withdraws it from the queue.
  @inlinable
  func leave(_ run: Run) {
    let (isLast, withdrawn) = state.withLock { state -> (Bool, [Run]) in
      if state.current === run {
        state.subscribersOfCurrent -= 1
        if state.subscribersOfCurrent == 0 { state.current = nil }
        return (state.subscribersOfCurrent == 0, [])
      }
      run.withdraw()
      return (false, state.removeWithdrawn())
    }
    // Withdrawn executions are released here, with the closures that they hold, and not under the
    // lock.
    withExtendedLifetime(withdrawn) {}
    if isLast { run.cancel() }
  }
}
