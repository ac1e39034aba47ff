import Reactive
import Synchronization

/// A shop's search: results, suggestions and prices follow what is typed; favourites are polled.
///
/// Rebuilt from Kotlin/kotlinx.coroutines#3594. With a `catch` downstream of the flattening, one
/// failed request was the last ever made: users typed on, and the results stayed the same.
extension Real {
  static let search = Report("search", "no more results") { version in
    let shop = Shop()
    let page = Page(shop, version)
    for text in ["ap", "app", "apple", "%", "pea", "pear", "plum", "fig"] {
      page.type(text)
      await pause(450)
    }
    await pause(300)
    print("results: \(page.count("results")) lists for 8 searches")
    return [shop, page]
  }
}

private enum ShopFailure: Error { case refused }

/// Answers after a while; refuses what it cannot read.
private final class Shop: Sendable {
  private let queue = QueueScheduler(label: "shop")

  func ask(_ topic: String, _ text: String) -> Signal<String, ShopFailure> {
    Signal.create { [queue] observer in
      let timer = queue.schedule(after: .milliseconds(60)) {
        if text.contains("%") { return observer.fail(.refused) }
        observer.send("\(topic) of \(text)")
        observer.complete()
      }
      observer.disposables.add(timer)
    }
  }
}

extension Signal {
  /// Replaces a failure with completion.
  fileprivate func orNothing() -> Signal<Value, Never> {
    self.catch { _ in Signal<Value, Never>.empty() }
  }
}

private final class Page: Sendable {
  private let typed = Subject<String, Never>("typed")
  private let bag = DisposableBag()
  private let drawn = Mutex<[String: Int]>([:])

  init(_ shop: Shop, _ version: Version) {
    let texts = typed.signal.debounce(.milliseconds(100), on: .main)

    if version == .fixed {
      show("results", texts.flatMapLatest { shop.ask("results", $0).orNothing() })
    } else {
      let results = texts.flatMapLatest { shop.ask("results", $0) }
        .orNothing()  // blame
      show("results", results)
    }
    show("suggestions", texts.flatMapLatest { shop.ask("suggestions", $0).orNothing() })
    show("prices", texts.flatMap { shop.ask("prices", $0).orNothing() })
    show("help", shop.ask("help", "100%").orNothing())

    let favourites = Signal.interval(.milliseconds(500), on: .main)
      .concatMap { shop.ask("favourites", "\($0)").orNothing() }
    show("favourites", favourites)
  }

  func type(_ text: String) { typed.send(text) }

  func count(_ part: String) -> Int { drawn.withLock { $0[part, default: 0] } }

  private func show(_ part: String, _ texts: Signal<String, Never>) {
    texts.deliver(on: .main).subscribe { [weak self] _ in
      self?.drawn.withLock { $0[part, default: 0] += 1 }
    }
    .store(in: bag)
  }
}
