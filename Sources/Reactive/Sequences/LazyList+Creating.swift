extension LazyList {
  /// An element, what a closure makes of it, what it makes of that, and so on.
  ///
  /// - Parameters:
  ///   - first: The first element.
  ///   - isIncluded: The first element for which it is false ends the list. By default there is no end.
  ///   - next: Makes an element of the one before.
  /// - Returns: A list that is evaluated as it is asked for.
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

  /// What a closure makes of a state, until there is nothing.
  ///
  /// - Parameters:
  ///   - state: What the closure begins with.
  ///   - next: Changes the state and returns the next element; nil ends the list. Runs when the element is
  ///     asked for.
  /// - Returns: A list that is evaluated as it is asked for.
  public static func unfold<State: Sendable>(
    _ state: State,
    _ next: @escaping @Sendable (inout State) -> Element?
  ) -> LazyList {
    let state = StageState(state)
    return LazyList(.taking { next(&state.value) })
  }

  /// One element again and again, without an end.
  public static func repeating(_ element: Element) -> LazyList { just(element).repeat() }
}
