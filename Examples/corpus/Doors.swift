import Reactive
import ReactiveTrace
import Synchronization

/// A house with room for four guests, each of whom stays for a while; further guests are refused.
private final class House: Sendable {
  private let inside = Mutex(0)
  private let queue = QueueScheduler(label: "house")

  func visit(_ guest: Int) -> Signal<Int, Never> {
    Signal<Void, Refusal>.attempt { [weak self] () throws(Refusal) in try self?.enter() }
      .flatMap { [queue] in Signal.timer(after: .milliseconds(60), on: queue) }
      .map { [weak self] in
        self?.inside.withLock { $0 -= 1 }
        return guest
      }
      .catch { _ in Signal<Int, Never>.empty() }
  }

  private func enter() throws(Refusal) {
    let isFull = inside.withLock { inside in
      let isFull = inside == 4
      if !isFull { inside += 1 }
      return isFull
    }
    if isFull { throw Refusal() }
  }
}

/// Handles requests one at a time; the request with number 3 is refused.
private final class Desk: Sendable {
  private let questions = Subject<Int, Never>()
  private let isBusy = MutableProperty(false)
  private let answer = MutableProperty(0)
  private let bag = DisposableBag()

  init(always: Bool) {
    questions.signal
      .filter { [isBusy] _ in !isBusy.value }
      .doNext { [isBusy] _ in isBusy.value = true }
      .flatMapFirst { [isBusy] number -> Signal<Int, Never> in
        let found = Signal.timer(after: .milliseconds(30), on: .background)
          .tryMap { _ throws(Refusal) in
            if number == 3 { throw Refusal() }
            return number
          }
        let answer =
          always
          ? found.finally { isBusy.value = false } : found.doNext { _ in isBusy.value = false }
        return answer.replaceFailure(with: 0)
      }
      .bind(to: answer)
      .store(in: bag)
  }

  func ask(_ number: Int) { questions.send(number) }
}

/// A page of a book that is laid out when the signal of its title has completed.
private final class Leaf: Sendable {
  let title = MutableProperty<String?>(nil)
  let laidOut = MutableProperty(false)
  private let bag = DisposableBag()

  init(isForOne: Bool) {
    let known = title.signal.skipNil()
    let titles = isForOne ? known.take(1) : known
    titles
      .flatMap { title in
        Signal.timer(after: .milliseconds(20), on: .background).map { title.count }
      }
      .subscribe(next: { _ in }, completed: { [laidOut] in laidOut.value = true })
      .store(in: bag)
  }
}

/// A table whose rows are loaded first and then edited by the user.
private final class Table: Sendable {
  let edits = Subject<Int, Never>()
  private let rows = MutableProperty([Int]())
  private let bag = DisposableBag()

  init(_ number: Int, isCareful: Bool) {
    let loaded = Signal.timer(after: .milliseconds(20), on: .background)
      .tryMap { _ throws(Refusal) in
        if number.isMultiple(of: 2) { throw Refusal() }
        return number
      }
    let first = isCareful ? loaded.catch { _ in Signal<Int, Refusal>.empty() } : loaded
    merge(first, edits.signal.promoteFailure())
      .scan([Int]()) { $0 + [$1] }
      .subscribe(next: { [rows] in rows.value = $0 }, failed: { _ in })
      .store(in: bag)
  }
}

/// Opens one table after the other, and edits each.
@MainActor
private func edit(isCareful: Bool) async {
  await every(20, times: 5) { number in
    let table = Table(number, isCareful: isCareful)
    for edit in 1...4 {
      await pause(60)
      table.edits.send(edit)
    }
    withExtendedLifetime(table) {}
  }
  await pause(400)
}

/// The page of a place, whose subscriptions end when it is released.
private final class Tab: Sendable {
  private let bag = DisposableBag()

  init(_ place: Signal<Int, Never>) {
    place.subscribe { _ in }.store(in: bag)
    place.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
  }
}

