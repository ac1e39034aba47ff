import Reactive
import ReactiveTrace
import Synchronization

/// A forum reader: it fetches a topic and then its replies, or a profile and then its topics.
///
/// Rebuilt from ReactiveX/RxAndroid#222. When the topic had arrived, the animation should stop and
/// the topic be shown; the app complained that views were touched off the main thread.
extension Real {
  static let topics = Report("topics", "views in the background") { version in
    let forum = Forum()
    let screen = Screen()
    let reader = Reader(forum, screen, version)
    for number in 1...6 {
      reader.open(topic: number)
      await pause(280)
      if number.isMultiple(of: 2) {
        reader.open(profileOf: "author \(number)")
        await pause(200)
      }
      reader.save(number)
      await pause(60)
      Trace.mark("topic \(number)")
    }
    await pause(150)
    print("topics: \(screen.strange) texts were shown elsewhere than on the main queue")
    return [forum, screen, reader] as [Any]
  }
}

private struct Topic: Sendable {
  let number: Int
  let title: String
}

private final class Forum: Sendable {
  private let network = QueueScheduler(label: "network")
  private let disk = QueueScheduler(label: "disk")
  private let seen = Mutex<Set<Int>>([])

  func topic(_ number: Int) -> Signal<Topic, Never> {
    fetch { Topic(number: number, title: "topic \(number)") }
  }

  func replies(to number: Int) -> Signal<[String], Never> {
    fetch { (0..<3).map { "reply \($0) to \(number)" } }
  }

  func profile(of author: String) -> Signal<String, Never> { fetch { "\(author), since 2019" } }

  func topics(by author: String) -> Signal<[String], Never> {
    fetch { ["question of \(author)", "answer of \(author)"] }
  }

  func store(_ topic: Topic, _ replies: [String]) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(10), on: disk).map { replies.count }
  }

  func remember(_ number: Int) { seen.withLock { _ = $0.insert(number) } }

  private func fetch<Answer: Sendable>(
    _ make: @escaping @Sendable () -> Answer
  ) -> Signal<Answer, Never> {
    Signal.timer(after: .milliseconds(50), on: network).map(make)
  }
}

/// Records what is shown.
private final class Screen: Sendable {
  private let texts = Mutex<[String]>([])
  private let elsewhere = Counter()

  var strange: Int { elsewhere.value }

  func show(_ text: String) {
    if CurrentScheduler.scheduler !== QueueScheduler.main { elsewhere.add() }
    texts.withLock { $0.append(text) }
  }
}

private final class Reader: Sendable {
  private let forum: Forum
  private let screen: Screen
  private let version: Version
  private let page = SerialDisposable()
  private let saves = Subject<Int, Never>("saves")
  private let bag = DisposableBag()

  init(_ forum: Forum, _ screen: Screen, _ version: Version) {
    self.forum = forum
    self.screen = screen
    self.version = version
    // Saved topics need not be shown.
    saves.signal
      .flatMap { forum.topic($0) }
      .flatMap { topic in
        forum.remember(topic.number)
        return forum.replies(to: topic.number).flatMap { forum.store(topic, $0) }
      }
      .deliver(on: .main)
      .subscribe { screen.show("\($0) replies are saved") }
      .store(in: bag)
    Signal.interval(.milliseconds(400), on: .main)
      .subscribe { screen.show("\($0) ticks") }
      .store(in: bag)
  }

  func open(topic number: Int) {
    let fetched = forum.topic(number)
    let topic = version == .fixed ? fetched.deliver(on: .main) : fetched  // blame
    let replies = topic.flatMap { [forum, screen] topic in
      screen.show(topic.title)  // blame, too
      return forum.replies(to: topic.number)
    }
    show(replies) { "\($0.count) replies" }
  }

  func open(profileOf author: String) {
    let profile = forum.profile(of: author).deliver(on: .main)
    let topics = profile.flatMap { [forum, screen] text in
      screen.show(text)
      return forum.topics(by: author)
    }
    show(topics) { "\($0.count) topics" }
  }

  func save(_ number: Int) { saves.send(number) }

  /// Shows the rest of a page, and ends the previous page.
  private func show<Content: Sendable>(
    _ content: Signal<Content, Never>,
    _ text: @escaping @Sendable (Content) -> String
  ) {
    page.inner = content.deliver(on: .main).subscribe { [screen] in screen.show(text($0)) }
  }
}
