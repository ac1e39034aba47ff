/// The failure of the model's signals.
enum ModelFailure: Error, Equatable, Sendable {
  case red
  case green
  case timedOut
}

/// An event of the model, independent of the library's event type.
enum ModelEvent: Equatable, Sendable {
  case next(Int)
  case failed(ModelFailure)
  case completed

  var isEnd: Bool { if case .next = self { false } else { true } }
}

/// An event and its time, in ticks of virtual time.
struct Stamped: Equatable, Sendable, CustomStringConvertible {
  let time: Int
  let event: ModelEvent

  var description: String {
    switch event {
    case .next(let value): "\(time): \(value)"
    case .failed(let failure): "\(time): #\(failure)"
    case .completed: "\(time): |"
    }
  }
}

/// Thrown if two inputs of an operator have events at the same time and the documentation does not
/// say which comes first; the test then skips the tree of operators.
struct Ambiguous: Error {}

/// Collects the events of a subscription, and ignores those after the end.
struct Output {
  private(set) var events: [Stamped] = []
  private(set) var isOver = false

  mutating func send(_ event: ModelEvent, at time: Int) {
    if isOver { return }
    events.append(Stamped(time: time, event: event))
    isOver = event.isEnd
  }

  mutating func send(_ value: Int, at time: Int) { send(.next(value), at: time) }

  mutating func complete(at time: Int) { send(.completed, at: time) }
}

/// Combines two numbers into one that depends on their order.
func paired(_ a: Int, _ b: Int) -> Int { (a &* 31 &+ b) % 9973 }

/// Combines many numbers into one that depends on their order and count.
func folded(_ values: [Int]) -> Int { values.reduce(values.count, paired) }
