import Reactive
import Synchronization

/// A client with a sign-in form, news that is polled, and a button that saves a draft.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#2136. The sign-in button worked until the server
/// answered with an error; after that, pressing it had no effect.
extension Real {
  static let signIn = Report("sign-in", "stream ended by an error") { version in
    let server = Server()
    let form = Form(server, version)
    let desk = Desk(server)
    for round in 0..<8 {
      server.isReachable = round != 1
      form.presses.send("user")
      desk.drafts.send("draft \(round)")
      await pause(400)
    }
    await pause(200)
    print("pressed 8 times, \(form.answers.value) answers, \(desk.saved.value) of 8 drafts saved")
    return (form, desk)
  }
}

private enum Trouble: Error { case unreachable }

private final class Server: Sendable {
  private let reachable = Mutex(true)
  private let queue = QueueScheduler(label: "server")

  var isReachable: Bool {
    get { reachable.withLock { $0 } }
    set { reachable.withLock { $0 = newValue } }
  }

  /// Requests a path, again for each subscription.
  func fetch(_ path: String) -> Signal<String, Trouble> {
    Signal.timer(after: .milliseconds(70), on: queue)
      .tryMap { [self] _ throws(Trouble) in
        guard isReachable else { throw .unreachable }
        return "answer to \(path)"
      }
  }
}

private final class Form: Sendable {
  let presses = Subject<String, Never>("presses")
  let answers = Counter()
  private let message = MutableProperty("", "message")
  private let isBusy = MutableProperty(false, "is busy")
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    @Sendable func session(_ name: String) -> Signal<String, Trouble> {
      let answer = server.fetch("session/\(name)")
      return version == .fixed ? answer.catch { _ in .just("Try again later.") } : answer
    }

    presses.signal
      .doNext { [isBusy] _ in isBusy.value = true }
      .flatMapLatest { name in session(name) }  // blame
      .deliver(on: .main)
      .subscribe(
        next: { [answers, message, isBusy] text in
          answers.add()
          isBusy.value = false
          message.value = text
        },
        failed: { [message, isBusy] _ in
          isBusy.value = false
          message.value = "The server cannot be reached."
        }
      )
      .store(in: bag)
    combineLatest(message.signal, isBusy.signal)
      .map { message, isBusy in isBusy ? "…" : message }
      .distinctUntilChanged()
      .subscribe { _ in }
      .store(in: bag)
  }
}

/// The drafts and the news, which do not depend on the form.
private final class Desk: Sendable {
  let drafts = Subject<String, Never>("drafts")
  let saved = Counter()
  private let news = MutableProperty("", "news")
  private let bag = DisposableBag()

  init(_ server: Server) {
    drafts.signal
      .concatMap { draft in server.fetch("drafts/\(draft)").retry(20) }
      .subscribe(next: { [saved] _ in saved.add() }, failed: { _ in })
      .store(in: bag)
    Signal.interval(.milliseconds(250), on: .background)
      .flatMapLatest { _ in server.fetch("news").replaceFailure(with: "no news") }
      .bind(to: news)
    news.signal.distinctUntilChanged().subscribe { _ in }.store(in: bag)
  }
}
