public import TraceFormat

extension Signal {
  /// Forwards one of two signals, selected by the latest value of a condition.
  ///
  /// ```
  /// condition   --t-----f---|
  /// yes           -1-2-3-4-…
  /// no                  -5-6-|
  /// if          ---1-2---5-6-|
  /// ```
  ///
  /// Nothing is sent before the first value of the condition. Each value of the condition cancels
  /// the current subscription and subscribes to the selected signal, even if the value equals the
  /// previous one; use `distinctUntilChanged` on the condition to prevent that. Completes when the
  /// condition and the last selected signal have completed. The first failure of any of these
  /// signals is forwarded at once.
  ///
  /// - Parameters:
  ///   - condition: Selects the signal.
  ///   - yes: Forwarded while the condition is true.
  ///   - no: Forwarded while the condition is false.
  /// - Returns: A signal of the values of the selected signals.
  @inlinable
  public static func `if`(
    _ condition: Signal<Bool, Failure>,
    then yes: Signal,
    else no: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

  /// Forwards one of several signals, selected by the latest key that another signal sends.
  ///
  /// ```
  /// key      --a-----b---|
  /// case a     -1-2-3-4-…
  /// case b           -5-6-|
  /// switch   ---1-2---5-6-|
  /// ```
  ///
  /// Nothing is sent before the first key. Each key cancels the current subscription and subscribes
  /// to the signal that the key selects, even if the key equals the previous one. Completes when
  /// the signal of keys and the last selected signal have completed. The first failure of any of
  /// these signals is forwarded at once.
  ///
  /// - Parameters:
  ///   - key: A signal of keys, each of which selects a signal.
  ///   - cases: The signal that each key selects.
  ///   - other: The signal that all other keys select.
  /// - Returns: A signal of the values of the selected signals.
  @inlinable
  public static func `switch`<Key: Hashable & Sendable>(
    _ key: Signal<Key, Failure>,
    cases: [Key: Signal],
    default other: Signal,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

  /// Forwards one of several signals, selected by the latest key that another signal sends, and
  /// fails if a key is not among the cases; see ``switch(_:cases:default:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - key: A signal of keys, each of which selects a signal.
  ///   - cases: The signal that each key selects.
  ///   - failure: Makes the failure from a key that is not among the cases.
  /// - Returns: A signal of the values of the selected signals.
  @inlinable
  public static func `switch`<Key: Hashable & Sendable>(
    _ key: Signal<Key, Failure>,
    cases: [Key: Signal],
    orFail failure: @escaping @Sendable (Key) -> Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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
