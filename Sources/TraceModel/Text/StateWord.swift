package import TraceReading

extension SubscriptionRow {
  /// One word for its state, or for why it ended; `?` where the trace cannot tell.
  package var stateWord: String {
    StateWord.of(state, endReason, isDropped: isDisposableReleased)
  }
}

/// How tables and exports call the state of a subscription.
package enum StateWord {
  /// The word of a state; of an end, its reason.
  package static func of(_ state: LifeState?, _ reason: EndReason?, isDropped: Bool) -> String {
    switch state {
    case nil: Quantity.unknown
    case .created: "starting"
    case .active: isDropped ? "dropped" : "active"
    case .disposing: "ending"
    case .inactive: "inactive"
    case .ended, .released: reason.map(of) ?? "ended"
    }
  }

  /// The word of a reason, short enough for a column.
  package static func of(_ reason: EndReason) -> String {
    switch reason {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .ownerGone: "ownerless"
    case .sourceGone: "no source"
    }
  }
}
