extension Workload {
  /// All there are, in the order in which they run.
  static func all(_ functions: Functions) -> [Workload] {
    [
      linear3(functions),
      linear10(functions),
      subject1(functions),
      fanOut(functions),
    ]
  }
}
