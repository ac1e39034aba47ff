import Reactive

/// The subscriptions that the program makes for one file; they begin together and end together when
/// the file is gone.
///
/// Everything here runs on the main scheduler, except the reading of files for fingerprints.
final class Pane: Sendable {
  /// What all panes of a program share.
  struct Surroundings: Sendable {
    /// Ticks while the program runs.
    let pulse: Signal<Int, Never>
    let interval: Duration
    /// The queue on which whole files are read.
    let reading: QueueScheduler
    /// Receives the alerts that are not sent by ``Pane/alerts``.
    let alerts: Subject<Alert, Never>
    /// Subscriptions that last as long as the process; nothing disposes of them.
    let process: CompositeDisposable
    /// Whether the two faults are enabled.
    let leaks: Bool
  }

  /// The number of beats without a change after which a file counts as quiet.
  private static let quietBeats = 6
  /// The number of alerts between two ticks of the pulse that counts as a flood.
  private static let flood = 8

  /// Sends the alerts about the file; completes when the pane is closed.
  let alerts: Signal<Alert, Never>

  private let file: String
  private let surroundings: Surroundings
  private let touched: Subject<Void, Never>
  private let closed: Subject<Void, Never>
  private let beats: Subject<Void, Never>
  private let found: Connection<Alert, Never>
  private let subscriptions = CompositeDisposable()

  /// - Parameters:
  ///   - path: The file.
  ///   - file: The name of the file in alerts.
  ///   - isNew: Whether the file appeared while the program ran; if so, all its lines are new.
  ///   - surroundings: What the panes share.
  init(of path: String, named file: String, isNew: Bool, in surroundings: Surroundings) {
    self.file = file
    self.surroundings = surroundings
    let touched = Subject<Void, Never>("touched")
    let closed = Subject<Void, Never>("closed")
    let beats = Subject<Void, Never>("beats")
    self.touched = touched
    self.closed = closed
    self.beats = beats
    found = Pane.alertsInLines(of: path, named: file, isNew: isNew, whenever: touched.signal)
      .publish()

    let changed = Pane.fingerprints(of: path, whenever: touched.signal, on: surroundings.reading)
      .map { Alert(kind: .changed, file: file, text: "\($0)") }
    let quiet = Pane.silences(between: touched.signal, countedBy: beats.signal)
      .map { Alert(kind: .quiet, file: file, text: "nothing for a while") }
    alerts = merge(found.signal, changed, quiet)
      .startWith(Alert(kind: .open, file: file))
      .take(until: closed.signal)
      .named("alerts of a pane")
  }

  /// Starts the timer and the subscriptions of the pane.
  ///
  /// Must be called once, after ``alerts`` has a subscriber.
  func open() {
    watchForFloods()
    startHeart()
    subscriptions.add(found.connect())
    touch()
  }

  /// Notifies the pane that the file has changed or may have changed.
  func touch() { touched.send() }

  /// Ends everything that was started for the file.
  func close() {
    closed.send()
    subscriptions.dispose()
  }

  /// Counts the alerts between ticks of the shared pulse, and sends an alert if there are too many.
  private func watchForFloods() {
    let file = file
    let alerts = surroundings.alerts
    let flood = surroundings.pulse.map { _ in Tally.Event.tick }
      .merge(with: found.signal.map { _ in .alert })
      .scan(Tally()) { tally, event in tally.after(event) }
      .filter { $0.atTick >= Pane.flood }
      .named("floods")
      .subscribe { tally in
        alerts.send(Alert(kind: .flood, file: file, text: "\(tally.atTick) alerts at once"))
      }

    // FAULT 1, on purpose, with --leak: the subscription goes into the process's bag instead of the
    // pane's. The pulse outlives panes, so every pane ever closed is still subscribed to it.
    let bag = surroundings.leaks ? surroundings.process : subscriptions
    bag.add(flood)
  }

  /// Sends beats while the pane is open; the timer is made by hand, as in code without signals.
  private func startHeart() {
    let beats = beats
    let heart = QueueScheduler.main.schedule(every: surroundings.interval) { beats.send() }

    // FAULT 2, on purpose, with --leak: the timer is not stopped when the pane is closed. It keeps
    // waking the processor to send into a subject without subscribers.
    let bag = surroundings.leaks ? surroundings.process : subscriptions
    bag.add(heart)
  }
}

// MARK: The signals of a pane

extension Pane {
  /// Alerts for the lines of a log file that contain ERROR or WARN; none for other files.
  private static func alertsInLines(
    of path: String,
    named file: String,
    isNew: Bool,
    whenever touched: Signal<Void, Never>
  ) -> Signal<Alert, Never> {
    guard path.hasSuffix(".log") else { return .empty() }
    return
      touched
      .scan(Tail(of: path, fromStart: isNew)) { tail, _ in tail.advanced() }
      .flatMap { tail in Signal.from(Pane.alerts(in: tail, of: file)) }
      .named("tail")
  }

  private static func alerts(in tail: Tail, of file: String) -> [Alert] {
    var alerts = tail.lines.compactMap { line in
      Alert.Kind(severityOf: line).map { Alert(kind: $0, file: file, text: line) }
    }
    if tail.skipped > 0 {
      alerts.insert(Alert(kind: .notice, file: file, text: "\(tail.skipped) bytes skipped"), at: 0)
    }
    return alerts
  }

  /// The fingerprint of a file after each burst of changes, if it differs from the one before.
  ///
  /// Reading begins on another scheduler when the file has not changed for 200 ms. A file that is
  /// written to meanwhile is read again, at most twice; a deleted file has no fingerprint.
  private static func fingerprints(
    of path: String,
    whenever touched: Signal<Void, Never>,
    on reading: QueueScheduler
  ) -> Signal<Fingerprint, Never> {
    touched
      .debounce(.milliseconds(200), on: .main)
      .map { _ in
        Fingerprint.of(path)
          .subscribe(on: reading)
          .retry(2)
          .catch { _ in Signal<Fingerprint, Never>.empty() }
      }
      .switchToLatest()
      .deliver(on: .main)
      .distinctUntilChanged()
      .named("fingerprints")
  }

  /// Sends once for each silence: after `quietBeats` beats without a touch.
  private static func silences(
    between touched: Signal<Void, Never>,
    countedBy beats: Signal<Void, Never>
  ) -> Signal<Void, Never> {
    merge(touched.map { false }, beats.map { true })
      .scan(0) { count, isBeat in isBeat ? count + 1 : 0 }
      .filter { $0 == quietBeats }
      .map { _ in }
      .named("silences")
  }
}

/// Counts the alerts between two ticks.
private struct Tally: Sendable {
  enum Event: Sendable {
    case alert
    case tick
  }

  private var count = 0
  /// The number of alerts between the last two ticks; 0 if the latest event was an alert.
  private(set) var atTick = 0

  func after(_ event: Event) -> Tally {
    var next = self
    switch event {
    case .alert:
      next.count += 1
      next.atTick = 0
    case .tick:
      next.atTick = count
      next.count = 0
    }
    return next
  }
}
