import Dispatch
import Reactive
import Synchronization

/// Programs in which a piece of work waits for a value.
extension Corpus {
  static let lobbies = [
    Program("lobbies-1", "waits-for-itself") {
      let desk = QueueScheduler(label: "desk")
      let guests = Signal<Void, Never>.timer(after: .milliseconds(10), on: .background)
        .map { _ in 1 }.deliver(on: desk)
      let handle = desk.schedule { _ = firstGuest(guests) }
      await pause(900)
      return handle
    },
    Program("lobbies-2", "waits-for-itself") {
      let guests = Signal<Void, Never>.timer(after: .milliseconds(10), on: .background)
        .map { _ in 1 }.deliver(on: .main)
      let handle = QueueScheduler.main.schedule { _ = firstGuest(guests) }
      await pause(900)
      return handle
    },
    Program("lobbies-3", nil) {
      let (desk, door) = (QueueScheduler(label: "desk"), QueueScheduler(label: "door"))
      let guests = Signal<Void, Never>.timer(after: .milliseconds(10), on: .background)
        .map { _ in 1 }.deliver(on: door)
      let handle = desk.schedule { _ = firstGuest(guests) }
      await pause(900)
      return handle
    },
    // Nobody comes in time, and what would have come waits for a queue that is free.
    Program("lobbies-4", nil) {
      let desk = QueueScheduler(label: "desk")
      let guests = Signal<Void, Never>.timer(after: .milliseconds(600), on: .background)
        .map { _ in 1 }.deliver(on: desk)
      let handle = desk.schedule { _ = firstGuest(guests) }
      await pause(900)
      return handle
    },
  ]
}

/// Blocks the thread until the first value arrives, for 0.4 s at most.
private func firstGuest(_ guests: Signal<Int, Never>) -> Int? {
  let (first, arrived) = (Box<Int?>(nil), DispatchSemaphore(value: 0))
  let handle = guests.take(1).subscribe { guest in
    first.value.withLock { $0 = guest }
    arrived.signal()
  }
  _ = arrived.wait(timeout: .now() + .milliseconds(400))
  handle.dispose()
  return first.value.withLock { $0 }
}

/// A value that two threads use.
private final class Box<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}
