package import TraceReading

extension SubscriptionRow {
  /// One word for its state, or for why it ended; `?` if the trace does not say.
  package var stateWord: String {
    StateWord.of(state, endReason, isDropped: isDisposableReleased)
  }

  /// A number that is the same for all rows with the same word.
  var stateGroup: Int {
    switch state {
    case nil: 0
    case .created: 1
    case .active: isDisposableReleased ? 2 : 3
    case .disposing: 4
    case .inactive: 5
    case .ended, .released: 6 + (endReason.map { Int($0.rawValue) + 1 } ?? 0)
    }
  }
}

/// The words that tables and exports use for the state of a subscription.
package enum StateWord {
  /// The word for a state; for an ended subscription, the word for the reason of its end.
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

  /// The word for a reason, short enough for a column.
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
