extension LazyList {
  /// An element, the element that a closure makes from it, and so on.
  ///
  /// - Parameters:
  ///   - first: The first element.
  ///   - isIncluded: The first element for which it returns false ends the list. By default there
  ///     is no end.
  ///   - next: Makes an element from the previous one.
  /// - Returns: A list that is evaluated on demand.
  public static func generate(
    _ first: Element,
    while isIncluded: @escaping @Sendable (Element) -> Bool = { _ in true },
    next: @escaping @Sendable (Element) -> Element
  ) -> LazyList {
    unfold(Element?.none) { last in
      let element = last.map(next) ?? first
      last = .some(element)
      return isIncluded(element) ? .some(element) : nil
    }
  }

  /// The elements that a closure makes from a state, until it returns nil.
  ///
  /// - Parameters:
  ///   - state: What the closure begins with.
  ///   - next: Changes the state and returns the next element; nil ends the list. Runs when the
  ///     element is requested.
  /// - Returns: A list that is evaluated on demand.
  public static func unfold<State: Sendable>(
    _ state: State,
    _ next: @escaping @Sendable (inout State) -> Element?
  ) -> LazyList {
    let state = StageState(state)
    return LazyList(.taking { next(&state.value) })
  }

  /// One element repeated without an end.
  public static func repeating(_ element: Element) -> LazyList { just(element).repeat() }
}
