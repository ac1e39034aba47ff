import Dispatch
internal import Glibc
import Reactive

/// Programs in which threads send to one subject while another thread handles the values.
extension Corpus {
  static let tills = [
    Program("tills-1", "thread-captured") {
      let sums = Subject<Int, Never>(backlog: .unlimited)
      return await till(sums, crew: 3, sends: 800) { _ in usleep(200) }
    },
    Program("tills-2", "thread-captured") {
      let sums = Subject<Int, Never>(backlog: .unlimited)
      return await till(sums, crew: 2, sends: 36) { _ in usleep(20_000) }
    },
    Program("tills-3", nil) {
      let sums = Subject<Int, Never>()
      return await till(sums, crew: 3, sends: 800) { _ in usleep(200) }
    },
    Program("tills-4", nil) {
      let sums = Subject<Int, Never>(backlog: .unlimited)
      let desk = QueueScheduler(label: "desk")
      return await till(sums, on: desk, crew: 2, sends: 36) { _ in usleep(10_000) }
    },
  ]

  /// Sends one value, whose handler lets a crew begin to send, and waits for the crew.
  @MainActor
  private static func till(
    _ sums: Subject<Int, Never>,
    on desk: QueueScheduler? = nil,
    crew count: Int,
    sends: Int,
    _ handle: @escaping @Sendable (Int) -> Void
  ) async -> Any {
    let start = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let crew = Crew(count) { thread in
      start.wait()
      for number in 0..<sends {
        sums.send(thread * sends + number)
        if number == sends - 1 { begun.signal() }
      }
    }
    let signal = desk.map { sums.signal.deliver(on: $0) } ?? sums.signal
    let handle = signal.subscribe { value in
      guard value < 0 else { return handle(value) }
      for _ in 0..<count { start.signal() }
      // Waits only briefly, because a sender may be waiting for this thread (backpressure).
      for _ in 0..<count { _ = begun.wait(timeout: .now() + .milliseconds(50)) }
    }
    sums.send(-1)
    crew.wait()
    return (sums, handle)
  }
}
