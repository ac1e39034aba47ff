import ReactiveTrace

extension Workload {
  /// All there are, in the order in which they run.
  static func all(_ functions: Functions) -> [Workload] {
    let recording = Recording()
    return [
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
      linear10(functions).traced(.events, by: recording),
      subject1(functions).traced(.events, by: recording),
      subscribeAndDispose(functions).traced(.graph, by: recording),
      subscribeAndDispose(functions).traced(.events, by: recording),
      hop(functions).traced(.events, by: recording),
    ]
  }
}
