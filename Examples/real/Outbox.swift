import Reactive
import ReactiveTrace
import Synchronization

/// A mail program: sent drafts are uploaded, previews are rendered, and folders are looked up.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#3188. Each new value cancelled the work on the previous
/// one: of several mails in a row, only the last was sent.
extension Real {
  static let outbox = Report("outbox", "work is lost") { version in
    let server = Server()
    let mail = Mail(server, version)
    for round in 1...4 {
      Trace.mark("mail \(round)")
      mail.edit("draft \(round)")
      await pause(250)
      mail.open("folder \(round)")
      for part in ["a", "b", "c"] {
        mail.send("mail \(round)\(part)")
        await pause(60)
      }
      await pause(700)
    }
    print("outbox: \(server.count("upload")) of 12 mails were sent")
    return [server, mail]
  }
}

private final class Server: Sendable {
  private let queue = QueueScheduler(label: "server")
  private let done = Mutex<[String: Int]>([:])

  /// Works for the given time, and counts finished work.
  func work(_ kind: String, _ text: String, _ milliseconds: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { [weak self] in
      self?.done.withLock { $0[kind, default: 0] += 1 }
      return "\(kind) of \(text)"
    }
  }

  func count(_ kind: String) -> Int { done.withLock { $0[kind, default: 0] } }
}

extension Signal where Failure == Never {
  /// Works on the newest value, and cancels the work on the previous one.
  fileprivate func newest<Result>(
    _ work: @escaping @Sendable (Value) -> Signal<Result, Never>
  ) -> Signal<Result, Never> {
    flatMapLatest(work).deliver(on: .main)
  }

  /// Works on all values, one after the other.
  fileprivate func inOrder<Result>(
    _ work: @escaping @Sendable (Value) -> Signal<Result, Never>
  ) -> Signal<Result, Never> {
    concatMap(work).deliver(on: .main)
  }
}

private final class Mail: Sendable {
  private let drafts = MutableProperty("", "draft")
  private let folders = Subject<String, Never>("folders")
  private let sent = Subject<String, Never>("sent")
  private let status = MutableProperty("", "status")
  private let lastFolder = MutableProperty("", "last folder")
  private let bag = DisposableBag()

  init(_ server: Server, _ version: Version) {
    drafts.signal.newest { server.work("preview", $0, 40) }
      .subscribe().store(in: bag)
    folders.signal.newest { server.work("folder", $0, 120) }
      .bind(to: lastFolder).store(in: bag)
    folders.signal.inOrder { server.work("mark as read", $0, 20) }
      .subscribe().store(in: bag)
    if version == .fixed {
      sent.signal.inOrder { server.work("upload", $0, 150) }
        .bind(to: status).store(in: bag)
    } else {
      sent.signal.newest { server.work("upload", $0, 150) }  // blame
        .bind(to: status).store(in: bag)
    }
    Signal.interval(.milliseconds(600), on: .main).newest { server.work("check", "\($0)", 30) }
      .subscribe().store(in: bag)
  }

  /// Types a text; each letter makes a new draft.
  func edit(_ text: String) {
    for length in 1...text.count { drafts.value = String(text.prefix(length)) }
  }

  func open(_ folder: String) { folders.send(folder) }

  func send(_ mail: String) { sent.send(mail) }
}
