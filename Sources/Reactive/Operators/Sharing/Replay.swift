import TraceFormat

extension Signal {
  /// Subscribes to this signal immediately and only once, and shares its events; late subscribers
  /// first get the values that were sent before.
  ///
  /// ```
  /// source     -1-2-3-|
  /// late           (12)3-|
  /// ```
  ///
  /// The shared subscription lasts until the source ends; it cannot be disposed of. For a shared
  /// subscription that can be disposed of, use ``multicast(capacity:file:line:column:)``; for a
  /// shared subscription that ends with its last subscriber, use
  /// ``share(replay:scope:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for late subscribers; by default all.
  /// - Returns: A signal that first sends the kept values to each subscriber.
  public func replay(
    _ capacity: Int = .max,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    replay(
      ReplayPolicy(capacity), Site("replay", file, line, column, [.passes, .replays, .shares])
    )
  }

  /// Subscribes to this signal immediately and only once, and shares its events; late subscribers
  /// first get the recent values, limited by age and number.
  ///
  /// ```
  /// source     -1-2-3-|
  /// late           (2)3-|      subscribes at 4; lasting: 3, so 1 is too old
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept at most; by default, only their age is limited.
  ///   - duration: How long each value is kept; see
  ///     ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Provides the current time; no work is scheduled on it.
  /// - Returns: A signal that first sends the kept values to each subscriber.
  public func replay(
    _ capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    return replay(policy, Site("replay", file, line, column, [.passes, .replays, .shares]))
  }

  private func replay(_ policy: ReplayPolicy, _ site: Site) -> Signal {
    precondition(
      policy.capacity >= 0,
      "replay(\(policy.capacity)): the capacity must be ≥ 0 (OperatorIndex, replay)"
    )
    let connection = Connection(self, replaying: policy, site, argument: policy.argument(""))
    connection.connect()
    return connection.signal
  }

  /// Subscribes to this signal immediately and only once, and shares its events; late subscribers
  /// first get the last value.
  ///
  /// ```
  /// source         -1-2-3-|
  /// late               (2)3-|
  /// ```
  ///
  /// This operator is the same as ``replay(_:file:line:column:)`` with a capacity of 1.
  ///
  /// - Returns: A signal that first sends the last value, if any, to each subscriber.
  public func replayLast(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("replayLast", file, line, column, [.passes, .replays, .shares])
    let connection = Connection(self, replaying: ReplayPolicy(1), site)
    connection.connect()
    return connection.signal
  }

  /// Subscribes to this signal only once, when the result is first subscribed to, and shares its
  /// events; late subscribers first get the values that were sent before.
  ///
  /// ```
  /// source         -1-2-3-|
  /// first          -1-2-3-|
  /// late               (12)3-|
  /// ```
  ///
  /// The shared subscription lasts until the source ends, with or without subscribers: it cannot be
  /// disposed of, and is never made again.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept for late subscribers; by default all.
  /// - Returns: A signal that first sends the kept values to each subscriber.
  public func replayLazily(
    _ capacity: Int = .max,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    replayLazily(
      ReplayPolicy(capacity),
      Site("replayLazily", file, line, column, [.passes, .replays, .shares])
    )
  }

  /// Subscribes to this signal only once, when the result is first subscribed to, and shares its
  /// events; late subscribers first get the recent values, limited by age and number.
  ///
  /// ```
  /// source         -1-2-3-|
  /// first          -1-2-3-|
  /// late               (2)3-|      subscribes at 4; lasting: 3, so 1 is too old
  /// ```
  ///
  /// In all other respects, this operator works like ``replayLazily(_:file:line:column:)``.
  ///
  /// - Parameters:
  ///   - capacity: How many values are kept at most; by default, only their age is limited.
  ///   - duration: How long each value is kept; see
  ///     ``ReplaySubject/init(capacity:lasting:on:_:file:line:column:)``.
  ///   - scheduler: Provides the current time; no work is scheduled on it.
  /// - Returns: A signal that first sends the kept values to each subscriber.
  public func replayLazily(
    _ capacity: Int = .max,
    lasting duration: Duration,
    on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let policy = ReplayPolicy(capacity, lasting: duration, on: scheduler)
    return replayLazily(
      policy,
      Site("replayLazily", file, line, column, [.passes, .replays, .shares])
    )
  }

  private func replayLazily(_ policy: ReplayPolicy, _ site: Site) -> Signal {
    precondition(
      policy.capacity >= 0,
      "replayLazily(\(policy.capacity)): the capacity must be ≥ 0 (OperatorIndex, replayLazily)"
    )
    let hub: Hub<Value, Failure> = policy.makeHub()
    let run = SharedRun(hub, site) { hub.end($0) }
    let signal = Signal(site, .one(self), argument: policy.argument("")) { [self] down in
      run.add(down)
      run.connect(to: self)
    }
    hub.id = signal.node.id
    return signal
  }
}
