import Dispatch
import Reactive
import Synchronization

/// Programs in which a piece of work waits for a value.
extension Corpus {
  static let lobbies = [
    Program("lobbies-1", "waits-for-itself") {
      let desk = QueueScheduler(label: "desk")
      let handle = desk.schedule { _ = firstGuest(after: 10, on: desk) }
      await pause(900)
      return handle
    },
    Program("lobbies-2", "waits-for-itself") {
      let handle = QueueScheduler.main.schedule { _ = firstGuest(after: 10, on: .main) }
      await pause(900)
      return handle
    },
    Program("lobbies-3", nil) {
      let (desk, door) = (QueueScheduler(label: "desk"), QueueScheduler(label: "door"))
      let handle = desk.schedule { _ = firstGuest(after: 10, on: door) }
      await pause(900)
      return handle
    },
    // Nobody comes in time.
    Program("lobbies-4", nil) {
      let desk = QueueScheduler(label: "desk")
      let handle = desk.schedule { _ = firstGuest(after: 600, on: desk) }
      await pause(900)
      return handle
    },
  ]
}

/// Blocks the thread, for 0.4 s at most, until a guest comes, after the given time and by way of
/// the given queue.
private func firstGuest(after milliseconds: Int, on queue: QueueScheduler) -> Int? {
  let guests = Signal<Void, Never>.timer(after: .milliseconds(milliseconds), on: .background)
    .map { _ in 1 }
    .deliver(on: queue)
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
