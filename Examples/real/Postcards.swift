import Reactive
import Synchronization

/// A feed of postcards, which users read on a separate page and can delete.
///
/// Rebuilt from team-winey/Winey-AOS#300. The deletion of a card was reported at the bottom of the
/// feed, and was reported again each time the user came back from a card's page.
extension Real {
  static let postcards = Report("postcards", "told more than once") { version in
    let post = Post()
    let model = FeedModel(post, version)
    let feed = FeedScreen(model)
    feed.appear()
    await pause(150)
    for round in 1...5 {
      if round == 1 || round == 3 { model.delete(round) }
      await pause(200)
      feed.disappear()
      model.read(round + 1)
      await pause(100)
      feed.appear()
      await pause(100)
    }
    print("postcards: \(post.deletions) cards were deleted, which was told \(feed.told) times")
    return [post, model, feed] as [Any]
  }
}

private struct Card: Sendable {
  let number: Int
  var views = 0
}

/// The server that stores the cards.
private final class Post: Sendable {
  private let queue = QueueScheduler(label: "post")
  private let cards = Mutex((1...8).map { Card(number: $0) })
  private let gone = Counter()

  var deletions: Int { gone.value }

  func load() -> Signal<[Card], Never> {
    answer { [weak self] in self?.cards.withLock { $0 } ?? [] }
  }

  func delete(_ number: Int) -> Signal<Int, Never> {
    answer { [weak self] in
      self?.cards.withLock { $0.removeAll { $0.number == number } }
      self?.gone.add()
      return number
    }
  }

  func view(_ number: Int) -> Signal<Int, Never> {
    answer { [weak self] in
      self?.cards.withLock { cards in
        for index in cards.indices where cards[index].number == number { cards[index].views += 1 }
      }
      return number
    }
  }

  private func answer<Value: Sendable>(
    _ make: @escaping @Sendable () -> Value
  ) -> Signal<Value, Never> {
    Signal.timer(after: .milliseconds(40), on: queue).map(make).deliver(on: .main)
  }
}

private final class FeedModel: Sendable {
  let cards: any EventHub<[Card], Never> = BehaviorSubject([], "cards")
  let viewed: any EventHub<Int?, Never> = Subject("viewed")
  let deleted: any EventHub<Int?, Never>
  private let post: Post
  private let bag = DisposableBag()

  init(_ post: Post, _ version: Version) {
    self.post = post
    deleted =
      version == .fixed
      ? Subject("deleted")
      : BehaviorSubject(nil, "deleted")  // blame
    refresh()
  }

  func refresh() { run(post.load(), cards) { $0 } }

  func delete(_ number: Int) {
    run(post.delete(number), deleted) { $0 }
    refresh()
  }

  func read(_ number: Int) { run(post.view(number), viewed) { $0 } }

  /// Makes a request, and reports its result.
  private func run<Answer: Sendable, Told: Sendable>(
    _ request: Signal<Answer, Never>,
    _ hub: any EventHub<Told, Never>,
    _ make: @escaping @Sendable (Answer) -> Told
  ) {
    request.subscribe { hub.send(make($0)) }.store(in: bag)
  }
}

private final class FeedScreen: Sendable {
  private let model: FeedModel
  private let bars = Mutex<[String]>([])
  private let rows = MutableProperty<[String]>([], "rows")
  private let visible = DisposableBag()

  init(_ model: FeedModel) { self.model = model }

  /// How often the deletion of a card was shown.
  var told: Int { bars.withLock { $0.count { $0.hasSuffix("deleted") } } }

  func appear() {
    model.cards.signal
      .map { $0.map { "card \($0.number), seen \($0.views) times" } }
      .bind(to: rows)
      .store(in: visible)
    model.deleted.signal
      .compactMap { $0 }
      .subscribe { [weak self] in self?.showBar("card \($0) is deleted") }
      .store(in: visible)
    model.viewed.signal
      .compactMap { $0 }
      .subscribe { [weak self] in self?.showBar("card \($0) was opened") }
      .store(in: visible)
    rows.signal.map(\.count).distinctUntilChanged().subscribe().store(in: visible)
    Signal.interval(.milliseconds(130), on: .main)
      .subscribe { [model] _ in model.refresh() }
      .store(in: visible)
  }

  func disappear() { visible.empty() }

  private func showBar(_ text: String) { bars.withLock { $0.append(text) } }
}
