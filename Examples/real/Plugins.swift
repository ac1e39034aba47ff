import Reactive
import Synchronization

/// The plugin shop of an editor: users search for plugins as they type, open and install them.
///
/// Rebuilt from Eugeny/tabby#11088. Each typed text made a request, and all of them ran
/// concurrently: an answer for an old text could arrive after that for the new one and was shown.
extension Real {
  static let plugins = Report("plugins", "results of another search") { version in
    let shop = Shop()
    let window = Window(shop, version)
    var wrong = 0
    for word in ["theme", "linter", "parser", "keymap", "folding"] {
      for end in [2, 4, word.count] {
        window.typed.send(String(word.prefix(end)))
        await pause(60)
      }
      window.opened.send("\(word) one")
      window.installs.send("\(word) one")
      await pause(450)
      if window.text("results") != "results for \(word)" { wrong += 1 }
    }
    print("in \(wrong) of 5 searches the list was not of the word in the field")
    return [shop, window] as [Any]
  }
}

/// Answers searches for longer words sooner.
private final class Shop: Sendable {
  private let queue = QueueScheduler(label: "shop")

  func find(_ word: String) -> Signal<String, Never> {
    reply("results for \(word)", after: max(40, 400 - 70 * word.count))
  }

  func details(of plugin: String) -> Signal<String, Never> {
    reply("about \(plugin)", after: 80)
  }

  func stars(of plugin: String) -> Signal<String, Never> {
    reply("\(plugin.count % 5 + 1) stars", after: 50)
  }

  func install(_ plugin: String) -> Signal<String, Never> {
    reply("\(plugin) installed", after: 30 * plugin.count)
  }

  /// The total number of downloads.
  var downloads: Signal<Int, Never> {
    Signal.interval(.milliseconds(220), on: queue).map { 1000 + 3 * $0 }
  }

  private func reply(_ text: String, after milliseconds: Int) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map(to: text)
  }
}

private final class Window: Sendable {
  let typed = Subject<String, Never>("typed")
  let opened = Subject<String, Never>("opened")
  let installs = Subject<String, Never>("installs")
  private let texts = Mutex<[String: String]>([:])
  private let bag = DisposableBag()

  init(_ shop: Shop, _ version: Version) {
    let words = typed.signal.filter { $0.count > 1 }.distinctUntilChanged()
    show(
      "results",
      version == .fixed
        ? words.flatMapLatest { shop.find($0) }
        : words.flatMap { shop.find($0) }  // blame
    )
    show("details", opened.signal.flatMapLatest { shop.details(of: $0) })
    show("stars", opened.signal.flatMapLatest { shop.stars(of: $0) })
    // Each answer names its plugin, so the requests may run at the same time.
    show("installed", installs.signal.flatMap { shop.install($0) })
    show("field", typed.signal)
    show("downloads", shop.downloads.map { "\($0) downloads" })
  }

  func text(_ part: String) -> String { texts.withLock { $0[part, default: ""] } }

  private func show(_ part: String, _ lines: Signal<String, Never>) {
    lines.deliver(on: .main).subscribe { [weak self] line in
      self?.texts.withLock { $0[part] = line }
    }
    .store(in: bag)
  }
}
