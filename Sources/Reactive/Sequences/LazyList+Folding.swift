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
  /// - Complexity: O(n) in time and memory, whatever the depth: it takes no stack. Evaluates all elements.
  public func foldRight<Result>(
    _ initial: Result,
    _ combine: (_ element: Element, _ result: Result) -> Result
  ) -> Result {
    var result = initial
    for element in Array(self).reversed() { result = combine(element, result) }
    return result
  }

  /// The same, but the result of the rest is evaluated only if it is asked for.
  ///
  /// ```swift
  /// // Ends at the first that is true, also in an endless list.
  /// let any = flags.foldRight(lazily: false) { flag, rest in flag || rest() }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The result for no element.
  ///   - combine: Runs once per element, as far as results are asked for. Each call of `rest` runs inside of
  ///     the one before: where a hundred thousand elements are combined so, the stack has to bear it.
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
