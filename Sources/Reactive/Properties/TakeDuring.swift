import TraceFormat

extension Signal {
  /// Forwards values until a lifetime ends, then completes.
  ///
  /// ```
  /// source               -1-2-3-4-
  /// lifetime             -----x
  /// take(during: …)      -1-2-|
  /// ```
  ///
  /// If the lifetime has ended already, the result completes at once, and the source is never
  /// subscribed to. A trace shows the subscription among those that the lifetime owns, and *owner
  /// gone* as the cause of the source's end.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime during which values are forwarded.
  /// - Returns: A signal that completes by itself, and ends its source when it does.
  public func take(
    during lifetime: Lifetime,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(
      Site("take(during:)", file, line, column, [.bounding, .passes, .triggers]),
      .many([self, lifetime.ended]),
      argument: .none
    ) { [self] down in
      let outlet = Outlet(down)
      down.scope.own(outlet)
      lifetime.bind(down.trace)
      let source = UpstreamScope<Failure>(in: down.scope) { end in
        // If nothing can send to the source any more, the result completes at the end of the
        // lifetime (event contract, rule 11).
        if case .sourceGone = end { return }
        outlet.end(end)
      }
      let end = UpstreamScope<Never>(in: down.scope) { _ in
        source.cancel(Ending(.ownerGone))
        outlet.end(.completed)
      }
      lifetime.ended.attach(Sink(end, down.trace, outlet) { _ in })
      guard down.scope.isActive else { return }
      attach(Sink(source, down.trace, outlet) { outlet.send($0, from: source) })
    }
  }
}
