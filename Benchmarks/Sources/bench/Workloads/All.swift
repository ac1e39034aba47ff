import ReactiveTrace

extension Workload {
  /// All there are, in the order in which they run.
  ///
  /// - Parameters:
  ///   - functions: What the library's operators call.
  ///   - recording: What traced workloads are recorded into.
  /// - Returns: The workloads; nothing has run yet.
  static func all(_ functions: Functions, _ recording: Recording) -> [Workload] {
    [
      linear3(functions),
      linear3Arrays(functions),
      linear10(functions),
      subject1(functions),
      fanOut(functions),
      flatMap(functions),
      zip(functions),
      combineLatest(functions),
      switchToLatest(functions),
      merge(functions),
      subscribeAndDispose(functions),
      build(functions),
      hop(functions),
      hopPaced(functions),
      bytes(functions),
      allocations(functions),
      linear3(functions).traced(.graph, by: recording),
      linear3(functions).traced(.events, by: recording),
      linear10(functions).traced(.graph, by: recording),
      linear10(functions).traced(.events, by: recording),
      subject1(functions).traced(.events, by: recording),
      subscribeAndDispose(functions).traced(.graph, by: recording),
      subscribeAndDispose(functions).traced(.events, by: recording, goal: .atMost(2.5)),
      hop(functions).traced(.events, by: recording),
      recordEvent(recording),
      recordEventOfTurn(recording),
      recordLifecycle(recording),
      recordHop(recording),
    ]
  }
}
