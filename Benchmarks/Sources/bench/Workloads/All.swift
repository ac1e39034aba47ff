import ReactiveTrace

extension Workload {
  /// All workloads, in the order in which they run.
  ///
  /// - Parameters:
  ///   - functions: The functions for workloads that keep them in variables.
  ///   - recording: The recording for traced workloads.
  /// - Returns: The workloads, of which none has run yet.
  static func all(_ functions: Functions, _ recording: Recording) -> [Workload] {
    [
      linear3(),
      linear3Arrays(),
      linear3Stored(functions),
      linear10(),
      subject1(),
      fanOut(),
      flatMap(functions),
      zip(functions),
      combineLatest(functions),
      switchToLatest(functions),
      merge(),
      subscribeAndDispose(),
      build(),
      buildStored(functions),
      hop(),
      hopPaced(),
      bytes(),
      allocations(),
      linear3().traced(.graph, by: recording),
      linear3().traced(.events, by: recording),
      linear10().traced(.graph, by: recording),
      linear10().traced(.events, by: recording),
      subject1().traced(.events, by: recording),
      subscribeAndDispose().traced(.graph, by: recording),
      subscribeAndDispose().traced(.events, by: recording, goal: .atMost(3)),
      hop().traced(.events, by: recording),
      bytes().traced(.events, by: recording),
      hopsOfLinear3(recording, .graph),
      hopsOfLinear3(recording, .events),
      hopsOfLinear10(recording, .graph),
      hopsOfLinear10(recording, .events),
      recordEvent(recording),
      recordEventOfTurn(recording),
      recordLifecycle(recording),
      recordHop(recording),
    ]
  }
}
