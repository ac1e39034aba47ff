import TraceFormat

extension Signal {
  /// Sends a window, which is a signal of the source's values, for each value of another signal.
  ///
  /// A window ends when its closing signal sends or completes; windows may overlap.
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
  /// The first value or the completion of a closing signal completes its window. When a closing
  /// signal fails, its window continues. When the openings end, even with a failure, all open
  /// windows continue. The openings are subscribed to before the source, and each closing signal is
  /// subscribed to after its window has been sent.
  ///
  /// Windows are hot. ``groupBy(_:file:line:column:)`` describes which values are kept for the
  /// first subscriber of a window, how long the source is subscribed to, and in which order the
  /// signals end.
  ///
  /// - Parameters:
  ///   - openings: Each of its values opens a window.
  ///   - closing: Makes the closing signal of a window; runs once per value of `openings` and
  ///     subscription.
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
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Signal, Failure> {
    // The trait `bounding` says that the operator itself ends a subscription: when the source ends,
    // it ends the subscription to the openings, which may be endless.
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

/// The open windows of one subscription.
///
/// This class is `@unchecked Sendable` because of `windows`, which is used only inside the gate of
/// the outlet, which lets one thread at a time deliver events.
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
