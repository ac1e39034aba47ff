import Reactive
import ReactiveTrace

/// A phrase book: the user opens the screen with the language settings, chooses a language, and
/// goes back to the lessons.
///
/// Rebuilt from CruGlobal/godtools-swift#1891. A closure in a `flatMap` referred to what it needed
/// through the view model that owned the subscription; view models were never released.
extension Real {
  static let phrasebook = Report("phrasebook", "screens are not released") { version in
    let app = App(version)
    for round in 0..<6 {
      app.openSettings()
      await pause(120)
      app.language.value = ["French", "Greek", "Finnish"][round % 3]
      app.settings?.save()
      await pause(150)
      app.closeSettings()
      app.openLesson(round)
      await pause(150)
      app.closeLesson()
      Trace.mark("home")
    }
    await pause(300)
    print("phrasebook: \(app.alive.value) screens are alive while none is open")
    return app
  }
}

@MainActor
private final class App {
  let alive = Counter()
  let language = MutableProperty("English", "language")
  private(set) var settings: SettingsModel?
  private var lesson: LessonModel?
  private let books = Books()
  private let downloads = MutableProperty(0, "downloads")
  private let header = MutableProperty("", "header")
  private let bag = DisposableBag()
  private let version: Version

  init(_ version: Version) {
    self.version = version
    Signal.interval(.milliseconds(90), on: .main).bind(to: downloads).store(in: bag)
    language.signal.flatMapLatest { [books] in books.text("header", in: $0) }
      .bind(to: header).store(in: bag)
  }

  func openSettings() {
    settings = SettingsModel(
      language: language,
      downloads: downloads.signal,
      interface: ViewInterface(books: books),
      list: ViewLanguages(books: books),
      alive,
      version
    )
  }

  func closeSettings() { settings = nil }

  func openLesson(_ number: Int) {
    lesson = LessonModel(number, language: language, ViewInterface(books: books), alive)
  }

  func closeLesson() { lesson = nil }
}

/// Texts in all languages, which are looked up in the background.
private final class Books: Sendable {
  private let queue = QueueScheduler(label: "books")

  func text(_ key: String, in language: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(20), on: queue).map { "\(key) in \(language)" }
      .deliver(on: .main)
  }
}

private struct ViewInterface: Sendable {
  let books: Books

  func title(_ page: String, in language: String) -> Signal<String, Never> {
    books.text("title of \(page)", in: language)
  }
}

private struct ViewLanguages: Sendable {
  let books: Books

  func names(in language: String) -> Signal<[String], Never> {
    books.text("name", in: language).map { [$0, "all others"] }
  }
}

private final class SettingsModel: Sendable {
  let title = MutableProperty("", "title")
  let names = MutableProperty<[String]>([], "names")
  let status = MutableProperty("", "status")
  private let list: ViewLanguages
  private let alive: Counter
  private let bag = DisposableBag()

  init(
    language: MutableProperty<String>,
    downloads: Signal<Int, Never>,
    interface: ViewInterface,
    list: ViewLanguages,
    _ alive: Counter,
    _ version: Version
  ) {
    self.list = list
    self.alive = alive
    alive.add()
    language.signal.flatMap { interface.title("settings", in: $0) }
      .bind(to: title).store(in: bag)
    if version == .fixed {
      language.signal.flatMap { list.names(in: $0) }.bind(to: names).store(in: bag)
    } else {
      language.signal.flatMap { self.list.names(in: $0) }.bind(to: names).store(in: bag)  // blame
    }
    downloads.subscribe { [weak self] in self?.show($0) }.store(in: bag)
  }

  deinit { alive.add(-1) }

  /// Shows after a moment that the settings are saved.
  func save() {
    Signal.timer(after: .milliseconds(40), on: .background)
      .deliver(on: .main)
      .subscribe { self.status.value = "saved" }
      .store(in: bag)
  }

  private func show(_ downloads: Int) { status.value = "\(downloads) downloads" }
}

private final class LessonModel: Sendable {
  private let title = MutableProperty("", "lesson title")
  private let alive: Counter
  private let bag = DisposableBag()

  init(
    _ number: Int,
    language: MutableProperty<String>,
    _ interface: ViewInterface,
    _ alive: Counter
  ) {
    self.alive = alive
    alive.add()
    language.signal.flatMap { interface.title("lesson \(number)", in: $0) }
      .bind(to: title).store(in: bag)
  }

  deinit { alive.add(-1) }
}
