import Reactive
import Synchronization

/// A backup: the files of several folders are sent to a server, one after the other within each
/// folder, over a line that sometimes fails.
///
/// Rebuilt from Reactive-Extensions/RxJS#1071. When one value of a sequence failed, the whole
/// sequence was repeated from its beginning; users wanted it to continue where it was.
extension Real {
  static let backup = Report("backup", "files are sent many times") { version in
    let server = Server()
    let backup = Backup(server, version)
    backup.start()
    await pause(3400)
    let (sent, done) = (server.received("photos"), backup.finished("photos"))
    print("\(done) of 12 photos are safe, \(sent) photos were sent")
    return [server, backup] as [Any]
  }
}

private enum LineFailure: Error { case interrupted }

/// Every fourth file of a folder is accepted only at the second try.
private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let tries = Mutex<[String: Int]>([:])
  private let counts = Mutex<[String: Int]>([:])

  func received(_ folder: String) -> Int { counts.withLock { $0[folder, default: 0] } }

  func take(_ file: Int, of folder: String) -> Signal<String, LineFailure> {
    Signal.timer(after: .milliseconds(60), on: queue).tryMap {
      [weak self] _ throws(LineFailure) in
      let name = "\(folder)/\(file)"
      guard let self, isThrough(name, file) else { throw .interrupted }
      counts.withLock { $0[folder, default: 0] += 1 }
      return name
    }
  }

  private func isThrough(_ name: String, _ file: Int) -> Bool {
    let number = tries.withLock { tries in
      tries[name, default: 0] += 1
      return tries[name, default: 0]
    }
    return number > 1 || !file.isMultiple(of: 4)
  }
}

private final class Backup: Sendable {
  private let server: Server
  private let version: Version
  private let queue = QueueScheduler(label: "backup")
  private let files = Mutex<[String: Set<String>]>([:])
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    self.server = server
    self.version = version
  }

  func start() {
    let server = server
    let again = { @Sendable [queue] (work: Signal<String, LineFailure>) in
      work.retry(5, delay: .milliseconds(100), on: queue)  // blame, too
    }
    note("letters", numbers(1...12).concatMap { again(server.take($0, of: "letters")) })
    if version == .fixed {
      note("photos", numbers(1...12).concatMap { again(server.take($0, of: "photos")) })
    } else {
      note("photos", again(numbers(1...12).concatMap { server.take($0, of: "photos") }))  // blame
    }
    note("music", numbers(1...6).flatMap { again(server.take($0, of: "music")) })
    // There is only one file, so no other work is repeated.
    note("index", again(server.take(4, of: "index")))

    Signal.interval(.milliseconds(400), on: queue)
      .map { [weak self] _ in self?.finished("letters") ?? 0 }
      .distinctUntilChanged()
      .subscribe { _ in }
      .store(in: bag)
  }

  func finished(_ folder: String) -> Int { files.withLock { $0[folder, default: []].count } }

  private func numbers(_ range: ClosedRange<Int>) -> Signal<Int, LineFailure> { .from(range) }

  /// Records the files that have been sent.
  private func note(_ folder: String, _ names: Signal<String, LineFailure>) {
    names.subscribe(
      next: { [weak self] name in
        _ = self?.files.withLock { $0[folder, default: []].insert(name) }
      },
      failed: { _ in }
    )
    .store(in: bag)
  }
}
