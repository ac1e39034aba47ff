import Reactive
import TraceFormat
import ReactiveTrace
import Synchronization

/// Simulated time and the work that is due in it: all queues of the simulation run on one thread,
/// in the order in which their work is due.
///
/// The recorder's clock moves along with it, so that a simulated day is recorded as a day.
final class Simulation: Sendable {
  private struct Entry: Comparable {
    let due: Duration
    let number: Int
    let work: ScheduledWork

    static func < (one: Entry, other: Entry) -> Bool {
      (one.due, one.number) < (other.due, other.number)
    }
    static func == (one: Entry, other: Entry) -> Bool { one.number == other.number }
  }

  private struct State {
    var now = Duration.zero
    var heap = BinaryHeap<Entry>()
    var accepted = 0
    var random: SeededNumbers
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: SeededNumbers(state: seed))) }

  var now: Duration { state.withLock { $0.now } }

  func accept(_ work: ScheduledWork, after delay: Duration) {
    state.withLock { state in
      state.accepted += 1
      let due = state.now + max(delay, .zero)
      state.heap.insert(Entry(due: due, number: state.accepted, work: work))
    }
  }

  /// Runs all work that is due up to an instant.
  func run(until limit: Duration) {
    while let work = next(until: limit) { work.run() }
    move(to: limit)
  }

  private func next(until limit: Duration) -> ScheduledWork? {
    while let entry = state.withLock({ $0.heap.removeLeast { $0.due <= limit } }) {
      if entry.work.isDisposed { continue }
      move(to: entry.due)
      return entry.work
    }
    return nil
  }

  private func move(to time: Duration) {
    let passed = state.withLock { state in
      defer { state.now = max(state.now, time) }
      return time - state.now
    }
    if passed > .zero { Trace.advanceClock(by: passed) }
  }

  /// Simulates a busy processor for a while: work that becomes due meanwhile runs late.
  func work(for duration: Duration) { move(to: now + duration) }

  // MARK: Chance

  func number(below limit: Int) -> Int {
    state.withLock { Int($0.random.next() % UInt64(limit)) }
  }

  func happens(oneIn count: Int) -> Bool { number(below: count) == 0 }

  /// A random time with the given mean, such as the gap between two independent requests.
  func time(around mean: Duration) -> Duration {
    // The sum of three uniform times is random enough, and is never more than twice the mean.
    let thousandths = (0..<3).reduce(0) { sum, _ in sum + number(below: 667) }
    return .milliseconds(max(1, thousandths * Int(mean / .milliseconds(1)) / 1000))
  }

  /// How busy the shop is: from 0.05 in the night to 1 in the afternoon.
  var load: Double {
    let hour = Double(now.components.seconds % 86_400) / 3600
    return max(0.05, 1 - abs(hour - 15) / 10)
  }
}

/// A serial queue of the simulation.
final class SimulatedQueue: Scheduler {
  let identity: SchedulerIdentity
  let simulation: Simulation

  init(_ name: String, in simulation: Simulation, kind: SchedulerKind = .serialQueue) {
    identity = SchedulerIdentity(name: name, kind: kind)
    self.simulation = simulation
  }

  var now: Duration { simulation.now }
  func run(_ work: ScheduledWork) { simulation.accept(work, after: .zero) }
  func run(_ work: ScheduledWork, after delay: Duration) { simulation.accept(work, after: delay) }
}

/// A heap with its least element on top.
struct BinaryHeap<Element: Comparable> {
  private var elements: [Element] = []

  mutating func insert(_ element: Element) {
    elements.append(element)
    var here = elements.count - 1
    while here > 0, elements[here] < elements[(here - 1) / 2] {
      elements.swapAt(here, (here - 1) / 2)
      here = (here - 1) / 2
    }
  }

  /// Removes and returns the least element if it satisfies a condition.
  mutating func removeLeast(if isWanted: (Element) -> Bool) -> Element? {
    guard let least = elements.first, isWanted(least) else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var here = 0
    while true {
      var least = here
      for child in [2 * here + 1, 2 * here + 2] where child < elements.count {
        if elements[child] < elements[least] { least = child }
      }
      if least == here { break }
      elements.swapAt(here, least)
      here = least
    }
    return least
  }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
