internal import Dispatch
import Reactive
import Synchronization

/// The board in a restaurant's kitchen: new orders are shown at once and blink a moment later, and
/// a waiter is called when an order has been ready for a while.
///
/// Rebuilt from ReactiveX/RxJava#1704. Values moved to the main thread were delayed afterwards, and
/// the delay sent them on another thread: users were surprised that the view was changed there.
extension Real {
  static let board = Report("board", "drawn on another thread") { version in
    let kitchen = Kitchen()
    let board = Board(kitchen, version)
    for number in 1...10 {
      kitchen.orders.send("table \(number)")
      await pause(200)
      kitchen.ready.send(number)
      kitchen.guests.value += 2
      await pause(150)
    }
    await pause(400)
    let (off, all) = board.count("blinking")
    print("board: \(off) of \(all) drawings of the blinking were not on the main queue")
    return [kitchen, board] as [Any]
  }
}

private final class Kitchen: Sendable {
  let orders = Subject<String, Never>("orders")
  let ready = Subject<Int, Never>("ready")
  let guests = MutableProperty(0, "guests")
}

extension Signal where Failure == Never {
  /// Delays values on the background queue.
  fileprivate func later(_ milliseconds: Int) -> Signal {
    delay(.milliseconds(milliseconds), on: .background)  // blame, too
  }
}

/// A key that is set on the main queue only.
private let onMain = DispatchSpecificKey<Bool>()

private final class Board: Sendable {
  private let drawn = Mutex<[String: (off: Int, all: Int)]>([:])
  private let book = QueueScheduler(label: "book")
  private let bag = DisposableBag()

  init(_ kitchen: Kitchen, _ version: Version) {
    DispatchQueue.main.setSpecific(key: onMain, value: true)
    let orders = kitchen.orders.signal

    draw("orders", orders.deliver(on: .main))
    if version == .fixed {
      draw("blinking", orders.later(150).deliver(on: .main))
    } else {
      draw("blinking", orders.deliver(on: .main).later(150))  // blame
    }
    draw("waiter", kitchen.ready.signal.later(250).map { "call for \($0)" }.deliver(on: .main))
    draw("guests", kitchen.guests.signal.debounce(.milliseconds(100), on: .main))
    draw("clock", Signal.interval(.milliseconds(300), on: .main))

    // The book need not be kept on the main queue.
    let sum = kitchen.ready.signal.deliver(on: book).scan(0, +)
    sum.later(100).subscribe { _ in }.store(in: bag)
  }

  func count(_ part: String) -> (off: Int, all: Int) { drawn.withLock { $0[part] ?? (0, 0) } }

  private func draw<Value>(_ part: String, _ values: Signal<Value, Never>) {
    values.subscribe { [weak self] _ in
      let off = DispatchQueue.getSpecific(key: onMain) == true ? 0 : 1
      self?.drawn.withLock { drawn in
        let old = drawn[part] ?? (0, 0)
        drawn[part] = (old.off + off, old.all + 1)
      }
    }
    .store(in: bag)
  }
}
