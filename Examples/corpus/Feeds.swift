import Dispatch
internal import Glibc
import Reactive

/// Programs whose sources run a timer or a task, with subscribers that stay only for a while.
extension Corpus {
  static let feeds: [Program] = [
    Program("feeds-1", "event-after-dispose") {
      let queue = QueueScheduler(label: "ticks")
      let ticks = Signal<Int, Never>.create { observer in
        _ = queue.schedule(every: .milliseconds(4)) { observer.send(1) }
      }
      for _ in 0..<24 {
        let handle = ticks.subscribe { _ in }
        await pause(12)
        handle.dispose()
      }
      await pause(100)
      return ticks
    },
    Program("feeds-2", "event-after-dispose") {
      let answers = Signal<Int, Refusal>.create { observer in
        Task {
          for value in 0..<8 {
            observer.send(value)
            try? await Task.sleep(for: .milliseconds(2))
          }
          observer.complete()
        }
      }
      for _ in 0..<24 { _ = try? await answers.retry(2).first() }
      await pause(100)
      return answers
    },
    Program("feeds-3", nil) {
      let queue = QueueScheduler(label: "ticks")
      let ticks = Signal<Int, Never>.create { observer in
        let timer = queue.schedule(every: .milliseconds(4)) {
          usleep(3000)
          observer.send(1)
        }
        observer.onDispose { timer.dispose() }
      }
      for _ in 0..<24 {
        let handle = ticks.subscribe { _ in }
        await pause(13)
        handle.dispose()
      }
      await pause(100)
      return ticks
    },
    Program("feeds-4", nil) {
      let answers = Signal<Int, Refusal>.task { 1 }
      for _ in 0..<2000 { _ = try? await answers.retry(2).first() }
      return answers
    },
    Program("feeds-5", nil) {
      let queue = QueueScheduler(label: "ticks")
      let ticks = Signal<Int, Never>.create { observer in
        let timer = queue.schedule(every: .milliseconds(10)) {
          usleep(4000)
          observer.send(1)
          observer.complete()
        }
        observer.onDispose { timer.dispose() }
      }
      for _ in 0..<24 {
        let handle = ticks.subscribe { _ in }
        await pause(11)
        handle.dispose()
      }
      await pause(100)
      return ticks
    },
    Program("feeds-6", nil) {
      let answers = Signal<Int, Refusal>.create { observer in
        Task {
          observer.send(1)
          observer.complete()
        }
      }
      for _ in 0..<200 { _ = try? await answers.retry(2).first() }
      return answers
    },
  ]
}
