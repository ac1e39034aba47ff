import Reactive
import Synchronization

/// The pages of a directory: each person's page shows whether they are there, and what is new.
///
/// Rebuilt from ReactiveX/rxjs#5034. A service shared and replayed a new signal for each call.
/// After a person's page was closed, its signal stayed in memory and still received updates.
extension Real {
  static let people = Report("people", "more work with every page") { version in
    let directory = Directory(version)
    let frame = Frame(directory)
    for person in ["ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"] {
      frame.open(person)
      await pause(500)
    }
    let before = directory.asked
    await pause(1000)
    print("asked \(directory.asked - before) times in a second, for one page")
    return [directory, frame] as [Any]
  }
}

/// Polls for news about people.
private final class Directory: Sendable {
  /// The list of names, which every frame shows and which exists as long as the directory.
  let names: Signal<[String], Never>

  private let network = QueueScheduler(label: "directory")
  private let count = Mutex(0)
  private let version: Version

  init(_ version: Version) {
    self.version = version
    let network = network
    names = Signal.interval(.milliseconds(800), on: network)
      .map { ["ant", "bee", "page \($0)"] }
      .replayLazily(1)
  }

  var asked: Int { count.withLock { $0 } }

  func presence(of person: String) -> Signal<Bool, Never> {
    let answers = ask("presence of \(person)", every: 100).map { $0 % 3 != 0 }
    if version == .fixed { return answers.share(replay: 1) }
    return answers.replayLazily(1)  // blame
  }

  func news(of person: String) -> Signal<String, Never> {
    ask("news of \(person)", every: 250).map { "\(person) wrote \($0) letters" }.share(replay: 1)
  }

  func portrait(of person: String) -> Signal<String, Never> {
    ask("portrait of \(person)", every: 50).take(1).map { _ in "portrait of \(person)" }
      .replayLazily(1)
  }

  private func ask(_ topic: String, every milliseconds: Int) -> Signal<Int, Never> {
    Signal.interval(.milliseconds(milliseconds), on: network).doNext { [weak self] _ in
      self?.count.withLock { $0 += 1 }
    }
  }
}

/// Shows one page at a time.
private final class Frame: Sendable {
  private let opened = Subject<String, Never>("opened")
  private let lines = Mutex<[String: String]>([:])
  private let bag = DisposableBag()

  init(_ directory: Directory) {
    let pages = opened.signal.distinctUntilChanged()
    show(
      "presence",
      pages.flatMapLatest { directory.presence(of: $0) }.map { $0 ? "there" : "away" }
    )
    show("news", pages.flatMapLatest { directory.news(of: $0) })
    show("portrait", pages.flatMapLatest { directory.portrait(of: $0) })
    show("title", pages.map { "page of \($0)" })
    show("names", directory.names.map { $0.joined(separator: ", ") })
    show("visits", pages.scan(0) { count, _ in count + 1 }.map { "\($0) visits" })
  }

  func open(_ person: String) { opened.send(person) }

  private func show(_ part: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [weak self] text in
      self?.lines.withLock { $0[part] = text }
    }
    .store(in: bag)
  }
}
