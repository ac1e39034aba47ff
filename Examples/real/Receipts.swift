import Reactive
import ReactiveTrace

/// An expense app: photographed receipts are read and added up, older ones come from an archive.
///
/// Rebuilt from vrendina/RxQueue#1. A special operator was meant to process the values of a subject
/// in the background, but everything still ran on the main thread and blocked the screen.
extension Real {
  static let receipts = Report("receipts", "the screen stands still") { version in
    let desk = Desk(version)
    let archive = ArchiveScreen()
    var stuck = 0
    await pause(200)
    for round in 1...5 {
      Trace.mark("receipt \(round)")
      let start = ContinuousClock.now
      desk.photograph("receipt \(round)")
      if ContinuousClock.now - start > .milliseconds(100) { stuck += 1 }
      await pause(350)
      if round.isMultiple(of: 2) { archive.open(year: 2010 + round) }
      desk.type("lunch with customer \(round)")
      await pause(200)
    }
    await pause(300)
    print("receipts: the button hung \(stuck) of 5 times, \(desk.total.value) were added up")
    return [desk, archive] as [Any]
  }
}

/// Keeps the processor busy for the given number of milliseconds.
private func labour(_ milliseconds: Int) {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  while ContinuousClock.now < end {}
}

private struct Receipt: Sendable {
  var title = ""
  var sum = 0
}

/// Reads what is printed on a photograph.
private func read(_ photograph: String) -> Receipt {
  labour(200)
  return Receipt(title: photograph, sum: photograph.count)
}

extension Signal {
  /// Subscribes on the background queue, and delivers the results on the main queue.
  fileprivate func inBackground<Result>(
    _ work: @escaping @Sendable (Signal) -> Signal<Result, Failure>
  ) -> Signal<Result, Failure> {
    work(subscribe(on: .background)).deliver(on: .main)
  }
}

private final class Desk: Sendable {
  let total = Counter()
  private let photographs = Subject<String, Never>("photographs")
  private let note = MutableProperty("", "note")
  private let receipts = MutableProperty<[Receipt]>([], "receipts")
  private let sum = MutableProperty("", "sum")
  private let hint = MutableProperty("", "hint")
  private let news = MutableProperty("", "news")
  private let bag = DisposableBag()

  init(_ version: Version) {
    let arrived = photographs.signal
    let texts =
      version == .fixed
      ? arrived.deliver(on: .background).map { read($0) }.deliver(on: .main)
      : arrived.inBackground { $0.map { read($0) } }  // blame
    texts
      .subscribe { [receipts, total] receipt in
        receipts.modify { $0.append(receipt) }
        total.add()
      }
      .store(in: bag)
    receipts.signal
      .map { receipts in "\(receipts.reduce(0) { $0 + $1.sum }) in \(receipts.count) receipts" }
      .bind(to: sum)
      .store(in: bag)
    note.signal
      .filter { !$0.isEmpty }
      .debounce(.milliseconds(80), on: .main)
      .deliver(on: .background)
      .map { text in
        labour(20)
        return "\(text.split(separator: " ").count) words"
      }
      .deliver(on: .main)
      .bind(to: hint)
      .store(in: bag)
    photographs.signal.map { "\($0) has come" }.bind(to: news).store(in: bag)
  }

  func photograph(_ title: String) { photographs.send(title) }

  func type(_ text: String) {
    for length in [5, 10, text.count] { note.value = String(text.prefix(length)) }
  }
}

/// A screen with the receipts of one year.
private final class ArchiveScreen: Sendable {
  private let rows = MutableProperty<[String]>([], "rows")
  private let size = MutableProperty(0, "size")
  private let bag = DisposableBag()

  func open(year: Int) {
    Signal<[String], Never>
      .attempt {
        labour(60)
        return (1...12).map { "\(year)-\($0)" }
      }
      .inBackground { $0.map { $0.reversed() } }
      .subscribe { [rows] in rows.value = $0 }
      .store(in: bag)
    Signal<Int, Never>
      .attempt {
        labour(30)
        return year * 3
      }
      .inBackground { $0 }
      .subscribe { [size] in size.value = $0 }
      .store(in: bag)
  }
}
