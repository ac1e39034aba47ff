import Dispatch
internal import Glibc
import Reactive
import Synchronization

extension Corpus {
  static let belts = [
    Program("belts-1", "stall") {
      let parts = Subject<Int, Never>()
      let gate = DispatchSemaphore(value: 0)
      let belt = QueueScheduler(label: "belt")
      let handle = parts.signal.deliver(on: belt).subscribe { part in if part == 30 { gate.wait() }
      }
      await every(8, times: 130) { parts.send($0) }
      return (parts, handle)
    },
    Program("belts-2", "stall") {
      let steps = Subject<Int, Never>()
      let slow = Subject<Int, Never>()
      let handle = steps.signal.concatMap { step in
        step == 12 ? slow.signal.map { $0 + step } : Signal<Int, Never>.just(step)
      }
      .subscribe { _ in }
      await every(10, times: 20) { steps.send($0) }
      await pause(900)
      return (steps, slow, handle)
    },
    Program("belts-3", "stall") {
      let left = Subject<Int, Never>()
      let right = Subject<Int, Never>()
      let handle = zip(left.signal, right.signal).subscribe { _ in }
      await every(10, times: 100) { time in
        left.send(time)
        if time < 30 { right.send(time) }
      }
      return (left, right, handle)
    },
    Program("belts-4", nil) {
      let parts = Subject<Int, Never>()
      let belt = QueueScheduler(label: "belt")
      let handle = parts.signal.deliver(on: belt).subscribe { _ in usleep(2000) }
      await every(8, times: 40) { parts.send($0) }
      await pause(900)
      return (parts, handle)
    },
    Program("belts-5", nil) {
      let steps = Subject<Int, Never>()
      let handle = steps.signal.concatMap { step in
        Signal<Void, Never>.timer(after: .milliseconds(60), on: .main).map { _ in step }
      }
      .subscribe { _ in }
      await every(30, times: 40) { steps.send($0) }
      return (steps, handle)
    },
    Program("belts-6", nil) {
      let left = Subject<Int, Never>()
      let right = Subject<Int, Never>()
      let handle = zip(left.signal, right.signal).subscribe { _ in }
      await every(10, times: 120) { time in
        left.send(time)
        if time % 4 == 0 { for part in 0..<4 { right.send(part) } }
      }
      return (left, right, handle)
    },
  ]

  static let counters = [
    Program("counters-1", "wrong-queue") {
      let values = Subject<Int, Never>()
      let handle = values.signal.map { $0 + 1 }.subscribe { _ in }
      let network = QueueScheduler(label: "network")
      await every(8, times: 60) { time in
        if time % 15 == 7 {
          network.schedule { values.send(-time) }
        } else {
          QueueScheduler.main.schedule { values.send(time) }
        }
      }
      return (values, handle)
    },
    Program("counters-2", "wrong-queue") {
      let network = QueueScheduler(label: "network")
      let beats = Signal<Int, Never>.interval(.milliseconds(8), on: .main)
      let answers = Signal<Int, Never>.interval(.milliseconds(90), on: network).map { -$0 }
      let handle = merge(beats, answers).subscribe { _ in }
      await pause(700)
      return handle
    },
    Program("counters-3", nil) {
      let network = QueueScheduler(label: "network")
      let beats = Signal<Int, Never>.interval(.milliseconds(8), on: .main)
      let answers = Signal<Int, Never>.interval(.milliseconds(90), on: network).map { -$0 }
      let handle = merge(beats, answers.deliver(on: .main)).subscribe { _ in }
      await pause(700)
      return handle
    },
    Program("counters-4", nil) {
      // The queue runs on several threads of the pool, and the first value is sent on subscription.
      let network = QueueScheduler(label: "network")
      let values = BehaviorSubject<Int, Never>(0)
      let handle = values.signal.map { $0 + 1 }.subscribe { _ in }
      let other = Signal<Int, Never>.interval(.milliseconds(7), on: network).subscribe { _ in }
      await every(8, times: 60) { time in network.schedule { values.send(time) } }
      return (values, handle, other)
    },
  ]

  static let loops = [
    Program("loops-1", "reentrancy") {
      let steps = Subject<Int, Never>()
      let handle = steps.signal.map { $0 + 1 }.subscribe { value in
        if value % 40 != 0 { steps.send(value) }
      }
      await every(20, times: 5) { steps.send($0 * 40) }
      return (steps, handle)
    },
    Program("loops-2", "reentrancy") {
      let celsius = Subject<Double, Never>()
      let kelvin = Subject<Double, Never>()
      let one = celsius.signal.subscribe { kelvin.send($0 + 273.15) }
      let other = kelvin.signal.subscribe { if $0 < 320 { celsius.send($0 - 272.15) } }
      await every(20, times: 5) { celsius.send(Double($0)) }
      return (celsius, kelvin, one, other)
    },
    Program("loops-3", nil) {
      let steps = Subject<Int, Never>()
      let handle = steps.signal.expand { value in
        value % 40 == 0 ? Signal<Int, Never>.empty() : Signal<Int, Never>.just(value + 1)
      }
      .subscribe { _ in }
      await every(20, times: 5) { steps.send($0 * 40 + 1) }
      return (steps, handle)
    },
    Program("loops-4", nil) {
      let steps = Subject<Int, Never>()
      let handle = steps.signal.scan(0) { $0 + $1 }.deliver(on: .main).subscribe { value in
        if value < 60 { steps.send(1) }
      }
      await every(20, times: 5) { steps.send($0) }
      return (steps, handle)
    },
  ]
}
