public import TraceReading

/// The role of a subscription for the operator that made it.
public enum InputRole: Hashable, Sendable {
  /// The signal to which the operator was applied.
  case source
  /// One of several equal inputs, by its position among them.
  case partner(Int)
  /// A signal that the operator received as a value, made, or switched to.
  case inner
  /// Its events trigger an action of the operator.
  case trigger
  /// Its latest value is read when the source sends one.
  case sampled

  /// The roles of the subscriptions that an operator's stage has made.
  ///
  /// A stage, which is the subscription of one operator, subscribes to the upstreams of its signal.
  /// The role of each follows from its position among the upstreams and from the traits of the
  /// stage's site. If the trace does not have the signal, the order of subscribing is used.
  ///
  /// - Parameters:
  ///   - upstreams: Subscriptions whose events go to the stage, in the order of creation.
  ///   - site: The site of the stage.
  ///   - signal: The signal of the stage, if the trace has it.
  /// - Returns: A role for each.
  public static func roles(
    of upstreams: [TraceSlot],
    at site: TraceSite,
    in signal: TraceSlot?
  ) -> [InputRole] {
    var declared: [UInt32] = []
    if let signal, signal.kind == .signal, signal.link != .none {
      declared = [signal.link.rawValue] + signal.moreUpstreams.map(\.rawValue)
    }
    let inputs = site.traits.inputs
    guard !declared.isEmpty else {
      // A trigger may have been subscribed to before the source.
      return upstreams.indices.map { role(of: $0, inputs == .partners ? inputs : .source) }
    }
    return upstreams.map { upstream in
      declared.firstIndex(of: upstream.signal).map { role(of: $0, inputs) } ?? .inner
    }
  }

  private static func role(of place: Int, _ inputs: InputOrder) -> InputRole {
    switch inputs {
    case .partners: .partner(place)
    case _ where place == 0: .source
    case .source: .inner
    case .triggers: .trigger
    case .sampled: .sampled
    }
  }
}
