import Reactive
import ReactiveTrace
import Synchronization

/// A chat window for an automatic assistant: its sentences come over a connection that stays open;
/// the history and a list of hints are fetched.
///
/// Rebuilt from microsoft/BotFramework-DirectLineJS#97. While the service could not be reached,
/// each window tried to reconnect as fast as it could.
extension Real {
  static let assistant = Report("assistant", "knocks too often") { version in
    let service = Service()
    let window = Window(service, version)
    for talk in 1...3 {
      Trace.mark("talk \(talk)")
      window.open("talk \(talk)")
      await pause(600)
      service.goDown()
      await pause(450)
      service.comeUp()
      await pause(450)
    }
    let often = service.tries.value > 40 ? "more than 40 times" : "at most 40 times"
    print("assistant: connected \(often) in 3 talks")
    return [service, window] as [Any]
  }
}

private struct Unreachable: Error {}

private final class Service: Sendable {
  let tries = Counter()
  private let isUp = MutableProperty(true, "service")
  private let asked = Mutex<[String: Int]>([:])
  private let queue = QueueScheduler(label: "service")

  func goDown() { isUp.value = false }

  func comeUp() { isUp.value = true }

  /// Sends sentences at an interval; fails when the service is down.
  func connect() -> Signal<String, Unreachable> {
    let sentences = Signal<Int, Never>.interval(.milliseconds(70), on: queue)
      .map { "sentence \($0)" }
    return open().flatMapLatest { [isUp] in
      combineLatest(isUp.signal, sentences.startWith("hello"))
    }
    .tryMap { isUp, sentence throws(Unreachable) in
      guard isUp else { throw Unreachable() }
      return sentence
    }
  }

  /// Fails for the first request of each path.
  func fetch(_ path: String) -> Signal<String, Unreachable> {
    Signal.timer(after: .milliseconds(40), on: queue).tryMap { [self] _ throws(Unreachable) in
      let number = asked.withLock { asked in
        asked[path, default: 0] += 1
        return asked[path, default: 0]
      }
      guard number > 1 else { throw Unreachable() }
      return "\(path) as of \(number)"
    }
  }

  private func open() -> Signal<Void, Never> {
    Signal.timer(after: .milliseconds(8), on: queue).map { [tries] _ in tries.add() }
  }
}

@MainActor
private final class Window {
  private let service: Service
  private let version: Version
  private let sentence = MutableProperty("", "sentence")
  private let history = MutableProperty("", "history")
  private let hints = MutableProperty("", "hints")
  private let queue = QueueScheduler(label: "window")
  private let talk = DisposableBag()
  private let whole = DisposableBag()

  init(_ service: Service, _ version: Version) {
    self.service = service
    self.version = version
    sentence.signal.debounce(.milliseconds(150), on: .main).subscribe { _ in }.store(in: whole)
    combineLatest(history.signal, hints.signal) { $0 + $1 }.subscribe { _ in }.store(in: whole)
  }

  func open(_ name: String) {
    talk.empty()
    if version == .fixed {
      show(service.connect().retry(delay: .milliseconds(300), on: queue), in: sentence)
    } else {
      show(service.connect().retry(), in: sentence)  // blame
    }
    show(service.fetch("history of \(name)").retry(), in: history)
    show(service.fetch("hints for \(name)").retry(3), in: hints)
  }

  private func show(_ texts: Signal<String, Unreachable>, in place: MutableProperty<String>) {
    texts.catch { _ in Signal<String, Never>.just("not available") }
      .deliver(on: .main)
      .bind(to: place)
      .store(in: talk)
  }
}
