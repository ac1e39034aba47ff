import Reactive

/// The user interface of a cluster: a table is drawn from a stream of events about tasks that start
/// and end; it can be filtered, and each node has its own page.
///
/// Rebuilt from dcos/dcos-ui#2890. The stream was debounced, so that the table is not drawn for
/// each event. Busy clusters never made the pause that debouncing waits for: users saw no news.
extension Real {
  static let cluster = Report("cluster", "old news") { version in
    let stream = EventStream()
    let store = StateStore(stream, version)
    let table = Table(store)
    for round in 0..<6 {
      table.type("filter \(round)")
      await pause(300)
      table.openNode(round)
      await pause(250)
      table.closeNode()
    }
    print(
      "cluster: \(store.events.value > 40 ? "many" : "few") events,",
      "\(table.rows.value > 3 ? "the table was kept up to date" : "the table stayed as it was")"
    )
    return [stream, store, table] as [Any]
  }
}

private struct Event: Sendable {
  var task = 0
  var hasStarted = true
}

/// The running tasks, and the number of those that have ended.
private struct Tasks: Equatable, Sendable {
  var running: Set<Int> = []
  var ended = 0

  mutating func take(_ event: Event) {
    if event.hasStarted {
      running.insert(event.task)
    } else if running.remove(event.task - 3) != nil {
      ended += 1
    }
  }
}

/// The events that the cluster's master sends.
private final class EventStream: Sendable {
  let events: Signal<Event, Never>
  let heartbeat: Signal<Int, Never>

  init() {
    let queue = QueueScheduler(label: "stream")
    events = Signal.interval(.milliseconds(25), on: queue)
      .map { Event(task: $0 / 2, hasStarted: $0.isMultiple(of: 2)) }
      .share()
    heartbeat = Signal.interval(.milliseconds(500), on: queue).share()
  }
}

private final class StateStore: Sendable {
  let events = Counter()
  /// The tasks, for the views that draw them.
  let tasks = MutableProperty(Tasks(), "tasks")
  let load = MutableProperty(0, "load")
  let isConnected = MutableProperty(false, "connected")
  private let bag = DisposableBag()

  init(_ stream: EventStream, _ version: Version) {
    let states = stream.events
      .doNext { [events] _ in events.add() }
      .scan(Tasks()) { tasks, event in
        var next = tasks
        next.take(event)
        return next
      }
    let calm =
      version == .fixed
      ? states.sample(every: .milliseconds(250), on: .main)
      : states.debounce(.milliseconds(250), on: .main)  // blame
    calm.bind(to: tasks).store(in: bag)
    stream.events
      .throttle(.milliseconds(200), on: .main)
      .map { $0.task * 7 % 100 }
      .bind(to: load)
      .store(in: bag)
    stream.heartbeat.map { _ in true }.deliver(on: .main).bind(to: isConnected).store(in: bag)
  }
}

@MainActor
private final class Table {
  let rows = Counter()
  private let store: StateStore
  private let filter = MutableProperty("", "filter")
  private let title = MutableProperty("", "title")
  private let gauge = MutableProperty("", "gauge")
  private let bag = DisposableBag()
  private let nodeBag = DisposableBag()

  init(_ store: StateStore) {
    self.store = store
    show(store.tasks.signal.distinctUntilChanged()) { [rows] _ in rows.add() }
    // The filter is applied when the user has stopped typing.
    let filters = filter.signal.debounce(.milliseconds(120), on: .main)
    show(combineLatest(filters, store.tasks.signal) { "\($1.running.count) like \($0)" }) {
      [title] in
      title.value = $0
    }
    show(store.load.signal.sample(every: .milliseconds(400), on: .main)) { [gauge] in
      gauge.value = "\($0) %"
    }
  }

  func type(_ text: String) {
    for length in 1...text.count { filter.value = String(text.prefix(length)) }
  }

  func openNode(_ number: Int) {
    store.load.signal
      .map { ($0 + number) % 100 }
      .withLatest(from: store.isConnected.signal)
      .map { "\($0) on node \(number), \($1 ? "connected" : "not connected")" }
      .subscribe { [gauge] in gauge.value = $0 }
      .store(in: nodeBag)
  }

  func closeNode() { nodeBag.empty() }

  private func show<Value>(
    _ values: Signal<Value, Never>,
    _ draw: @escaping @Sendable (Value) -> Void
  ) {
    values.deliver(on: .main).subscribe(next: draw).store(in: bag)
  }
}
