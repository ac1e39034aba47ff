import Reactive
import ReactiveTrace
import Synchronization

/// A film catalogue: a shelf that stays open, and a details screen that is opened again and again.
///
/// Rebuilt from V8tr/ModernMVVM#3. The details model assigned the values it observed to itself, so
/// that the subscription retained it: every film that was opened stayed in memory.
extension Real {
  static let movie = Report("movie", "models stay in memory") { version in
    let catalogue = Catalogue()
    let shelf = Shelf(catalogue)
    var opened: [Weak] = []
    for number in 1...8 {
      Trace.mark("film \(number)")
      var details: Details? = Details(number, catalogue, version)
      details.map { opened.append(Weak($0)) }
      for _ in 1...3 {
        await pause(120)
        catalogue.ratings.send(number)
        catalogue.seats.value -= 1
      }
      details?.close()
      details = nil
      await pause(60)
    }
    let alive = opened.filter { $0.details != nil }.count
    print("details: \(alive) of \(opened.count) models are still there; shelf drew \(shelf.count)")
    return [catalogue, shelf]
  }
}

private final class Catalogue: Sendable {
  let ratings = Subject<Int, Never>("ratings")
  let seats = MutableProperty(90, "seats")
  let clock = QueueScheduler(label: "clock")
}

private struct Weak {
  weak var details: Details?

  init(_ details: Details) { self.details = details }
}

extension Signal where Failure == Never {
  /// Passes each value to an object, which the subscription retains.
  fileprivate func assign<Owner: AnyObject & Sendable>(
    on owner: Owner,
    _ set: @escaping @Sendable (Owner, Value) -> Void
  ) -> any Disposable {
    subscribe { set(owner, $0) }
  }
}

/// A shelf that exists as long as the program.
private final class Shelf: Sendable {
  private let drawn = Mutex(0)
  private let bag = DisposableBag()

  var count: Int { drawn.withLock { $0 } }

  init(_ catalogue: Catalogue) {
    catalogue.seats.signal.assign(on: self) { shelf, _ in shelf.draw() }.store(in: bag)
    catalogue.ratings.signal.assign(on: self) { shelf, _ in shelf.draw() }.store(in: bag)
    Signal.interval(.milliseconds(500), on: catalogue.clock)
      .assign(on: self) { shelf, _ in shelf.draw() }
      .store(in: bag)
  }

  private func draw() { drawn.withLock { $0 += 1 } }
}

private final class Details: Sendable {
  private let lines = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()
  private let onScreen = DisposableBag()

  init(_ number: Int, _ catalogue: Catalogue, _ version: Version) {
    let ratings = catalogue.ratings.signal.filter { $0 == number }
    if version == .fixed {
      ratings.subscribe(with: self) { $0.show("rating", $1) }.store(in: bag)
    } else {
      ratings.assign(on: self) { $0.show("rating", $1) }.store(in: bag)  // blame
    }
    catalogue.seats.signal.subscribe(with: self) { $0.show("seats", $1) }.store(in: bag)
    // The fading hint ends when the screen is closed.
    Signal.interval(.milliseconds(50), on: catalogue.clock)
      .assign(on: self) { $0.show("hint", $1) }
      .store(in: onScreen)
  }

  func close() { onScreen.empty() }

  private func show(_ line: String, _ value: Int) { lines.withLock { $0[line] = value } }
}
