import TraceFormat
import Synchronization

extension MutableProperty {
  /// This property as a terminal, which is one end of a channel: to bind it to something that is
  /// not a property, or with operators in between.
  ///
  /// ```swift
  /// let model = celsius.channel()
  /// let field = text.channel()
  /// model.signal.map { String($0) }.subscribe(field)
  /// field.signal.compactMap { Int($0) }.subscribe(model)
  /// ```
  ///
  /// The terminal's signal sends the current value, then each value that the property is set to,
  /// except values that were sent to this terminal, because their sender knows them already. Each
  /// call returns another terminal; a value that is sent to one comes out of all others, so changes
  /// propagate through chains. Terminals in a ring send each other the same value for ever, unless
  /// one of the signals is `distinctUntilChanged`.
  ///
  /// When the property is released, the signal completes. Completing the terminal ends the
  /// terminal, not the property.
  ///
  /// - Returns: A new terminal, which does not keep the property alive.
  public func channel(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> ChannelTerminal<Value, Never> {
    let own = Stamps.next()
    let ending = Hub<Never, Never>()
    let isOver = BooleanDisposable()
    let changes = Signal<Value, Never>(
      Site("channel", file, line, column, .hot),
      .one(signal),
      argument: .none
    ) { [storage, signal] down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      let end = UpstreamScope<Never>(in: down.scope) { outlet.end($0) }
      ending.add(Sink(end, nil, outlet) { _ in })
      guard down.scope.isActive else { return }
      let source = UpstreamScope<Never>(in: down.scope) { outlet.end($0) }
      source.downstreamGate = outlet
      let isFirst = StageState(true)
      storage.feed(source, of: signal, to: down.trace) { stamped in
        guard isFirst.value || stamped.origin != own else { return }
        isFirst.value = false
        outlet.send(stamped.value, from: source)
      }
    }
    return ChannelTerminal(
      changes,
      send: { [storage] value in if !isOver.isDisposed { storage.set(value, origin: own) } },
      end: { end in
        isOver.dispose()
        ending.end(end)
      },
      gone: {}
    )
  }
}
