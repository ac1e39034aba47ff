public import Reactive

extension TestScheduler {
  /// A signal that plays a diagram anew for each subscription.
  ///
  /// A ``MarbleSource`` also records when each subscription began and ended.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  /// - Returns: A signal that ends where the diagram does.
  public func cold(
    _ marbles: Marbles,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<String, MarbleFailure> {
    MarbleSource(cold: marbles, on: self, file: file, line: line, column: column).signal
  }

  /// A signal that plays a diagram anew for each subscription, with values of any type, and without
  /// failures.
  ///
  /// ```swift
  /// let prices = time.cold("-a-b-|", where: ["a": 9.5, "b": 10])
  /// ```
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  /// - Returns: A signal that ends where the diagram does.
  public func cold<Value: Sendable>(
    _ marbles: Marbles,
    where values: [Character: Value],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    MarbleSource(
      cold: marbles,
      on: self,
      where: values,
      file: file,
      line: line,
      column: column
    ).signal
  }

  /// A signal that plays a diagram anew for each subscription, with values and a failure of any
  /// type.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  ///   - failure: What `#` stands for.
  /// - Returns: A signal that ends where the diagram does.
  public func cold<Value: Sendable, Failure: Error>(
    _ marbles: Marbles,
    where values: [Character: Value],
    failure: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Failure> {
    MarbleSource(
      cold: marbles,
      on: self,
      where: values,
      failure: failure,
      file: file,
      line: line,
      column: column
    ).signal
  }

  /// A signal that plays a diagram once, beginning now.
  ///
  /// A ``MarbleSource`` also records when each subscription began and ended.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  /// - Returns: A signal that ends where the diagram does.
  public func hot(
    _ marbles: Marbles,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<String, MarbleFailure> {
    MarbleSource(hot: marbles, on: self, file: file, line: line, column: column).signal
  }

  /// A signal that plays a diagram once, beginning now, with values of any type, and without
  /// failures.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  /// - Returns: A signal that ends where the diagram does.
  public func hot<Value: Sendable>(
    _ marbles: Marbles,
    where values: [Character: Value],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Never> {
    MarbleSource(
      hot: marbles,
      on: self,
      where: values,
      file: file,
      line: line,
      column: column
    ).signal
  }

  /// A signal that plays a diagram once, beginning now, with values and a failure of any type.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  ///   - failure: What `#` stands for.
  /// - Returns: A signal that ends where the diagram does.
  public func hot<Value: Sendable, Failure: Error>(
    _ marbles: Marbles,
    where values: [Character: Value],
    failure: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<Value, Failure> {
    MarbleSource(
      hot: marbles,
      on: self,
      where: values,
      failure: failure,
      file: file,
      line: line,
      column: column
    ).signal
  }
}
