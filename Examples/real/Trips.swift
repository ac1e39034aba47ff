import Reactive
import ReactiveTrace
import Synchronization

/// A trip planner: for each trip a form is opened, which looks things up as the user types.
///
/// Rebuilt from ReactiveX/rxjs#2714. When a field was removed, its texts ended, but the lookup that
/// the last text had started continued, although it should have ended, too.
extension Real {
  static let trips = Report("trips", "requests for a form that is closed") { version in
    let railway = Railway()
    let planner = Planner(railway)
    for (round, place) in ["ash", "birch", "cedar", "elm", "fir", "oak"].enumerated() {
      let form = Form(railway, version)
      form.start(planner)
      form.type(String(place.prefix(2)))
      await pause(200)
      form.type(place)
      await pause(500)
      form.close()
      Trace.mark("trip \(round + 1)")
    }
    let before = railway.asked
    await pause(1000)
    print("\(railway.asked - before) requests in a second without a form")
    return [railway, planner] as [Any]
  }
}

private final class Railway: Sendable {
  /// Notices for all travellers.
  let notices = Subject<String, Never>("notices")
  private let queue = QueueScheduler(label: "railway")
  private let count = Mutex(0)

  var asked: Int { count.withLock { $0 } }

  /// Sends the departures from a place at an interval.
  func departures(from place: String) -> Signal<String, Never> {
    Signal.interval(.milliseconds(120), on: queue).map { [weak self] number in
      self?.count.withLock { $0 += 1 }
      return "departure \(number) from \(place)"
    }
  }

  func places(like text: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(60), on: queue).map { [weak self] _ in
      self?.count.withLock { $0 += 1 }
      return "\(text)..."
    }
  }
}

/// A planner that exists while forms come and go.
private final class Planner: Sendable {
  let settled = Subject<String, Never>("settled")
  private let bag = DisposableBag()

  init(_ railway: Railway) {
    note(settled.signal)
    note(settled.signal.flatMapLatest { railway.places(like: $0) })
    note(railway.notices.signal)
    note(Signal.interval(.milliseconds(900), on: .main).map { "minute \($0)" })
  }

  private func note(_ texts: Signal<String, Never>) { texts.subscribe { _ in }.store(in: bag) }
}

private final class Form: Sendable {
  private let typed = Subject<String, Never>("typed")
  private let closed = Subject<Void, Never>("closed")
  private let lines = Mutex<[String: String]>([:])
  private let railway: Railway
  private let version: Version

  init(_ railway: Railway, _ version: Version) {
    self.railway = railway
    self.version = version
  }

  func start(_ planner: Planner) {
    let railway = railway
    let texts = typed.signal.take(until: closed.signal)  // blame, too
    let board =
      version == .fixed
      ? typed.signal.flatMapLatest { railway.departures(from: $0) }.take(until: closed.signal)
      : texts.flatMapLatest { railway.departures(from: $0) }  // blame
    show("board", board)
    show("places", texts.flatMapLatest { railway.places(like: $0) })
    show("notices", railway.notices.signal.take(until: closed.signal))
    show("title", texts.map { "from \($0)" })
    show("next", railway.departures(from: "home").take(until: closed.signal))
    texts.debounce(.milliseconds(300), on: .main)
      .subscribe { [weak planner] in planner?.settled.send($0) }
  }

  func type(_ text: String) { typed.send(text) }

  func close() { closed.send() }

  /// Shows texts until they end.
  private func show(_ part: String, _ texts: Signal<String, Never>) {
    texts.subscribe { [weak self] text in self?.lines.withLock { $0[part] = text } }
  }
}
