import Reactive
import ReactiveTrace

// Five operators that Reactive does not have. rxtop knows of them only what each `Site` declares.

extension Signal {
  /// Forwards the values for which a closure returns true.
  func sieve(
    _ passes: @escaping @Sendable (Value) -> Bool,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    .operator(Site("sieve", file, line, column, .drops), inputs: self, state: ()) { stage in
      stage.subscribe(to: self) { turn, value in if passes(value) { turn.send(value) } }
    }
  }

  /// Sends all values as one list when the source completes.
  func hoard(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<[Value], Failure> {
    let site = Site("hoard", file, line, column, [.folds, .retains])
    return .operator(site, inputs: self, state: [Value]()) { stage in
      let send = { @Sendable (turn: OperatorTurn<[Value], [Value], Failure>) in
        turn.send(turn.state)
        turn.complete()
      }
      stage.subscribe(to: self, completed: send) { turn, value in
        turn.state.append(value)
        turn.holds(turn.state.count)
      }
    }
  }

  /// Shares one subscription, which begins with `connect()` and outlives the subscribers.
  func broadcast(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Connection<Value, Failure> {
    Connection(of: self, Site("broadcast", file, line, column, [.passes, .shares]))
  }

  /// Sends the latest values of both signals whenever one of them sends.
  func blend<Other: Sendable>(
    _ other: Signal<Other, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<(Value, Other), Failure> {
    let site = Site("blend", file, line, column, [.passes, .waitsForAll, .partners])
    let nothing: (Value?, Other?) = (nil, nil)
    return .operator(site, inputs: self, other, state: nothing) { stage in
      let send = { @Sendable (turn: OperatorTurn<(Value?, Other?), (Value, Other), Failure>) in
        if let first = turn.state.0, let second = turn.state.1 { turn.send((first, second)) }
      }
      stage.subscribe(to: self) { turn, value in
        turn.state.0 = value
        send(turn)
      }
      stage.subscribe(to: other) { turn, value in
        turn.state.1 = value
        send(turn)
      }
    }
  }

  /// Subscribes to a signal for each value, and forwards what these signals send as it comes.
  func fan<Output: Sendable>(
    _ make: @escaping @Sendable (Value) -> Signal<Output, Failure>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Output, Failure> {
    let site = Site("fan", file, line, column, [.merging, .flattens])
    return .operator(site, inputs: self, state: ()) { stage in
      stage.subscribe(to: self) { _, value in
        stage.subscribe(to: make(value)) { turn, value in turn.send(value) }
      }
    }
  }
}
