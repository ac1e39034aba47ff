import Reactive
import Synchronization

/// Programs in which several callers, senders, attempts or inputs affect each other.
extension Corpus {
  static let shows = [
    Program("shows-1", "wrong-queue") { await shown(undone: true) },
    Program("shows-2", nil) { await shown(undone: false) },
  ]

  static let rows = [
    Program("rows-1", "already-disposed") { await filled(anew: false) },
    Program("rows-2", nil) { await filled(anew: true) },
  ]

  static let inboxes = [
    Program("inboxes-1", "subject-ended") {
      let inbox = Subject<Int, Never>()
      let (buttons, scans) = (Subject<Int, Never>(), Subject<Int, Never>())
      let work = inbox.signal.subscribe { _ in }
      let feeds = [buttons.signal, scans.signal, scans.signal.take(12)].map { $0.subscribe(inbox) }
      await every(15, times: 50) { time in
        buttons.send(time)
        scans.send(-time)
      }
      return (inbox, buttons, scans, work, feeds)
    },
    Program("inboxes-2", nil) {
      let inbox = Subject<Int, Never>()
      let (buttons, scans) = (Subject<Int, Never>(), Subject<Int, Never>())
      let work = inbox.signal.subscribe { _ in }
      let feeds = [buttons.signal, scans.signal, scans.signal.take(12)].map { signal in
        signal.subscribe { inbox.send($0) }
      }
      await every(15, times: 50) { time in
        buttons.send(time)
        scans.send(-time)
      }
      return (inbox, buttons, scans, work, feeds)
    },
  ]

  static let circles = [
    Program("circles-1", "feedback-loop") {
      let (euros, crowns) = (MutableProperty(0), MutableProperty(0))
      let handles = [
        euros.signal.skip(1).debounce(.milliseconds(8), on: .main)
          .subscribe { crowns.value = $0 * 746 / 100 },
        crowns.signal.skip(1).debounce(.milliseconds(8), on: .main)
          .subscribe { euros.value = $0 * 100 / 746 },
      ]
      euros.value = 90
      await pause(900)
      return (euros, crowns, handles)
    },
    Program("circles-2", nil) {
      let (euros, crowns) = (MutableProperty(0), MutableProperty(0))
      let handles = [
        euros.signal.skip(1).distinctUntilChanged().debounce(.milliseconds(8), on: .main)
          .subscribe { crowns.value = $0 * 8 },
        crowns.signal.skip(1).distinctUntilChanged().debounce(.milliseconds(8), on: .main)
          .subscribe { euros.value = $0 / 8 },
      ]
      await every(90, times: 10) { euros.value = $0 }
      return (euros, crowns, handles)
    },
    Program("circles-3", "feedback-loop") {
      let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
      let handles = [
        left.signal.debounce(.milliseconds(6), on: .main).subscribe { right.send($0 + 1) },
        right.signal.debounce(.milliseconds(6), on: .main).subscribe { left.send($0 + 1) },
      ]
      left.send(0)
      await pause(900)
      return (left, right, handles)
    },
    Program("circles-4", nil) {
      let (ticks, moves) = (Subject<Int, Never>(), MutableProperty(0))
      let handles = [
        Signal.interval(.milliseconds(15), on: .main).subscribe { ticks.send($0) },
        ticks.signal.delay(.milliseconds(4), on: .main).subscribe { moves.value = $0 },
      ]
      await pause(900)
      return (ticks, moves, handles)
    },
  ]

  static let uploads = [
    Program("uploads-1", "work-repeated") {
      let files = Files()
      let handle = Signal<Int, Refusal>.from(1...12).concatMap { files.upload($0) }.retry(9)
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(600)
      return (files, handle)
    },
    Program("uploads-2", nil) {
      let files = Files()
      let handle = Signal<Int, Refusal>.from(1...12).concatMap { files.upload($0).retry(5) }
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(600)
      return (files, handle)
    },
  ]

