public import ReactiveTrace

extension Signal {
  /// Forwards one of two signals, as the latest value of a condition says.
  ///
  /// ```
  /// condition   --t-----f---|
  /// yes           -1-2-3-4-…
  /// no                  -5-6-|
  /// if          ---1-2---5-6-|
  /// ```
  ///
  /// Before the first value of the condition nothing is sent. Each value begins the signal it chooses
  /// anew, also where it says the same as the one before: `distinctUntilChanged` on the condition keeps
  /// that from happening. Completes when the condition and the signal chosen last have; the first failure
  /// ends all.
  ///
  /// - Parameters:
  ///   - condition: Chooses.
  ///   - yes: Forwarded while the condition is true.
  ///   - no: Forwarded while it is false.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of the values of both.
  @inlinable
  public static func `if`(
    _ condition: Signal<Bool, Failure>,
    then yes: Signal,
    else no: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(
      Site("if", file, line, column, .merging),
      .many([condition, yes, no]),
      argument: .none
    ) { down in
      let stage = SwitchStage(down)
      condition.attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive($0 ? yes : no)
        }
      )
    }
  }

  /// Forwards one of several signals, as the latest value of another says.
  ///
  /// ```
  /// key      --a-----b---|
  /// case a     -1-2-3-4-…
  /// case b           -5-6-|
  /// switch   ---1-2---5-6-|
  /// ```
  ///
  /// Before the first key nothing is sent. Each key begins the signal it chooses anew, also where it is
  /// equal to the one before. Completes when the keys and the signal chosen last have; the first failure
  /// ends all.
  ///
  /// - Parameters:
  ///   - key: Chooses.
  ///   - cases: The signal of each key.
  ///   - other: For keys that are not among the cases.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of the values of all.
  @inlinable
  public static func `switch`<Key: Hashable & Sendable>(
    _ key: Signal<Key, Failure>,
    cases: [Key: Signal],
    default other: Signal,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("switch", file, line, column, .merging), .one(key)) { down in
      let stage = SwitchStage(down)
      key.attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          stage.receive(cases[$0] ?? other)
        }
      )
    }
  }

  /// Forwards one of several signals, as the latest value of another says, and fails where there is none
  /// for it; see ``switch(_:cases:default:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - key: Chooses.
  ///   - cases: The signal of each key.
  ///   - failure: Makes the failure for a key that is not among the cases.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of the values of all.
  @inlinable
  public static func `switch`<Key: Hashable & Sendable>(
    _ key: Signal<Key, Failure>,
    cases: [Key: Signal],
    orFail failure: @escaping @Sendable (Key) -> Failure,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("switch", file, line, column, .merging), .one(key)) { down in
      let stage = SwitchStage(down)
      key.attach(
        Sink(stage.merging.part(), down.trace, stage.merging.outlet) {
          if let chosen = cases[$0] {
            stage.receive(chosen)
          } else {
            stage.merging.ended(.failed(failure($0)))
          }
        }
      )
    }
  }
}
