extension LazyList {
  /// Combines the elements from the first to the last into a result.
  ///
  /// ```
  /// foldLeft(0, f) of a b c   f(f(f(0, a), b), c)
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The result for no element.
  ///   - combine: Runs once per element.
  /// - Returns: The last result.
  /// - Complexity: O(n); evaluates all elements.
  public func foldLeft<Result>(
    _ initial: Result,
    _ combine: (_ result: Result, _ element: Element) -> Result
  ) -> Result {
    var result = initial
    for element in self { result = combine(result, element) }
    return result
  }

  /// Combines the elements from the last to the first into a result.
  ///
  /// ```
  /// foldRight(0, f) of a b c   f(a, f(b, f(c, 0)))
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The result for no element.
  ///   - combine: Runs once per element, for the last one first.
  /// - Returns: The result for all elements.
  /// - Complexity: O(n) in time and memory, without recursion; evaluates all elements.
  public func foldRight<Result>(
    _ initial: Result,
    _ combine: (_ element: Element, _ result: Result) -> Result
  ) -> Result {
    var result = initial
    for element in Array(self).reversed() { result = combine(element, result) }
    return result
  }

  /// Combines the elements from the last to the first, but computes the result of the rest of the
  /// list only when `combine` asks for it.
  ///
  /// ```swift
  /// // Stops at the first flag that is true, even in an endless list.
  /// let any = flags.foldRight(lazily: false) { flag, rest in flag || rest() }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The result for no element.
  ///   - combine: Runs once for each element whose result is requested. Each call of `rest` runs
  ///     inside the previous call, so combining a hundred thousand elements in this way needs a
  ///     large stack.
  /// - Returns: The result for all elements.
  public func foldRight<Result: Sendable>(
    lazily initial: Result,
    _ combine: (_ first: Element, _ rest: () -> Result) -> Result
  ) -> Result {
    withoutActuallyEscaping(combine) { Self.fold(cell, initial, $0) }
  }

  private static func fold<Result>(
    _ cell: ListCell<Element>,
    _ initial: Result,
    _ combine: @escaping (_ first: Element, _ rest: () -> Result) -> Result
  ) -> Result {
    guard let node = cell.node else { return initial }
    var known: Result?
    return combine(node.head.value) {
      if let known { return known }
      let result = fold(node.tail, initial, combine)
      known = result
      return result
    }
  }
}
