import TraceFormat

/// A property whose values are tested before they are set: a proposal is accepted, rejected with a
/// reason, or replaced by another value.
///
/// ```swift
/// let total = MutableProperty(100)
/// let share = ValidatingProperty<Int, ShareError>(10, with: total) { value, total in
///   if value < 0 { return .substitute(0) }
///   return value <= total ? .accept : .reject(.tooLarge(by: value - total))
/// }
/// share.value = 120      // it stays 10
/// total.value = 200      // it is 120
/// ```
///
/// ``value`` and ``signal`` contain accepted and substituted values; ``outcome`` reports on every
/// proposal. The test may depend on another property: whenever the other property changes, the
/// *last proposal* is tested again, and may be accepted or replaced although it was rejected
/// before.
///
/// Setting takes effect at once, on any thread: if two threads propose at the same time, one
/// proposal is tested after the other, and outcome and value belong together. When the property is
/// released, its signals complete.
public final class ValidatingProperty<Value: Sendable, Reason: Sendable>: ReadableProperty {
  /// The result of the test of a proposal.
  public enum Decision: Sendable {
    /// The proposal becomes the value.
    case accept
    /// Another value is set instead; a reason can be given, which the outcome reports.
    case substitute(Value, because: Reason? = nil)
    /// The value does not change.
    case reject(Reason)
  }

  /// The outcome of a proposal.
  public enum Outcome: Sendable {
    /// The proposal became the value.
    case accepted(Value)
    /// Another value was set instead.
    case substituted(Value, proposed: Value, because: Reason?)
    /// The value did not change.
    case rejected(proposed: Value, Reason)

    /// The proposal.
    public var proposed: Value {
      switch self {
      case .accepted(let value): value
      case .substituted(_, let value, _), .rejected(let value, _): value
      }
    }

    /// The value that was set; nil if the proposal was rejected.
    public var accepted: Value? {
      switch self {
      case .accepted(let value), .substituted(let value, _, _): value
      case .rejected: nil
      }
    }

    /// Why the proposal was rejected or replaced; nil if it was accepted, or if no reason was
    /// given.
    public var reason: Reason? {
      switch self {
      case .accepted: nil
      case .substituted(_, _, let reason): reason
      case .rejected(_, let reason): reason
      }
    }
  }

  /// The value, and the outcome of the last proposal.
  private struct State: Sendable {
    var value: Value
    var outcome: Outcome

    /// Tests a proposal.
    mutating func propose(_ value: Value, _ test: (Value) -> Decision) {
      switch test(value) {
      case .accept: outcome = .accepted(value)
      case .substitute(let other, let reason):
        outcome = .substituted(other, proposed: value, because: reason)
      case .reject(let reason): outcome = .rejected(proposed: value, reason)
      }
      if let accepted = outcome.accepted { self.value = accepted }
    }
  }

  private let state: PropertyStorage<State>
  private let test: @Sendable (Value) -> Decision
  /// Holds the subscription to the property that values are tested against.
  private let owned: CompositeDisposable

  /// The value at the time of the subscription, then each value that is set; completes with the
  /// property.
  ///
  /// The signal does not keep the property alive.
  public let signal: Signal<Value, Never>
  /// The outcome of the last proposal, updated when the proposal is tested again.
  public let outcome: Property<Outcome>

  /// Creates a property with a test.
  ///
  /// - Parameters:
  ///   - initial: The first value, set whatever the test returns; ``outcome`` has the result of the
  ///     test.
  ///   - name: The name of the signal in logs and traces.
  ///   - test: Decides about a proposal. Any thread may run it, and it runs again for the same
  ///     proposal if another thread sets the value meanwhile: so it should have no side effects.
  public init(
    _ initial: Value,
    _ name: String? = nil,
    _ test: @escaping @Sendable (_ proposed: Value) -> Decision,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let site = Site("ValidatingProperty", file, line, column, [.hot, .endless, .root])
    var first = State(value: initial, outcome: .accepted(initial))
    first.propose(initial, test)
    first.value = initial
    let state = PropertyStorage(first)
    self.state = state
    self.test = test
    owned = CompositeDisposable(owner: site)
    signal = Signal(site, argument: .closure, name: name) { down in
      let isFirst = StageState(true)
      state.current.add(
        down.with { [next = down.next] stamped in
          let isNew = isFirst.value || stamped.value.outcome.accepted != nil
          isFirst.value = false
          if isNew { next(stamped.value.value) }
        }
      )
    }
    state.current.hub.id = signal.node.id
    outcome = Property(
      signal: Signal(site, argument: .part("outcome")) { down in
        state.current.add(down.with { [next = down.next] in next($0.value.outcome) })
      }
    ) { state.value.outcome }
  }

  /// Creates a property whose values are tested against the value of another property.
  ///
  /// - Parameters:
  ///   - initial: The first value, set whatever the test returns; ``outcome`` has the result of the
  ///     test.
  ///   - name: The name of the signal in logs and traces.
  ///   - other: The property on which the test depends: whenever it changes, the last proposal is
  ///     tested again. A ``MutableProperty`` is not kept alive.
  ///   - test: Decides about a proposal. Any thread may run it, and it runs again for the same
  ///     proposal if another thread sets the value meanwhile: so it should have no side effects.
  public convenience init<Other: ReadableProperty>(
    _ initial: Value,
    _ name: String? = nil,
    with other: Other,
    _ test: @escaping @Sendable (_ proposed: Value, _ other: Other.Value) -> Decision,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let other = other.readOnly
    self.init(initial, name, { test($0, other.value) }, file: file, line: line, column: column)
    let scope = UpstreamScope<Never> { _ in }
    let site = Site("ValidatingProperty", file, line, column, .root)
    let isFirst = StageState(true)
    owned.add(
      other.signal.begin(scope, site) { [state, test = self.test] _ in
        defer { isFirst.value = false }
        if !isFirst.value { state.modify { $0.propose($0.outcome.proposed, test) } }
      }
    )
    // The other property may have changed since the first test.
    state.modify { [test = self.test] state in
      let value = state.value
      state.propose(state.outcome.proposed, test)
      state.value = value
    }
  }

  deinit {
    owned.dispose()
    state.current.end(.completed)
  }

  /// The current value: the last that was accepted or substituted.
  ///
  /// Setting it proposes another value.
  public var value: Value {
    get { state.value.value }
    set { propose(newValue) }
  }

  /// Proposes a value.
  ///
  /// - Parameter value: Tested on this thread.
  /// - Returns: The outcome.
  @discardableResult
  public func propose(_ value: Value) -> Outcome {
    state.modify { [test] state in
      state.propose(value, test)
      return state.outcome
    }
  }

  /// A read-only view, which does not keep this property alive.
  public var readOnly: Property<Value> { Property(signal: signal) { [state] in state.value.value } }
}

extension ValidatingProperty.Decision: Equatable where Value: Equatable, Reason: Equatable {}
extension ValidatingProperty.Outcome: Equatable where Value: Equatable, Reason: Equatable {}