/// Programs about refusals under load, flags that are not reset, wrong queues and lost values.
extension Corpus {
  static let doors = [
    Program("doors-1", "refused-in-a-crowd") {
      let (house, guests, bag) = (House(), Subject<Int, Never>(), DisposableBag())
      guests.signal.flatMap { house.visit($0) }.subscribe { _ in }.store(in: bag)
      await every(200, times: 4) { round in for guest in 0..<12 { guests.send(round * 12 + guest) }
      }
      return (house, guests, bag)
    },
    Program("doors-2", nil) {
      let (house, guests, bag) = (House(), Subject<Int, Never>(), DisposableBag())
      guests.signal.flatMap(limit: 4) { house.visit($0) }.subscribe { _ in }.store(in: bag)
      await every(250, times: 4) { round in for guest in 0..<12 { guests.send(round * 12 + guest) }
      }
      return (house, guests, bag)
    },
    Program("doors-3", "not-reset-by-failure") {
      let desk = Desk(always: false)
      await every(150, times: 9) { desk.ask($0) }
      return desk
    },
    Program("doors-4", nil) {
      let desk = Desk(always: true)
      await every(150, times: 9) { desk.ask($0) }
      return desk
    },
    Program("doors-5", "wrong-queue") {
      let (codes, bag, scanner) = (
        Subject<Int, Never>(), DisposableBag(), QueueScheduler(label: "scanner")
      )
      codes.signal.map { $0 * 2 }.subscribe(on: .main).subscribe { _ in }.store(in: bag)
      await pause(20)
      await every(60, times: 8) { number in _ = scanner.schedule { codes.send(number) } }
      return (codes, bag, scanner)
    },
    // Values that are sent on the main queue arrive on it.
    Program("doors-6", nil) {
      let (codes, bag, scanner) = (
        Subject<Int, Never>(), DisposableBag(), QueueScheduler(label: "scanner")
      )
      codes.signal.map { $0 * 2 }.subscribe(on: .main).subscribe { _ in }.store(in: bag)
      codes.signal.map { $0 * 3 }.subscribe(on: scanner).subscribe { _ in }.store(in: bag)
      await pause(20)
      await every(60, times: 8) { codes.send($0) }
      return (codes, bag, scanner)
    },
    Program("doors-7", "values-lost") {
      await every(20, times: 5) { number in
        let (changes, bag) = (Subject<Int, Never>(), DisposableBag())
        changes.signal.skip(1).subscribe { _ in }.store(in: bag)
        for change in 1...3 {
          await pause(30)
          changes.send(number + change)
        }
        bag.empty()
      }
      return ()
    },
    Program("doors-8", nil) {
      await every(20, times: 5) { number in
        let (state, bag) = (MutableProperty(0), DisposableBag())
        state.signal.skip(1).subscribe { _ in }.store(in: bag)
        for change in 1...3 {
          await pause(30)
          state.value = number + change
        }
        bag.empty()
      }
      return ()
    },
    Program("doors-9", "already-disposed") {
      let place = MutableProperty(0)
      func look(_ number: Int) {
        let bag = DisposableBag()
        Signal.timer(after: .milliseconds(30), on: .background)
          .subscribe { place.value = number }
          .store(in: bag)
      }
      await every(100, times: 6) { look($0) }
      return place
    },
    Program("doors-10", nil) {
      let (place, kept) = (MutableProperty(0), DisposableBag())
      func look(_ number: Int) {
        Signal.timer(after: .milliseconds(30), on: .background)
          .subscribe { place.value = number }
          .store(in: kept)
      }
      await every(100, times: 6) { look($0) }
      return (place, kept)
    },
    Program("doors-11", "waited-in-vain") {
      let leaves = (0..<4).map { _ in Leaf(isForOne: false) }
      await every(150, times: 4) { leaves[$0].title.value = "page \($0)" }
      await pause(500)
      return leaves
    },
    Program("doors-12", nil) {
      let leaves = (0..<4).map { _ in Leaf(isForOne: true) }
      await every(150, times: 4) { leaves[$0].title.value = "page \($0)" }
      await pause(500)
      return leaves
    },
    Program("doors-13", "duplicated-work") {
      let (presses, bag) = (Subject<Void, Never>(), DisposableBag())
      presses.signal
        .flatMap { Signal.timer(after: .milliseconds(80), on: .background) }
        .subscribe { _ in }
        .store(in: bag)
      await every(200, times: 5) { round in
        for _ in 0...(round % 2 + 1) {
          presses.send()
          await pause(10)
        }
      }
      return (presses, bag)
    },
    // Each press asks for something different.
    Program("doors-14", nil) {
      let (presses, bag) = (Subject<Int, Never>(), DisposableBag())
      let again = Subject<Void, Never>()
      presses.signal
        .flatMap { number in
          Signal.timer(after: .milliseconds(80), on: .background).map { number }
        }
        .subscribe { _ in }
        .store(in: bag)
      again.signal
        .flatMapFirst { Signal.timer(after: .milliseconds(80), on: .background) }
        .subscribe { _ in }
        .store(in: bag)
      await every(200, times: 5) { round in
        for press in 0...(round % 2 + 1) {
          presses.send(press)
          again.send()
          await pause(10)
        }
      }
      return (presses, again, bag)
    },
    Program("doors-15", "nothing-passes") {
      await every(20, times: 2) { _ in
        let bag = DisposableBag()
        Signal.interval(.milliseconds(30), on: .background).take(30)
          .debounce(.milliseconds(150), on: .background)
          .subscribe { _ in }
          .store(in: bag)
        await pause(1200)
      }
      return ()
    },
    Program("doors-16", nil) {
      await every(20, times: 2) { _ in
        let bag = DisposableBag()
        Signal.interval(.milliseconds(30), on: .background).take(30)
          .throttle(.milliseconds(150), on: .background)
          .subscribe { _ in }
          .store(in: bag)
        await pause(1200)
      }
      return ()
    },
    Program("doors-17", "ended-by-failure") { await edit(isCareful: false) },
    Program("doors-18", nil) { await edit(isCareful: true) },
    Program("doors-19", "growth-at-site") {
      let place = MutableProperty(0)
      var tabs: [Tab] = []
      await every(60, times: 8) { number in
        tabs.append(Tab(place.signal))
        place.value = number
        Trace.mark("place \(number)")
      }
      return (place, tabs)
    },
    Program("doors-20", nil) {
      let place = MutableProperty(0)
      var tabs: [Tab] = []
      await every(60, times: 8) { number in
        tabs = [Tab(place.signal)]
        place.value = number
        Trace.mark("place \(number)")
      }
      return (place, tabs)
    },
  ]
}
