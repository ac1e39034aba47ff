import TraceFormat

extension Signal {
  /// Forwards this signal's events to a subject, including the end.
  ///
  /// The subscription keeps the subject alive, because it is one of the subject's senders. Several
  /// signals may be forwarded to one subject; the first of them to end also ends the subject and
  /// all these subscriptions, and later ones end at once. If nothing can send to this signal any
  /// more, the subject continues without it.
  ///
  /// - Parameters:
  ///   - receiver: The subject.
  ///   - noClosure: Never passed: it prevents a trailing closure from being taken for `receiver`.
  /// - Returns: A disposable that ends the subscription, not the subject. Dropping it does not end
  ///   the subscription (event contract, rule 7).
  @discardableResult
  public func subscribe<Receiver: EventHub>(
    _ receiver: Receiver,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> any Disposable where Receiver.Value == Value, Receiver.Failure == Failure {
    let observers = (receiver as? ChannelTerminal<Value, Failure>)?.observers
    let hub = (receiver as? any HubOwner)?.untypedHub
    let signal = receiver.signal
    return forward(to: receiver, Site("subscribe", file, line, column, .root)) { watch in
      if let observers { return observers.add(Sink(watch, nil, nil) { _ in }) }
      hub?.excludeFromObservers(watch)
      signal.start(signal, watch, nil, { _ in }, .inner)
    }
  }

  /// Forwards this signal's events to a receiver, including the end.
  ///
  /// The subscription keeps the receiver alive. If the receiver stops accepting events, the
  /// subscription does not notice, and continues to send. (A receiver that shows its end is an
  /// ``EventHub``.)
  ///
  /// - Parameters:
  ///   - receiver: Where the events go.
  ///   - noClosure: Never passed: it prevents a trailing closure from being taken for `receiver`.
  /// - Returns: A disposable that ends the subscription. Dropping it does not end the subscription
  ///   (event contract, rule 7).
  @discardableResult
  public func subscribe<Receiver: EventReceiver>(
    _ receiver: Receiver,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    noClosure: ((Never) -> Void)? = nil
  ) -> any Disposable where Receiver.Value == Value, Receiver.Failure == Failure {
    forward(to: receiver, Site("subscribe", file, line, column, .root), watching: nil)
  }

  /// Forwards the events until the receiver ends: `watching` subscribes to a signal that ends with
  /// an event when the receiver does.
  ///
  /// If that signal ends without an event, forwarding continues.
  private func forward<Receiver: EventReceiver>(
    to receiver: Receiver,
    _ site: Site,
    watching: ((UpstreamScope<Failure>) -> Void)?
  ) -> any Disposable where Receiver.Value == Value, Receiver.Failure == Failure {
    let whole = UpstreamScope<Failure> { end in
      switch end {
      case .completed: receiver.complete()
      case .failed(let error): receiver.fail(error)
      case .sourceGone: break
      }
    }
    if let watching {
      // Weak, because the subject holds `watch`, one of its subscribers, and must not keep `whole`
      // alive: `whole` may end by being released.
      let watch = UpstreamScope<Failure> { [weak whole] end in
        if case .sourceGone = end { return }
        whole?.dispose()
      }
      whole.own(watch)
      watching(watch)
      guard whole.isActive else { return whole }
    }
    if Tracing.isProbing { return begin(whole, site) { receiver.send($0) } }
    if NestingLimit.isReached {
      startLater(whole) { receiver.send($0) }
      return whole
    }
    NestingLimit.enter()
    start(self, whole, nil, { receiver.send($0) }, .root)
    NestingLimit.leave()
    return whole
  }

  /// Forwards this signal's events to the observer of a `create`, including the end.
  ///
  /// The subscription ends together with the subscription that the observer belongs to. Several
  /// signals may be forwarded to one observer, to which other code may also send; the first of
  /// these signals to end ends the observer and all these subscriptions, and later ones end at
  /// once.
  ///
  /// - Parameter observer: Where the events go.
  /// - Returns: A disposable that ends this subscription, not the observer's. Dropping it does not
  ///   end the subscription (event contract, rule 7).
  @discardableResult
  public func subscribe(_ observer: Observer<Value, Failure>) -> any Disposable {
    let outlet = observer.handle.outlet
    let owner = outlet.scope
    // The closure holds the observer, because a stage need not keep the receiver of its values
    // alive, and the observer must live until this source ends.
    let source = UpstreamScope<Failure>(in: owner) { end in
      switch end {
      case .completed, .failed: observer.handle.outlet.end(end)
      case .sourceGone: break
      }
    }
    source.own(ActionTeardown { [weak source] in source.map { owner.release($0) } })
    guard source.isActive else { return source }
    attach(Sink(source, outlet.trace, outlet) { outlet.send($0, from: source) })
    return source
  }
}
