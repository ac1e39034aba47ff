import Reactive
import ReactiveTrace
import Synchronization

/// The console of a service that runs functions: it polls the logs, the state and the number of
/// calls of the open function.
///
/// Rebuilt from Azure/azure-functions-ux#2587. A request for the logs that took longer than the
/// interval was cancelled by the next one: when the worker was slow, the console never caught up.
extension Real {
  static let logs = Report("logs", "never catches up") { version in
    let worker = Worker()
    let console = Console(worker, version)
    for (round, function) in ["resize", "mail", "invoice"].enumerated() {
      Trace.mark(function)
      worker.load.value = round == 0 ? 60 : 330
      console.open(function)
      await pause(1300)
    }
    let shown = console.shown.value.sorted()
    print("logs: shown for \(shown.count) of 3 functions: \(shown.joined(separator: ", "))")
    return [worker, console] as [Any]
  }
}

/// Answers more slowly the higher its load is.
private final class Worker: Sendable {
  let load = MutableProperty(60, "load")
  private let queue = QueueScheduler(label: "worker")

  func logs(of function: String) -> Signal<[String], Never> {
    Signal.timer(after: .milliseconds(load.value), on: queue).map {
      ["\(function) was called", "\(function) has answered"]
    }
  }

  func state(of function: String) -> Signal<String, Never> {
    Signal.timer(after: .milliseconds(30), on: queue).map { "\(function) runs" }
  }

  func calls(of function: String) -> Signal<Int, Never> {
    Signal.timer(after: .milliseconds(50), on: queue).map { function.count * 7 }
  }
}

extension Signal where Value == String, Failure == Never {
  /// Looks something up for the open function at an interval.
  ///
  /// A newer request cancels the previous one.
  fileprivate func looking<Result>(
    every interval: Duration,
    _ look: @escaping @Sendable (String) -> Signal<Result, Never>
  ) -> Signal<Result, Never> {
    flatMapLatest { function in
      Signal<Int, Never>.interval(interval, on: .background).flatMapLatest { _ in look(function) }
    }
    .deliver(on: .main)
  }

  /// Looks something up at an interval, but makes no request while one is running.
  fileprivate func patientlyLooking<Result>(
    every interval: Duration,
    _ look: @escaping @Sendable (String) -> Signal<Result, Never>
  ) -> Signal<Result, Never> {
    flatMapLatest { function in
      Signal<Int, Never>.interval(interval, on: .background).flatMapFirst { _ in look(function) }
    }
    .deliver(on: .main)
  }
}

private final class Console: Sendable {
  let shown = MutableProperty<Set<String>>([], "shown")
  private let opened = Subject<String, Never>("opened")
  private let lines = MutableProperty<[String]>([], "lines")
  private let state = MutableProperty("", "state")
  private let calls = MutableProperty(0, "calls")
  private let title = MutableProperty("", "title")
  private let bag = DisposableBag()

  init(_ worker: Worker, _ version: Version) {
    if version == .fixed {
      opened.signal.patientlyLooking(every: .milliseconds(200)) { worker.logs(of: $0) }
        .bind(to: lines).store(in: bag)
    } else {
      opened.signal.looking(every: .milliseconds(200)) { worker.logs(of: $0) }  // blame
        .bind(to: lines).store(in: bag)
    }
    opened.signal.looking(every: .milliseconds(150)) { worker.state(of: $0) }
      .bind(to: state).store(in: bag)
    opened.signal.patientlyLooking(every: .milliseconds(300)) { worker.calls(of: $0) }
      .bind(to: calls).store(in: bag)
    combineLatest(opened.signal, calls.signal) { "\($0), called \($1) times" }
      .bind(to: title).store(in: bag)
    lines.signal.compactMap { $0.first?.split(separator: " ").first }
      .subscribe { [shown] function in shown.modify { _ = $0.insert(String(function)) } }
      .store(in: bag)
  }

  func open(_ function: String) { opened.send(function) }
}
