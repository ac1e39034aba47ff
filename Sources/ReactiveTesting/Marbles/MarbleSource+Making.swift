import Reactive

extension MarbleSource where Value == String, Failure == MarbleFailure {
  /// Plays a diagram anew for each subscription, from the time at which the subscription began.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  public convenience init(
    cold marbles: Marbles,
    on scheduler: TestScheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.items.map { (scheduler.frame * $0.frame, $0.event) }
    self.init(coldly: events, on: scheduler, file: file, line: line, column: column)
  }

  /// Plays a diagram once, beginning now, whether or not anything is subscribed.
  ///
  /// The scheduler retains the subject that sends the events.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  public convenience init(
    hot marbles: Marbles,
    on scheduler: TestScheduler,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.items.map { (scheduler.frame * $0.frame, $0.event) }
    self.init(hotly: events, on: scheduler, file: file, line: line, column: column)
  }
}

extension MarbleSource where Failure == Never {
  /// Plays a diagram anew for each subscription, with values of any type, and without failures.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  public convenience init(
    cold marbles: Marbles,
    on scheduler: TestScheduler,
    where values: [Character: Value],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.events(values, nil as Failure?, frame: scheduler.frame)
    self.init(coldly: events, on: scheduler, file: file, line: line, column: column)
  }

  /// Plays a diagram once, beginning now, with values of any type, and without failures.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  public convenience init(
    hot marbles: Marbles,
    on scheduler: TestScheduler,
    where values: [Character: Value],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.events(values, nil as Failure?, frame: scheduler.frame)
    self.init(hotly: events, on: scheduler, file: file, line: line, column: column)
  }
}

extension MarbleSource {
  /// Plays a diagram anew for each subscription, with values and a failure of any type.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  ///   - failure: What `#` stands for.
  public convenience init(
    cold marbles: Marbles,
    on scheduler: TestScheduler,
    where values: [Character: Value],
    failure: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.events(values, failure, frame: scheduler.frame)
    self.init(coldly: events, on: scheduler, file: file, line: line, column: column)
  }

  /// Plays a diagram once, beginning now, with values and a failure of any type.
  ///
  /// - Parameters:
  ///   - marbles: What is sent, and when.
  ///   - scheduler: Provides the time.
  ///   - values: What each character of the diagram stands for; traps if one is missing.
  ///   - failure: What `#` stands for.
  public convenience init(
    hot marbles: Marbles,
    on scheduler: TestScheduler,
    where values: [Character: Value],
    failure: Failure,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    let events = marbles.events(values, failure, frame: scheduler.frame)
    self.init(hotly: events, on: scheduler, file: file, line: line, column: column)
  }
}

/// An event, and how long after the beginning it is sent.
typealias MarbleEvent<Value: Sendable, Failure: Error> = (
  delay: Duration, event: Event<Value, Failure>
)

extension Marbles {
  /// The events with their times, with characters replaced by the values they stand for.
  fileprivate func events<Value, Failure>(
    _ values: [Character: Value],
    _ failure: Failure?,
    frame: Duration
  ) -> [MarbleEvent<Value, Failure>] {
    items.map { item in
      switch item.event {
      case .completed: return (frame * item.frame, .completed)
      case .failed:
        guard let failure else {
          preconditionFailure("marbles '\(self)': no failure is given for '#'; pass 'failure:'")
        }
        return (frame * item.frame, .failed(failure))
      case .next(let text):
        guard let value = text.first.flatMap({ values[$0] }) else {
          preconditionFailure("marbles '\(self)': no value is given for '\(text)'")
        }
        return (frame * item.frame, .next(value))
      }
    }
  }
}
