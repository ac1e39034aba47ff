import Reactive

/// The desk of a ferry: everything its clerks do goes to one inbox, from the buttons, from the
/// scanner and from the link that the program was opened with, and is processed from there.
///
/// Rebuilt from RxSwiftCommunity/Action#91. Several signals were bound to the subject that takes
/// the inputs, and the first to end also ended the subject: no further action could be triggered.
extension Real {
  static let ferry = Report("ferry", "the desk stops working") { version in
    let desk = Desk(openedWith: "ticket 100", version)
    for round in 1...8 {
      desk.sales.send("ticket \(round)")
      await pause(130)
      desk.scans.send("gate \(round)")
      await pause(130)
      desk.enquiries.send("how late is boat \(round)?")
      await pause(160)
    }
    await pause(200)
    let (sold, boarded) = (desk.sold.value, desk.boarded.value)
    print("8 tickets and the one of the link: \(sold) sold; 8 scans: \(boarded) let on board")
    return desk
  }
}

private enum Order: Sendable {
  case sell(String)
  case board(String)
  case answer(String)
}

private final class Harbour: Sendable {
  private let queue = QueueScheduler(label: "harbour")

  /// Checks the link that the program was opened with.
  func check(_ link: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(700), on: queue).map(to: link)
  }

  func book(_ ticket: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map { "\(ticket) booked" }
  }

  /// The delays of the boats, sent at an interval.
  var delays: Signal<Int, Never> {
    Signal.interval(.milliseconds(250), on: queue).map { $0 * 3 % 11 }
  }
}

private final class Desk: Sendable {
  let sales = Subject<String, Never>("sales")
  let scans = Subject<String, Never>("scans")
  let enquiries = Subject<String, Never>("enquiries")
  let sold = Counter()
  let boarded = Counter()
  private let answered = Counter()
  private let inbox = Subject<Order, Never>("inbox")
  private let delay = BehaviorSubject<Int, Never>(0, "delay")
  private let harbour = Harbour()
  private let bag = DisposableBag()

  init(openedWith link: String, _ version: Version) {
    let harbour = harbour
    work(inbox.signal.compactMap { if case .sell(let ticket) = $0 { ticket } else { nil } }) {
      [sold] ticket in harbour.book(ticket).doNext { _ in sold.add() }
    }
    work(inbox.signal.compactMap { if case .board(let gate) = $0 { gate } else { nil } }) {
      [boarded] gate in Signal.just("\(gate) open").doNext { _ in boarded.add() }
    }
    work(inbox.signal.compactMap { if case .answer(let text) = $0 { text } else { nil } }) {
      [answered, delay] text in
      delay.signal.take(1).map { "\(text) \($0) minutes" }.doNext { _ in answered.add() }
    }

    let opened = harbour.check(link).map { Order.sell($0) }
    feed(sales.signal.map { .sell($0) }, to: inbox)
    feed(scans.signal.map { .board($0) }, to: inbox)
    feed(enquiries.signal.map { .answer($0) }, to: inbox)
    if version == .fixed {
      opened.subscribe { [inbox] in inbox.send($0) }.store(in: bag)
    } else {
      feed(opened, to: inbox)  // blame
    }
    feed(harbour.delays, to: delay)
  }

  /// Forwards all events of a signal to a subject.
  private func feed<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    to subject: some EventHub<Value, Never>
  ) {
    signal.subscribe(subject).store(in: bag)  // blame, too
  }

  /// Works on orders, one after the other.
  private func work(
    _ orders: Signal<String, Never>,
    _ body: @escaping @Sendable (String) -> Signal<String, Never>
  ) {
    orders.concatMap(body).subscribe { _ in }.store(in: bag)
  }
}
