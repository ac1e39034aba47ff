import Reactive

/// A news reader: a service that reads its sources from the start of the app, and a window that
/// shows news, the weather, and the number of unread items.
///
/// Rebuilt from ReactiveX/RxSwift#1004. Users saw nothing of what the service had sent before they
/// subscribed, because the service exists before its readers do.
extension Real {
  static let reader = Report("reader", "subscribed too late") { version in
    let service = Service()
    let reader = Reader(service)
    if version == .fixed { reader.showHeadlines() }
    reader.showWeather()
    service.start()
    await pause(500)
    if version == .reported { reader.showHeadlines() }
    for round in 0..<5 {
      service.refresh(round)
      await pause(450)
    }
    print("read \(service.read.value) headlines, shown \(reader.shown.value)")
    return (service, reader)
  }
}

private final class Service: Sendable {
  let headlines = Subject<String, Never>("headlines")  // blame, too
  let weather = BehaviorSubject<String, Never>("no weather yet", "weather")
  let alarms = Subject<String, Never>("alarms")
  let read = Counter()
  private let queue = QueueScheduler(label: "service")
  private let bag = DisposableBag()

  /// Reads the headlines of the night, and the weather from then on.
  func start() {
    publish(Signal.from((1...6).map { "night \($0)" }))
    Signal.interval(.milliseconds(350), on: queue)
      .map { "\(12 + $0) °C" }
      .subscribe { [weather] in weather.send($0) }
      .store(in: bag)
  }

  func refresh(_ round: Int) {
    publish(Signal.from(["day \(round)"]))
    if round % 2 == 1 { alarms.send("storm \(round)") }
  }

  private func publish(_ found: Signal<String, Never>) {
    found.deliver(on: queue)
      .subscribe { [headlines, read] headline in
        read.add()
        headlines.send(headline)
      }
      .store(in: bag)
  }
}

private final class Reader: Sendable {
  let shown = Counter()
  private let service: Service
  private let unread = MutableProperty(0, "unread")
  private let bag = DisposableBag()

  init(_ service: Service) {
    self.service = service
    unread.signal.map { "\($0) unread" }.subscribe { _ in }.store(in: bag)
  }

  func showHeadlines() {
    service.headlines.signal
      .subscribe { [shown, unread] _ in  // blame
        shown.add()
        unread.modify { $0 += 1 }
      }
      .store(in: bag)
  }

  func showWeather() {
    show(service.weather.signal.distinctUntilChanged())
    show(service.alarms.signal)
    show(combineLatest(service.weather.signal, unread.signal).map { "\($0), \($1)" })
    show(Signal.interval(.milliseconds(600), on: .background).map { "minute \($0)" })
  }

  private func show(_ text: Signal<String, Never>) {
    text.deliver(on: .main).subscribe { _ in }.store(in: bag)
  }
}
