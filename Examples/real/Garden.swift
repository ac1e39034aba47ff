import Reactive
import ReactiveTrace
import Synchronization

/// A garden planner that is often left and opened again: its model stays, and the screen is made
/// anew each time. Plants are saved now and then, which a message on the screen confirms.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#4201. Events were kept for a screen that does not exist
/// yet; whenever the program returned from the background, users got the last event again.
extension Real {
  static let garden = Report("garden", "old messages come back") { version in
    let planner = Planner()
    let counts = Counts()
    for visit in 1...9 {
      let screen = GardenScreen(planner, counts, version)
      await pause(120)
      if visit.isMultiple(of: 3) {
        planner.save("plant \(visit)")
        planner.beds.modify { $0 += 1 }
      }
      await pause(180)
      screen.leave()
      if visit == 4 { planner.save("plant \(visit)") }
      await pause(60)
      Trace.mark("visit")
    }
    print("saved 4 plants, \(counts["message"]) messages were shown")
    return [planner, counts] as [Any]
  }
}

/// A message to the gardener.
private final class Message: Sendable {
  let text: String
  private let isTaken = Mutex(false)

  init(_ text: String) { self.text = text }

  /// Takes the message; true only for the first call.
  func take() -> Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}

private final class Planner: Sendable {
  let beds = MutableProperty(2, "beds")
  let messages = ReplaySubject<Message, Never>(capacity: 1, "messages")  // blame, too
  let weather = ReplaySubject<String, Never>(capacity: 1, "weather")
  private let queue = QueueScheduler(label: "planner")
  private let bag = DisposableBag()

  init() {
    Signal.interval(.milliseconds(200), on: queue)
      .subscribe { [weather] in weather.send("\(10 + $0 % 5) degrees") }
      .store(in: bag)
  }

  func save(_ plant: String) {
    Signal.timer(after: .milliseconds(30), on: queue)
      .subscribe { [messages] in messages.send(Message("\(plant) saved")) }
      .store(in: bag)
  }
}

private final class Counts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  subscript(topic: String) -> Int { counts.withLock { $0[topic, default: 0] } }

  func add(_ topic: String) { counts.withLock { $0[topic, default: 0] += 1 } }
}

private final class GardenScreen: Sendable {
  private let counts: Counts
  private let bag = DisposableBag()

  init(_ planner: Planner, _ counts: Counts, _ version: Version) {
    self.counts = counts
    observe("beds", planner.beds.signal.map { "\($0) beds" })
    observe("weather", planner.weather.signal)
    observe("advice", planner.weather.signal.map { "water at \($0)" }.distinctUntilChanged())
    var messages = planner.messages.signal
    if version == .fixed { messages = messages.filter { $0.take() } }
    observe("message", messages.map(\.text))  // blame
  }

  func leave() { bag.empty() }

  private func observe(_ topic: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [counts] _ in counts.add(topic) }.store(in: bag)
  }
}
