import Reactive

/// An app for working without interruption: a page for entering tasks, one with the timer and one
/// with statistics. The model of a page sends messages, which are shown at the bottom of the screen
/// once the page has slid in.
///
/// Rebuilt from joelkanyi/FocusBloom#26. The author of the fix had found that messages of a model
/// sometimes never arrived at its page.
extension Real {
  static let focus = Report("focus", "messages are not shown") { version in
    let app = App(version)
    for round in 1...5 {
      let tasks = TasksModel(app.store)
      await app.show(tasks)
      tasks.add("task \(round)")
      await pause(150)
      let timer = TimerModel(app.store, version)
      await app.show(timer)
      timer.start.send()
      await pause(200)
      let statistics = StatisticsModel(app.store)
      await app.show(statistics)
      statistics.pull.send()
      app.clicks.send(round)
      await pause(150)
    }
    print("focus: \(app.snackbar.value) of 20 messages were shown")
    return app
  }
}

/// Stores the tasks; each request takes a moment.
private final class Store: Sendable {
  private let queue = QueueScheduler(label: "store")
  private let tasks = MutableProperty<[String]>([], "tasks")

  func add(_ task: String) -> Signal<String, Never> {
    tasks.modify { $0.append(task) }
    return look(for: "added \(task)")
  }

  func look(for text: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(30), on: queue).map { text }
  }
}

private protocol Model: AnyObject, Sendable {
  var messages: any EventHub<String, Never> { get }
}

@MainActor
private final class App {
  let store = Store()
  let snackbar = Counter()
  /// Sounds of the buttons, for users who have switched them on.
  let clicks = Subject<Int, Never>("clicks")
  private let version: Version
  private var page: Page?
  private let battery = MutableProperty(0, "battery")

  init(_ version: Version) {
    self.version = version
    Signal.interval(.milliseconds(130), on: .background).map { 100 - $0 % 70 }.bind(to: battery)
  }

  /// Slides in the page of a model, and removes the previous page.
  func show(_ model: any Model) async {
    page = nil
    let page = Page(model, snackbar)
    self.page = page
    await pause(120)
    page.start()
  }
}

private final class Page: Sendable {
  private let model: any Model
  private let snackbar: Counter
  private let text = MutableProperty("", "snackbar")
  private let bag = DisposableBag()

  init(_ model: any Model, _ snackbar: Counter) {
    self.model = model
    self.snackbar = snackbar
  }

  /// Shows the messages of the model from now on.
  func start() {
    model.messages.signal.deliver(on: .main)
      .subscribe { [text, snackbar] message in
        text.value = message
        snackbar.add()
      }
      .store(in: bag)
  }
}

private final class TasksModel: Model {
  let messages: any EventHub<String, Never> = Subject<String, Never>("task messages")
  private let store: Store
  private let bag = DisposableBag()

  init(_ store: Store) { self.store = store }

  func add(_ task: String) {
    store.add(task).subscribe { [weak self] in self?.messages.send($0) }.store(in: bag)
  }
}

private final class TimerModel: Model {
  let start = Subject<Void, Never>("start")
  let messages: any EventHub<String, Never>
  private let bag = DisposableBag()

  init(_ store: Store, _ version: Version) {
    if version == .fixed {
      messages = ReplaySubject<String, Never>(capacity: 1, "timer messages")
    } else {
      messages = Subject<String, Never>("timer messages")  // blame
    }
    store.look(for: "a session of yesterday goes on")
      .subscribe { [weak self] in self?.messages.send($0) }  // blame, too
      .store(in: bag)
    start.signal
      .flatMapLatest { Signal.timer(after: .milliseconds(50), on: .background).map { "begun" } }
      .subscribe { [weak self] in self?.messages.send($0) }
      .store(in: bag)
  }
}

private final class StatisticsModel: Model {
  let pull = Subject<Void, Never>("pull")
  let messages: any EventHub<String, Never> = Subject<String, Never>("statistics messages")
  private let week = MutableProperty("", "week")
  private let bag = DisposableBag()

  init(_ store: Store) {
    store.look(for: "five hours").bind(to: week).store(in: bag)
    pull.signal.flatMapLatest { store.look(for: "up to date") }
      .subscribe { [weak self] in self?.messages.send($0) }
      .store(in: bag)
  }
}
