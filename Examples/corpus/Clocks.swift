import Dispatch
internal import Glibc
import Reactive
import Synchronization

extension Corpus {
  static let clocks = [
    Program("clocks-1", "timer-without-subscriber") {
      var timers: [any Disposable] = []
      var subjects: [Subject<Int, Never>] = []
      for _ in 0..<2 {
        let beats = Subject<Int, Never>()
        timers.append(QueueScheduler.main.schedule(every: .milliseconds(20)) { beats.send(1) })
        subjects.append(beats)
      }
      let handles = subjects.map { $0.signal.map { $0 + 1 }.subscribe { _ in } }
      await pause(200)
      for handle in handles { handle.dispose() }
      await pause(1500)
      return (timers, subjects)
    },
    Program("clocks-2", "timer-without-subscriber") {
      let beats = Subject<Int, Never>()
      let timer = QueueScheduler.main.schedule(every: .milliseconds(25)) { beats.send(1) }
      let handle = beats.signal.scan(0) { $0 + $1 }.subscribe { _ in }
      await pause(150)
      handle.dispose()
      await pause(1500)
      return (timer, beats)
    },
    Program("clocks-3", nil) {
      let found = Subject<Int, Never>()
      let left = Mutex(12)
      let timer = QueueScheduler.main.schedule(every: .milliseconds(20)) {
        let one = left.withLock { left in
          left -= 1
          return left
        }
        if one >= 0 { found.send(one) }
      }
      let handle = found.signal.map { $0 + 1 }.subscribe { _ in }
      await pause(1800)
      return (timer, found, handle)
    },
    Program("clocks-4", nil) {
      let count = Mutex(0)
      let timer = QueueScheduler.main.schedule(every: .milliseconds(20)) {
        count.withLock { $0 += 1 }
      }
      let beats = Signal<Int, Never>.interval(.milliseconds(25), on: .main)
      let handle = beats.filter { $0 % 50 == 49 }.subscribe { _ in }
      await pause(1600)
      return (timer, handle)
    },
  ]

  static let workers = [
    Program("workers-1", "event-after-dispose") {
      let queue = DispatchQueue(label: "readings")
      let readings = Signal<Int, Never>.create { observer in
        queue.async {
          for value in 0..<60 {
            observer.send(value)
            usleep(4000)
          }
        }
      }
      let handle = readings.subscribe { _ in }
      await pause(60)
      handle.dispose()
      await pause(300)
      return readings
    },
    Program("workers-2", "event-after-dispose") {
      let kept = Mutex<[Observer<Int, Never>]>([])
      let readings = Signal<Int, Never>.create { observer in kept.withLock { $0.append(observer) } }
      let handle = readings.map { $0 + 1 }.subscribe { _ in }
      await every(10, times: 20) { time in
        if time == 8 { handle.dispose() }
        for observer in kept.withLock({ $0 }) { observer.send(time) }
      }
      return readings
    },
    Program("workers-3", nil) {
      let queue = DispatchQueue(label: "readings")
      let readings = Signal<Int, Never>.create { observer in
        queue.async {
          for value in 0..<60 where !observer.isDisposed {
            observer.send(value)
            usleep(4000)
          }
        }
      }
      let handle = readings.subscribe { _ in }
      await pause(60)
      handle.dispose()
      await pause(300)
      return readings
    },
    Program("workers-4", nil) {
      let kept = Mutex<Observer<Int, Never>?>(nil)
      let readings = Signal<Int, Never>.create { observer in
        kept.withLock { $0 = observer }
        observer.onDispose { kept.withLock { $0 = nil } }
      }
      let handle = readings.map { $0 + 1 }.subscribe { _ in }
      await every(10, times: 20) { time in
        // In one round, the subscription ends between reading the observer and sending to it.
        let observer = kept.withLock { $0 }
        if time == 8 { handle.dispose() }
        observer?.send(time)
      }
      return readings
    },
  ]
}
