import Dispatch
internal import Glibc
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
    Program("lobbies-5", "queue-held") {
      let (desk, door) = (QueueScheduler(label: "desk"), QueueScheduler(label: "door"))
      let calls = Subject<Int, Never>()
      let handles = [
        calls.signal.deliver(on: desk).map { _ in firstGuest(after: 130, on: door) ?? 0 }
          .subscribe { _ in },
        rings().deliver(on: desk).subscribe { _ in },
      ]
      await every(250, times: 6) { calls.send($0) }
      return (calls, handles)
    },
    Program("lobbies-6", "queue-held") {
      let desk = QueueScheduler(label: "desk")
      let calls = Subject<Int, Never>()
      let handles = [
        calls.signal.deliver(on: desk).subscribe { _ in usleep(130_000) },
        Signal.interval(.milliseconds(30), on: desk).subscribe { _ in },
      ]
      await every(250, times: 6) { calls.send($0) }
      return (calls, handles)
    },
    Program("lobbies-7", nil) {
      let (desk, door) = (QueueScheduler(label: "desk"), QueueScheduler(label: "door"))
      let calls = Subject<Int, Never>()
      let handles = [
        calls.signal.deliver(on: desk).flatMap { _ in guests(after: 130, on: door) }
          .deliver(on: desk).subscribe { _ in },
        rings().deliver(on: desk).subscribe { _ in },
      ]
      await every(250, times: 6) { calls.send($0) }
      return (calls, handles)
    },
    // Calls that wait for each other have a queue of their own.
    Program("lobbies-8", nil) {
      let (desk, door) = (QueueScheduler(label: "desk"), QueueScheduler(label: "door"))
      let back = QueueScheduler(label: "back")
      let calls = Subject<Int, Never>()
      let handles = [
        calls.signal.deliver(on: back).map { _ in firstGuest(after: 130, on: door) ?? 0 }
          .deliver(on: desk).subscribe { _ in },
        rings().deliver(on: desk).subscribe { _ in },
      ]
      await every(100, times: 8) { calls.send($0) }
      await pause(500)
      return (calls, handles)
    },
  ]
}

/// A guest who comes after the given time, by way of the given queue.
private func guests(after milliseconds: Int, on queue: QueueScheduler) -> Signal<Int, Never> {
  Signal<Void, Never>.timer(after: .milliseconds(milliseconds), on: .background)
    .map { _ in 1 }
    .deliver(on: queue)
}

/// Something that happens often, on a queue of its own.
private func rings() -> Signal<Int, Never> {
  Signal.interval(.milliseconds(30), on: QueueScheduler(label: "bell")).scan(0) { $0 + $1 }
}

/// Blocks the thread, for 0.4 s at most, until a guest comes, after the given time and by way of
/// the given queue.
private func firstGuest(after milliseconds: Int, on queue: QueueScheduler) -> Int? {
  let guests = guests(after: milliseconds, on: queue)
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
