extension Signal {
  /// Subscribes to this signal at once, one time, and sends everything it sent to each subscriber.
  ///
  /// ```
  /// source     -1-2-3-|
  /// late           (12)3-|
  /// ```
  ///
  /// The shared subscription lasts until the source ends; nobody can dispose of it. For one that can be
  /// ended use ``multicast(capacity:file:line:column:)``, for one that ends with its subscribers
  /// ``share(replay:scope:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for late subscribers; by default all.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that starts with what was sent before.
  public func replay(
    _ capacity: Int = .max,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let connection = Connection(
      self,
      capacity: capacity,
      Site("replay", file, line, column),
      argument: capacity == .max ? .none : .integer(capacity)
    )
    connection.connect()
    return connection.signal
  }

  /// Subscribes to this signal at once, one time, and sends the last value to each subscriber.
  ///
  /// ```
  /// source         -1-2-3-|
  /// late               (2)3-|
  /// ```
  ///
  /// As ``replay(_:file:line:column:)`` with 1.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that starts with the last value there was.
  public func replayLast(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    let connection = Connection(self, capacity: 1, Site("replayLast", file, line, column))
    connection.connect()
    return connection.signal
  }

  /// Subscribes to this signal when somebody subscribes to the result for the first time, and sends
  /// everything it sent to each subscriber.
  ///
  /// ```
  /// source         -1-2-3-|
  /// first          -1-2-3-|
  /// late               (12)3-|
  /// ```
  ///
  /// The shared subscription lasts until the source ends, with or without subscribers: nobody can
  /// dispose of it, and it is never made anew.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for late subscribers; by default all.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that starts with what was sent before.
  public func replayLazily(
    _ capacity: Int = .max,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    precondition(
      capacity >= 0,
      "replayLazily(\(capacity)): the capacity must be ≥ 0 (OperatorIndex, replayLazily)"
    )
    let site = Site("replayLazily", file, line, column)
    let hub = Hub<Value, Failure>(capacity: capacity)
    let run = SharedRun(hub, site) { hub.end($0) }
    let argument: Argument = capacity == .max ? .none : .integer(capacity)
    let signal = Signal(site, .one(self), argument: argument) { [self] down in
      run.add(down)
      run.connect(to: self)
    }
    hub.id = signal.node.id
    return signal
  }
}
