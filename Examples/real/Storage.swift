import Reactive
import ReactiveTrace
import Synchronization

/// The dashboard of a storage cluster: a signed-in user sees its pools or its mirroring, and a
/// summary above them. Services hold what the pages show.
///
/// Rebuilt from ceph/ceph#34058. A service polled the cluster from its creation on, whether a page
/// showed the answers or not: requests went out while nobody was signed in.
extension Real {
  static let storage = Report("storage", "asks for nobody") { version in
    let dashboard = Dashboard(version)
    for round in 1...3 {
      dashboard.signIn()
      await pause(250)
      dashboard.open(.pools)
      await pause(250)
      if round != 2 { dashboard.open(.mirroring) }
      await pause(300)
      dashboard.signOut()
      Trace.mark("signed out \(round)")
      await pause(200)
    }
    let before = dashboard.cluster.asked("mirroring")
    await pause(700)
    let after = dashboard.cluster.asked("mirroring")
    print("storage: asked \(after - before) times what is mirrored, and nobody was signed in")
    return dashboard
  }
}

/// Answers requests, and counts them by path.
private final class Cluster: Sendable {
  private let queue = QueueScheduler(label: "cluster")
  private let counts = Mutex<[String: Int]>([:])

  /// Makes one request.
  func ask(_ path: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(20), on: queue).map { [self] in
      counts.withLock {
        $0[path, default: 0] += 1
        return "\(path) \($0[path] ?? 0)"
      }
    }
  }

  /// Makes a request at once, and then at an interval.
  func poll(_ path: String, every interval: Duration) -> Signal<String, Never> {
    Signal.interval(interval, on: queue).startWith(0).flatMapFirst { [self] _ in ask(path) }
  }

  func asked(_ path: String) -> Int { counts.withLock { $0[path, default: 0] } }
}

private final class SummaryService: Sendable {
  let summary = MutableProperty("", "summary")
  private let cluster: Cluster

  init(_ cluster: Cluster) { self.cluster = cluster }

  func startPolling() -> any Disposable {
    cluster.poll("summary", every: .milliseconds(120)).bind(to: summary)
  }
}

private final class MirroringService: Sendable {
  let images = MutableProperty("", "mirrored images")
  private let cluster: Cluster

  init(_ cluster: Cluster, _ version: Version) {
    self.cluster = cluster
    if version == .reported {
      cluster.poll("mirroring", every: .milliseconds(100)).bind(to: images)  // blame
    }
  }

  func startPolling() -> any Disposable {
    cluster.poll("mirroring", every: .milliseconds(100)).bind(to: images)
  }
}

private enum Page { case pools, mirroring }

@MainActor
private final class Dashboard {
  let cluster: Cluster
  private let version: Version
  private let summary: SummaryService
  private let mirroring: MirroringService
  /// The features that are on, requested while there are subscribers.
  private let features: Signal<String, Never>
  private let connection = MutableProperty("", "connection")
  private let drawn = Counter()
  private let whole = DisposableBag()
  private let layout = DisposableBag()
  private let page = DisposableBag()

  init(_ version: Version) {
    let cluster = Cluster()
    self.cluster = cluster
    self.version = version
    summary = SummaryService(cluster)
    mirroring = MirroringService(cluster, version)
    features = cluster.poll("features", every: .milliseconds(160)).share(replay: 1)
    // Every page, even the sign-in page, shows whether the cluster can be reached.
    cluster.poll("connection", every: .milliseconds(300)).bind(to: connection).store(in: whole)
    show(connection.signal, in: whole)
  }

  func signIn() {
    summary.startPolling().store(in: layout)
    show(summary.summary.signal, in: layout)
    show(features, in: layout)
  }

  func signOut() {
    page.empty()
    layout.empty()
  }

  func open(_ next: Page) {
    page.empty()
    switch next {
    case .pools:
      show(cluster.poll("pools", every: .milliseconds(90)), in: page)
      show(features.map { "pools with \($0)" }, in: page)
    case .mirroring:
      if version == .fixed { mirroring.startPolling().store(in: page) }
      show(mirroring.images.signal, in: page)
      show(cluster.ask("mirroring mode"), in: page)
    }
  }

  private func show(_ texts: Signal<String, Never>, in bag: DisposableBag) {
    texts.deliver(on: .main).subscribe { [drawn] _ in drawn.add() }.store(in: bag)
  }
}