  static let keys = [
    Program("keys-1", "failure-kept") {
      let files = Files()
      let handle = files.upload(4).replayLazily(1).retry(6, delay: .milliseconds(30), on: .main)
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(500)
      return (files, handle)
    },
    Program("keys-2", nil) {
      let files = Files()
      let handle = files.upload(4).retry(6, delay: .milliseconds(30), on: .main).replayLazily(1)
        .subscribe(next: { _ in }, failed: { _ in })
      await pause(500)
      return (files, handle)
    },
  ]

  static let answers = [
    Program("answers-1", "answers-overtake") {
      await searched { words, find in words.flatMap(find) }
    },
    Program("answers-2", nil) { await searched { words, find in words.concatMap(find) } },
  ]

  static let updates = [
    Program("updates-1", "inputs-overtake") {
      let (installed, announced) = (Subject<Int, Never>(), Subject<Int, Never>())
      let handle = merge(installed.signal.deliver(on: .main), announced.signal).subscribe { _ in }
      await every(15, times: 40) { time in
        installed.send(time)
        announced.send(time + 1)
      }
      return (installed, announced, handle)
    },
    Program("updates-2", nil) {
      let (installed, announced) = (Subject<Int, Never>(), Subject<Int, Never>())
      let handle = merge(installed.signal, announced.signal).deliver(on: .main).subscribe { _ in }
      await every(15, times: 40) { time in
        installed.send(time)
        announced.send(time + 1)
      }
      return (installed, announced, handle)
    },
  ]
}

/// Subscribes to the button of a row whenever the row is filled with new contents.
@MainActor
private func filled(anew: Bool) async -> Any {
  let button = Subject<Int, Never>()
  var held = CompositeDisposable()
  var all = [held]
  await every(60, times: 12) { time in
    held.dispose()
    if anew || time == 0 {
      held = CompositeDisposable()
      all.append(held)
    }
    button.signal.subscribe { _ in }.store(in: held)
    button.send(time)
  }
  return (button, all)
}

/// Asks two questions in each burst; the second is answered sooner.
@MainActor
private func searched(
  _ answer: (Signal<Int, Never>, @escaping @Sendable (Int) -> Signal<Int, Never>)
    -> Signal<Int, Never>
) async -> Any {
  let words = Subject<Int, Never>()
  let text = MutableProperty(0)
  let handle = answer(words.signal) { word in
    Signal<Void, Never>.timer(after: .milliseconds(word % 2 == 0 ? 250 : 10), on: .main)
      .map { word }
  }
  .subscribe { text.value = $0 }
  for burst in 0..<5 {
    words.send(2 * burst)
    await pause(20)
    words.send(2 * burst + 1)
    await pause(320)
  }
  return (words, text, handle)
}

/// Accepts files, every fourth of them only at the third try.
private final class Files: Sendable {
  private let tries = Mutex<[Int: Int]>([:])
  private let queue = QueueScheduler(label: "files")

  func upload(_ file: Int) -> Signal<Int, Refusal> {
    Signal.timer(after: .milliseconds(3), on: queue).tryMap { _ throws(Refusal) in
      let number = self.tries.withLock { tries in
        tries[file, default: 0] += 1
        return tries[file, default: 0]
      }
      guard number > 2 || !file.isMultiple(of: 4) else { throw Refusal() }
      return file
    }
  }
}

/// Draws four signals with one line of code, one of them delayed before or after `deliver(on:)`.
@MainActor
private func shown(undone: Bool) async -> Any {
  let orders = Subject<Int, Never>()
  let bag = DisposableBag()
  draw(orders.signal.deliver(on: .main), bag)
  draw(orders.signal.map { $0 * 2 }.deliver(on: .main), bag)
  draw(orders.signal.filter { $0 % 2 == 0 }.deliver(on: .main), bag)
  if undone {
    draw(orders.signal.deliver(on: .main).delay(.milliseconds(5), on: .background), bag)
  } else {
    draw(orders.signal.delay(.milliseconds(5), on: .background).deliver(on: .main), bag)
  }
  await every(20, times: 40) { orders.send($0) }
  return (orders, bag)
}

@inline(never)
private func draw(_ values: Signal<Int, Never>, _ bag: DisposableBag) {
  values.subscribe { _ in }.store(in: bag)
}
