import Dispatch
internal import Glibc
import Reactive
import Synchronization

/// Programs in which threads send at the same time while subscriptions are disposed of.
extension Corpus {
  static let crowds: [Program] = [(1, 2), (2, 8), (3, 32)].map { number, threads in
    Program("crowds-\(number)", nil) { await crowd(of: threads) }
  }

  /// All threads send to one subject with slow handlers, so values wait in its gate, which delivers
  /// one at a time; a queue has work for `posts` when the subscription to that is disposed of.
  private static func crowd(of threads: Int) async -> Any {
    let numbers = Subject<Int, Never>("numbers")
    let queue = QueueScheduler(label: "posts")
    let posts = Signal<Int, Never>.create { observer in
      for value in 0..<24 {
        queue.schedule {
          usleep(500)
          observer.send(value)
        }
      }
    }
    let isOver = Atomic<Bool>(false)
    let crew = Crew(threads) { thread in
      for _ in 0..<200 where !isOver.load(ordering: .relaxed) {
        for value in 0..<8 { numbers.send(value) }
        usleep(UInt32(200 * threads))
      }
    }
    for _ in 0..<12 {
      // Disposing of the subscription takes a while, because `doDisposed` sleeps.
      let handle = numbers.signal.doDisposed { usleep(2000) }.subscribe { _ in usleep(20) }
      let other = posts.subscribe { _ in }
      await pause(6)
      handle.dispose()
      other.dispose()
    }
    isOver.store(true, ordering: .relaxed)
    crew.wait()
    return (numbers, posts)
  }
}

/// A number of threads that run the same closure.
final class Crew: Sendable {
  private let group = DispatchGroup()

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    for thread in 0..<count {
      DispatchQueue(label: "crew \(thread)").async(group: group) { body(thread) }
    }
  }

  /// Waits until all threads have returned.
  func wait() { group.wait() }
}
