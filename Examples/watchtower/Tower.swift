import Dispatch
import Reactive
import ReactiveTrace
import Synchronization

/// The program: opens a pane for each file of a tree, and merges the alerts of all panes.
final class Tower: Sendable {
  private struct Open: Sendable {
    var panes: [String: Pane] = [:]
    var countAtStart: Int?
  }

  private let options: Options
  private let open = Mutex(Open())
  /// How many panes are open.
  private let count = ReplaySubject<Int, Never>(capacity: 1, "open panes")
  /// Sends the alerts of each pane that is opened.
  private let opened = Subject<Signal<Alert, Never>, Never>("opened panes")
  private let ownAlerts = Subject<Alert, Never>("alerts of the tower")
  private let pulse: Connection<Int, Never>
  private let reading = QueueScheduler(label: "watchtower.reading", qos: .utility)
  /// The subscriptions that end with the tower.
  private let subscriptions = CompositeDisposable()
  /// Subscriptions that last as long as the process.
  private let process = CompositeDisposable()

  init(_ options: Options) {
    self.options = options
    pulse = Signal.interval(options.interval, on: .main).named("pulse").publish()
    count.send(0)
  }

  /// Watches until `end` sends or watching fails, then calls `done` with the reason or the failure.
  func run(
    until end: Signal<String, Never>,
    done: @escaping @Sendable (Result<String, TreeFailure>) -> Void
  ) {
    let alerts = merge(opened.signal.flatten(), ownAlerts.signal, health())
      .named("alerts")
      .subscribe { Console.print("\(Console.clock())  \($0.line)") }
    subscriptions.add(alerts)
    subscriptions.add(markRounds())
    process.add(pulse.connect())

    subscriptions.add(end.subscribe { done(.success($0)) })

    let changes = DirectoryTree.changes(in: options.directory)
      .deliver(on: .main)
      .named("changes")
      .subscribe(next: { self.handle($0) }, failed: { done(.failure($0)) })
    subscriptions.add(changes)
  }

  /// Closes all panes and disposes of the subscriptions that end with the tower.
  func close() {
    let panes = open.withLock { open in
      defer { open.panes = [:] }
      return open.panes
    }
    for pane in panes.values { pane.close() }
    subscriptions.dispose()
  }

  // MARK: Panes

  private func handle(_ change: Change) {
    switch change {
    case .snapshot(let files):
      let isFirst = open.withLock { $0.countAtStart == nil }
      if isFirst { ownAlerts.send(Alert(kind: .notice, text: watching(files.count))) }
      let known = open.withLock { $0.panes.keys }
      for file in Set(known).subtracting(files) { closePane(of: file) }
      for file in files { touchPane(of: file, isNew: !isFirst) }
      open.withLock { if $0.countAtStart == nil { $0.countAtStart = files.count } }
    case .touched(let file): touchPane(of: file, isNew: true)
    case .gone(let path): closePanes(at: path)
    case .blind(let directory, let reason):
      ownAlerts.send(
        Alert(kind: .notice, file: name(of: directory), text: "not watched: \(reason)")
      )
    }
  }

  private func touchPane(of file: String, isNew: Bool) {
    if let pane = open.withLock({ $0.panes[file] }) { return pane.touch() }
    let pane = Pane(
      of: file,
      named: name(of: file),
      isNew: isNew,
      in: Pane.Surroundings(
        pulse: pulse.signal,
        interval: options.interval,
        reading: reading,
        alerts: ownAlerts,
        process: process,
        leaks: options.leaks
      )
    )
    let number = open.withLock { open in
      open.panes[file] = pane
      return open.panes.count
    }
    opened.send(pane.alerts)
    pane.open()
    count.send(number)
  }

  /// Closes the pane of a file that is gone, or the panes of all files below a directory.
  private func closePanes(at path: String) {
    let files = open.withLock { $0.panes.keys.filter { $0 == path || $0.hasPrefix(path + "/") } }
    for file in files { closePane(of: file) }
  }

  private func closePane(of file: String) {
    let (pane, number) = open.withLock { ($0.panes.removeValue(forKey: file), $0.panes.count) }
    guard let pane else { return }
    pane.close()
    ownAlerts.send(Alert(kind: .close, file: name(of: file)))
    count.send(number)
  }

  private func watching(_ count: Int) -> String {
    "watching \(count) files in \(options.directory); Ctrl-C ends it"
  }

  private func name(of path: String) -> String {
    path == options.directory ? "." : String(path.dropFirst(options.directory.count + 1))
  }

  // MARK: Health and marks

  /// Sends an alert whenever the machine becomes overloaded or is no longer overloaded.
  private func health() -> Signal<Alert, Never> {
    let load = pulse.signal.map { _ in Proc.loadTenths() ?? 0 }.distinctUntilChanged()
    let memory = pulse.signal.map { _ in Proc.residentMebibytes() ?? 0 }.distinctUntilChanged()
    return combineLatest(load, memory, count.signal.distinctUntilChanged())
      .map { Health(loadTenths: $0, residentMebibytes: $1, openPanes: $2) }
      .distinctUntilChanged { $0.isOverloaded == $1.isOverloaded }
      .map { Alert(kind: .load, text: "\($0)") }
      .named("health")
  }

  /// Marks the trace whenever there are as many files as at the start and their number has not
  /// changed for a while; the number of live subscriptions should not grow from mark to mark.
  private func markRounds() -> any Disposable {
    count.signal
      .debounce(.milliseconds(200), on: .main)
      .filter { [self] count in count == open.withLock { $0.countAtStart ?? 0 } }
      .scan(-1) { round, _ in round + 1 }
      .named("rounds")
      .subscribe { [self] round in
        Trace.mark("round \(round)")
        ownAlerts.send(Alert(kind: .notice, text: "at rest after round \(round)"))
      }
  }
}
