import TraceFormat

extension Signal {
  /// Sends a window, a signal of values, for each value of another signal.
  ///
  /// A window ends when a third signal sends; windows may overlap.
  ///
  /// ```
  /// source                      -1-2-3-4-5-6-|
  /// openings                    --x-x---------
  /// closing                       ----|          of each opening
  /// window(openings:closing:)   --a-b--------|
  /// a                             -2-3|
  /// b                               -3-4|
  /// ```
  ///
  /// The first value or the completion of the signal that the closure makes from an opening
  /// completes the window of that opening. A failure of such a signal ends nothing, and neither
  /// does any end of the openings: windows continue until the source ends. The openings are
  /// subscribed to first, and a closing signal when its window has been sent. Windows are hot; see
  /// ``groupBy(_:file:line:column:)`` for the values kept for their first subscriber, for how long
  /// the source is subscribed to, and for the order of the ends.
  ///
  /// - Parameters:
  ///   - openings: Its values begin the windows.
  ///   - closing: Runs once per value of the openings and subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of windows, which ends exactly when this one does, and in the same way.
  /// - Complexity: The cost of each value is proportional to the number of open windows.
  public func window<
    Opening: Sendable,
    OpeningFailure: Error,
    Closing: Sendable,
    ClosingFailure: Error
  >(
    openings: Signal<Opening, OpeningFailure>,
    closing: @escaping @Sendable (Opening) -> Signal<Closing, ClosingFailure>,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<Signal, Failure> {
    // It is bounding because endless openings end with the source.
    let site = Site("window(openings:closing:)", file, line, column, [.bounding, .triggers])
    return Signal<Signal, Failure>(site, .many([self, openings])) { [self] down in
      let stage = WindowsStage(down, site)
      let scope = stage.source.scope
      let kept = Arrival.collect {
        openings.attachOpening(in: scope, down.trace, stage.outlet, closing: closing) {
          stage.open($0)
        } close: {
          stage.close($0)
        }
      }
      guard scope.isActive else { return }
      attach(Sink(scope, down.trace, stage.outlet) { stage.receive($0) }, after: kept)
    }
  }
}

/// The windows of one subscription that are open, changed inside the gate of the outlet only.
///
/// Its `Sendable` conformance is unchecked for that reason.
private final class WindowsStage<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private struct Window {
    let number: Int
    let branch: Branch<Value, Failure>
  }

  let outlet: Outlet<Signal<Value, Failure>, Failure>
  let source: BranchSource<Value, Failure>
  private let site: Site
  @exclusivity(unchecked) private var windows: [Window] = []

  init(_ down: Sink<Signal<Value, Failure>, Failure>, _ site: Site) {
    outlet = Outlet(down)
    down.scope.own(outlet)
    source = BranchSource(for: down.scope) { [outlet] source, end in
      outlet.run { source.end(end) }
    }
    self.site = site
  }

  func open(_ number: Int) {
    outlet.run {
      guard self.outlet.isActive else { return }
      let (branch, signal) = self.source.open(self.site, isOnly: false)
      self.windows.append(Window(number: number, branch: branch))
      self.outlet.pass(signal)
    }
  }

  func close(_ number: Int) {
    outlet.run {
      guard let index = self.windows.firstIndex(where: { $0.number == number }) else { return }
      let branch = self.windows.remove(at: index).branch
      self.source.remove(branch)
      branch.end(.completed)
    }
  }

  func receive(_ value: Value) {
    outlet.run { for window in self.windows { window.branch.send(value) } }
  }
}
