import TraceFormat

extension Signal {
  /// The closure that ``bind(_:file:line:column:)`` calls with each value.
  ///
  /// The closure returns a signal to merge, or nil to stop the source. If the closure sets `stop`,
  /// the source is stopped, too, but the returned signal still runs.
  public typealias BindStep<Inner: Sendable> =
    (_ value: Value, _ stop: inout Bool) -> Signal<Inner, Failure>?

  /// Turns each value into a signal and merges these signals; the closure that makes them can have
  /// state, and can stop the source.
  ///
  /// ```
  /// source   -1---2---3---4-|
  /// bind     --a-a-b-b-c-c|      stop set at 3; each is turned into -a-a|
  /// ```
  ///
  /// `flatMap`, `take(while:)` and other operators are special cases of this one. The closure below
  /// forwards each word only once, and stops after the word "end":
  ///
  /// ```swift
  /// words.bind {
  ///   var seen: Set<String> = []
  ///   return { word, stop in
  ///     stop = word == "end"
  ///     return seen.insert(word).inserted ? .just(word) : .empty()
  ///   }
  /// }
  /// ```
  ///
  /// If the closure returns nil or sets `stop`, the source is disposed of and no further value is
  /// used. Signals that are already running continue, including the signal returned with `stop`.
  /// The first failure of any signal fails the result.
  ///
  /// - Parameters:
  ///   - makeBinding: Runs once per subscription, and makes the closure that runs once per value;
  ///     variables that this inner closure captures belong to the subscription.
  /// - Returns: A signal that ends when all inner signals have ended, and the source has ended or
  ///   was stopped.
  /// - Complexity: Retains every inner signal that has not ended.
  public func bind<Inner: Sendable>(
    _ makeBinding: @escaping @Sendable () -> sending BindStep<Inner>,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Inner, Failure> {
    let site = Site("bind", file, line, column, [.merging, .bounding, .flattens])
    return Signal<Inner, Failure>(site, .one(self)) { [self] down in
      let merging = Merging(down)
      let source = merging.part()
      let binding = StageState(makeBinding())
      let isStopped = StageState(false)
      attach(
        Sink(source, down.trace, merging.outlet) { value in
          if isStopped.value { return }
          var stop = false
          let inner = binding.value(value, &stop)
          isStopped.value = stop || inner == nil
          if let inner { merging.subscribe(to: inner) }
          if isStopped.value { source.finish(.completed, upstream: .cancelled) }
        }
      )
    }
  }
}
