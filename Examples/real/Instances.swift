import Reactive
import ReactiveTrace

/// A console for cloud applications: each has a page with a summary, statistics and routes, which
/// are polled while the page is open.
///
/// Rebuilt from cloudfoundry/stratos#1571. Parts of a page shared signals and replayed them to late
/// subscribers. After the user had left, statistics were no longer requested, but the summary was.
extension Real {
  static let instances = Report("instances", "requests for nobody") { version in
    let cloud = Cloud(version)
    let console = Console(cloud)
    for round in 0..<6 {
      console.open(cloud.applications[round % 3])
      await pause(330)
      console.showStatistics()
      await pause(220)
      console.close()
      Trace.mark("left")
    }
    let before = cloud.requests.value
    await pause(900)
    let requests = cloud.requests.value - before
    print("instances: \(requests > 9 ? "many" : "\(requests)") requests while no page was open")
    return [cloud, console] as [Any]
  }
}

private final class Cloud: Sendable {
  let requests = Counter()
  let applications: [Application]
  /// Requested once, on the first subscription.
  let about: Signal<String, Never>

  init(_ version: Version) {
    applications = ["shop", "mail", "blog"].map { [requests] in
      Application($0, requests, version)
    }
    about = Signal.timer(after: .milliseconds(60), on: .background)
      .map { [requests] in
        requests.add()
        return "version 2.8"
      }
      .replayLazily(1)
  }
}

/// The signals of an application, for its views.
private final class Application: Sendable {
  let summary: Signal<String, Never>
  let statistics: Signal<Int, Never>
  let routes: Signal<[String], Never>

  init(_ name: String, _ requests: Counter, _ version: Version) {
    let polled = monitor(requests, every: .milliseconds(100)) { "\(name) runs, \($0)" }
    summary = version == .fixed ? polled.share(replay: 1) : polled.replayLazily(1)  // blame
    statistics = monitor(requests, every: .milliseconds(80)) { $0 * 7 % 100 }.share(replay: 1)
    routes = monitor(requests, every: .milliseconds(150)) { ["\(name).example", "\($0)"] }
      .distinctUntilChanged()
      .share(replay: 1)
  }
}

/// Asks at once, and then at an interval.
private func monitor<Value: Sendable>(
  _ requests: Counter,
  every interval: Duration,
  _ answer: @escaping @Sendable (Int) -> Value
) -> Signal<Value, Never> {
  Signal.interval(interval, on: .background)
    .startWith(0)
    .map { round in
      requests.add()
      return answer(round)
    }
}

@MainActor
private final class Console {
  private let cloud: Cloud
  private let footer = MutableProperty("", "footer")
  private let clock = MutableProperty(0, "clock")
  private let bag = DisposableBag()
  private var page: Page?

  init(_ cloud: Cloud) {
    self.cloud = cloud
    cloud.about.deliver(on: .main).bind(to: footer).store(in: bag)
    Signal.interval(.milliseconds(250), on: .main).bind(to: clock).store(in: bag)
  }

  func open(_ application: Application) { page = Page(application, cloud.about) }

  func showStatistics() { page?.showStatistics() }

  func close() { page = nil }
}

@MainActor
private final class Page {
  private let application: Application
  private let title = MutableProperty("", "title")
  private let state = MutableProperty("", "state")
  private let links = MutableProperty(0, "links")
  private let load = MutableProperty(0, "load")
  private let bag = DisposableBag()

  init(_ application: Application, _ about: Signal<String, Never>) {
    self.application = application
    application.summary.deliver(on: .main).bind(to: title).store(in: bag)
    combineLatest(application.summary, about) { "\($0) on \($1)" }
      .deliver(on: .main)
      .bind(to: state)
      .store(in: bag)
    application.routes.map(\.count).deliver(on: .main).bind(to: links).store(in: bag)
  }

  func showStatistics() {
    application.statistics.deliver(on: .main).bind(to: load).store(in: bag)
    application.statistics
      .map { "\($0) percent" }
      .distinctUntilChanged()
      .deliver(on: .main)
      .subscribe()
      .store(in: bag)
  }
}
