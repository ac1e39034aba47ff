internal import Glibc
import Reactive
import ReactiveTrace

extension Corpus {
  static let trips = [
    Program("trips-1", "crash") {
      let stops = ["Aarhus", "Lund"]
      let legs = Subject<Int, Never>()
      let road = QueueScheduler(label: "road")
      let handle = legs.signal.deliver(on: road).map { leg in stops[leg] }.subscribe { _ in }
      await every(10, times: 20) { time in legs.send(time / 5) }
      await pause(500)
      return (legs, handle)
    },
    Program("trips-2", "crash") {
      let road = QueueScheduler(label: "road")
      let handle = Signal<Int, Never>.interval(.milliseconds(5), on: road).map { _ in 1 }
        .scan(0) { sum, one in sum + one }
        .subscribe { count in if count == 20 { abort() } }
      await pause(800)
      return handle
    },
    Program("trips-3", "ended-without-stopping") {
      let legs = Subject<Int, Never>()
      let handle = legs.signal.map { leg in
        if leg == 12 { raise(SIGKILL) }
        return leg
      }
      .subscribe { _ in }
      await every(5, times: 20) { legs.send($0) }
      return (legs, handle)
    },
    Program("trips-4", "ended-without-stopping") {
      let legs = Subject<Int, Never>()
      let handle = legs.signal.subscribe { leg in if leg == 12 { _exit(0) } }
      await every(5, times: 20) { legs.send($0) }
      return (legs, handle)
    },
    Program("trips-5", nil) {
      let legs = Subject<Int, Never>()
      let road = QueueScheduler(label: "road")
      let handle = legs.signal.deliver(on: road).map { leg in
        if leg == 12 { kill(getpid(), SIGTERM) }
        return leg
      }
      .subscribe { _ in }
      await every(5, times: 20) { legs.send($0) }
      await pause(500)
      return (legs, handle)
    },
    Program("trips-6", nil) {
      let legs = Subject<Int, Never>()
      let handle = legs.signal.subscribe { _ in }
      await every(5, times: 20) { legs.send($0) }
      // The recording is stopped properly, although the exit status is 1.
      Trace.stop()
      if getpid() > 0 { _exit(1) }
      return (legs, handle)
    },
    Program("trips-7", nil) {
      // The program handles the signal and continues.
      signal(SIGFPE) { _ in }
      let legs = Subject<Int, Never>()
      let handle = legs.signal.map { leg in
        if leg == 12 { raise(SIGFPE) }
        return leg
      }
      .subscribe { _ in }
      await every(5, times: 20) { legs.send($0) }
      kill(getpid(), SIGINT)
      await pause(500)
      return (legs, handle)
    },
  ]
}
