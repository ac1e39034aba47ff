import Reactive
import ReactiveTrace
import Synchronization

/// A page that shows which version of a program runs where: the overview, the state of the rollout
/// and the settings are streams from a server that is replaced now and then.
///
/// Rebuilt from freiheit-com/kuberpult#1933. A stream that had failed was requested again only a
/// few times; after a longer break the page showed the earlier state, until users reloaded it.
extension Real {
  static let rollout = Report("rollout", "old versions") { version in
    let server = Server()
    let page = OverviewPage(server, version)
    await pause(400)
    server.isDown(["rollout", "settings"], true)
    await pause(250)
    server.isDown(["rollout", "settings"], false)
    await pause(400)
    server.deploy(2)
    Trace.mark("version 2")
    await pause(250)
    server.isDown(["overview"], true)
    await pause(1500)
    server.isDown(["overview"], false)
    server.deploy(3)
    Trace.mark("version 3")
    await pause(1100)
    print("rollout: version \(server.latest) runs, the overview shows version \(page.overview)")
    return [server, page] as [Any]
  }
}

private struct Unreachable: Error {}

private final class Server: Sendable {
  private struct State {
    var version = 1
    var down: Set<String> = []
  }

  private let queue = QueueScheduler(label: "server")
  private let state = Mutex(State())

  var latest: Int { state.withLock { $0.version } }

  func deploy(_ version: Int) { state.withLock { $0.version = version } }

  func isDown(_ topics: [String], _ isDown: Bool) {
    state.withLock { state in
      if isDown { state.down.formUnion(topics) } else { state.down.subtract(topics) }
    }
  }

  /// Sends the running version at an interval, until the connection is lost.
  func stream(_ topic: String) -> Signal<Int, Unreachable> {
    Signal.interval(.milliseconds(60), on: queue).tryMap { [self] _ throws(Unreachable) in
      let answer = state.withLock { $0.down.contains(topic) ? nil : $0.version }
      guard let answer else { throw Unreachable() }
      return answer
    }
  }
}

private final class OverviewPage: Sendable {
  private let versions = MutableProperty(0, "overview")
  private let progress = MutableProperty(0, "rollout")
  private let settings = MutableProperty(0, "settings")
  private let message = MutableProperty("", "message")
  private let drawn = Counter()
  private let bag = DisposableBag()

  var overview: Int { versions.value }

  init(_ server: Server, _ version: Version) {
    if version == .fixed {
      let overview = server.stream("overview").retry(
        delay: { number, _ in .milliseconds(min(number * 100, 400)) },
        on: .background
      )
      follow(overview, versions, "the overview")
    } else {
      let overview = server.stream("overview")
        .retry(3, delay: .milliseconds(150), on: .background)  // blame
      follow(overview, versions, "the overview")
    }
    let rollout = server.stream("rollout").retry(3, delay: .milliseconds(150), on: .background)
    follow(rollout, progress, "the rollout")
    let settings = server.stream("settings").retry(
      delay: { number, _ in .milliseconds(min(number * 80, 400)) },
      on: .background
    )
    follow(settings, self.settings, "the settings")
    combineLatest(versions.signal, progress.signal, self.settings.signal)
      .debounce(.milliseconds(40), on: .main)
      .subscribe { [drawn] _ in drawn.add() }
      .store(in: bag)
    message.signal
      .filter { !$0.isEmpty }
      .flatMapLatest { Signal.timer(after: .milliseconds(300), on: .main).map(to: $0) }
      .subscribe { [message] _ in message.value = "" }
      .store(in: bag)
  }

  /// Shows the values of a stream, and its failure for a moment.
  private func follow(
    _ stream: Signal<Int, Unreachable>,
    _ place: MutableProperty<Int>,
    _ name: String
  ) {
    stream
      .deliver(on: .main)
      .subscribe(
        next: { place.value = $0 },
        failed: { [message] _ in message.value = "There is no connection for \(name)." }
      )
      .store(in: bag)
  }
}
