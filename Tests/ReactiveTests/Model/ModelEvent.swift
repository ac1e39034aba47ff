/// How the signals of the model fail.
enum ModelFailure: Error, Equatable, Sendable {
  case red
  case green
  case timedOut
}

/// An event of the model, written apart from the library's.
enum ModelEvent: Equatable, Sendable {
  case next(Int)
  case failed(ModelFailure)
  case completed

  var isEnd: Bool { if case .next = self { false } else { true } }
}

/// What came when, in ticks of virtual time.
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

/// Two inputs of an operator have events at the same instant, of which the documentation does not say which is first:
/// nothing is expected of such a tree.
struct Ambiguous: Error {}

/// What a subscription sends: collects events, and ignores what comes after the end.
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

/// Makes one number of two, so that their order matters.
func paired(_ a: Int, _ b: Int) -> Int { (a &* 31 &+ b) % 9973 }

/// Makes one number of many.
func folded(_ values: [Int]) -> Int { values.reduce(values.count, paired) }
