internal import Dispatch
import Reactive
import ReactiveTrace
import Synchronization

/// A timeline of posts: each row has a text, a picture and, for an answer, a header.
///
/// Rebuilt from mastodon/mastodon-ios#606. The name in the header is looked up if it is not known,
/// and views were set up on the network's thread: the app crashed under the new SDK.
extension Real {
  static let timeline = Report("timeline", "crashes when drawing") { version in
    let canvas = Canvas()
    let network = Network()
    let list = TimelineList(canvas, network, version)
    for page in 0..<5 {
      Trace.mark("page \(page)")
      let posts = (0..<6).map { Post(number: page * 6 + $0, answers: $0 % 3 == 0) }
      list.show(posts)
      await pause(350)
      list.read()
    }
    print("timeline: drew \(canvas.strayed.value) times on another thread than the main one")
    return [canvas, network, list] as [Any]
  }
}

private struct Post: Sendable {
  let number: Int
  let answers: Bool
}

/// The screen, which may be drawn on the main queue only.
private final class Canvas: Sendable {
  let strayed = Counter()
  private let drawn = Mutex<[String: String]>([:])
  private let key = DispatchSpecificKey<Bool>()

  init() { DispatchQueue.main.setSpecific(key: key, value: true) }

  func draw(_ text: String, at place: String) {
    if DispatchQueue.getSpecific(key: key) == nil { strayed.add() }
    drawn.withLock { $0[place] = text }
  }
}

private final class Network: Sendable {
  private let queue = QueueScheduler(label: "network")
  private let cache = Mutex<[String: String]>([:])

  func fetch(_ path: String, _ milliseconds: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { "answer to \(path)" }
  }

  func keep(_ answer: String, for path: String) { cache.withLock { $0[path] = answer } }
}

@MainActor
private final class TimelineList {
  private let canvas: Canvas
  private let network: Network
  private let version: Version
  private let unread = MutableProperty(0, "unread")
  private var rows: [Row] = []
  private let bag = DisposableBag()

  init(_ canvas: Canvas, _ network: Network, _ version: Version) {
    self.canvas = canvas
    self.network = network
    self.version = version
    unread.signal
      .map { "\($0) unread" }
      .deliver(on: .main)
      .subscribe { canvas.draw($0, at: "badge") }
      .store(in: bag)
    // Answers that are only cached need not be delivered on the main queue.
    Signal.interval(.milliseconds(200), on: .background)
      .flatMapFirst { network.fetch("notices \($0)", 20) }
      .subscribe { network.keep($0, for: "notices") }
      .store(in: bag)
  }

  func show(_ posts: [Post]) {
    rows = posts.map { Row($0, canvas, network, version) }
    unread.modify { $0 += posts.count }
  }

  func read() { unread.value = 0 }
}

@MainActor
private final class Row {
  private let post: Post
  private let canvas: Canvas
  private let network: Network
  private let bag = DisposableBag()

  init(_ post: Post, _ canvas: Canvas, _ network: Network, _ version: Version) {
    self.post = post
    self.canvas = canvas
    self.network = network
    showText()
    showPicture()
    if post.answers { showHeader(version) }
  }

  private func showText() {
    let place = "text \(post.number)"
    network.fetch(place, 25)
      .doNext { [network] in network.keep($0, for: place) }
      .deliver(on: .main)
      .subscribe { [canvas] in canvas.draw($0, at: place) }
      .store(in: bag)
  }

  private func showPicture() {
    let place = "picture \(post.number)"
    network.fetch(place, 70)
      .map { "thumbnail of \($0)" }
      .deliver(on: .main)
      .subscribe { [canvas] in canvas.draw($0, at: place) }
      .store(in: bag)
  }

  private func showHeader(_ version: Version) {
    let place = "header \(post.number)"
    let name = network.fetch(place, 45)
    (version == .fixed ? name.deliver(on: .main) : name)
      .subscribe { [canvas] in canvas.draw("in answer to \($0)", at: place) }  // blame
      .store(in: bag)
  }
}
