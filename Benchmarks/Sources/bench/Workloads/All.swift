extension Workload {
  /// All there are, in the order in which they run.
  static func all(_ functions: Functions) -> [Workload] {
    [
      linear3(functions),
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
      bytes(functions),
      allocations(functions),
    ]
  }
}
