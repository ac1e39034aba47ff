import Reactive
import ReactiveTrace

/// A diary as a list of cells. There are only as many cells as fit on the screen: when the user
/// scrolls, a cell that has left the screen shows the next entry.
///
/// Rebuilt from ReactiveX/RxSwift#437. Users tapped the button of a cell once and saw the alert two
/// or three times, more often the longer they had scrolled.
extension Real {
  static let diary = Report("diary", "subscriptions pile up") { version in
    let diary = Diary(version)
    for page in 0..<8 {
      diary.scroll(to: page)
      await pause(250)
      diary.cells[page % diary.cells.count].taps.send()
      diary.refreshes.send()
      await pause(150)
      Trace.mark("page")
    }
    await pause(300)
    print("tapped 8 times, \(diary.alerts.value) alerts")
    return diary
  }
}

@MainActor
private final class Cell {
  let taps: Subject<Void, Never>
  let likes: Subject<Void, Never>
  /// The subscriptions for the entry that is shown.
  let reuse = DisposableBag()
  var text = ""

  init(_ number: Int) {
    taps = Subject("taps \(number)")
    likes = Subject("likes \(number)")
  }

  func prepareForReuse() {
    reuse.empty()
    text = ""
  }
}

@MainActor
private final class Diary {
  let cells = (0..<5).map { Cell($0) }
  let refreshes = Subject<Void, Never>("refreshes")
  let alerts = Counter()
  private let likes = Counter()
  private let version: Version
  private let entry = MutableProperty(0, "first entry")
  private let bag = DisposableBag()

  init(_ version: Version) {
    self.version = version
    handle(refreshes.signal, in: bag) {}
    handle(entry.signal.map { "entries from \($0)" }, in: bag) {}
    handle(Signal.interval(.milliseconds(300), on: .main), in: bag) {}
  }

  func scroll(to page: Int) {
    entry.value = page * cells.count
    for (row, cell) in cells.enumerated() {
      cell.prepareForReuse()
      fill(cell, with: "entry \(page * cells.count + row)")
    }
  }

  private func fill(_ cell: Cell, with text: String) {
    cell.text = text
    handle(cell.likes.signal, in: cell.reuse) { [likes] in likes.add() }
    handle(entry.signal.skip(1), in: cell.reuse) {}
    cell.taps.signal
      .map { "Comment on \(text)?" }
      .subscribe { [alerts] _ in alerts.add() }  // blame
      .store(in: version == .fixed ? cell.reuse : bag)
  }

  private func handle<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    in bag: DisposableBag,
    _ body: @escaping @Sendable () -> Void
  ) {
    signal.subscribe { _ in body() }.store(in: bag)
  }
}
