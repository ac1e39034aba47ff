import Reactive
import Synchronization

/// A console for remote machines: it follows the output of a build, its tests and the system, and
/// asks now and then how full the disk is.
///
/// Rebuilt from cloudflare/sandbox-sdk#400. A time limit was set for a stream that lasts as long as
/// the process runs: users saw logs break off after that time although lines were still coming.
extension Real {
  static let console = Report("console", "the log breaks off") { version in
    let machine = Machine()
    let console = Console(machine, version)
    console.build()
    for _ in 1...8 {
      await pause(300)
      console.refresh()
    }
    await pause(500)
    let how =
      console.text("build") == "done" ? "and that it is done" : "and \"\(console.text("build"))\""
    print("console: \(console.lines("build")) of 50 lines of the build are shown, \(how)")
    return [machine, console] as [Any]
  }
}

private enum MachineFailure: Error { case noAnswer }

private final class Machine: Sendable {
  private let queue = QueueScheduler(label: "machine")

  /// The output of a process, one line at each interval.
  func run(_ process: String, lines: Int, every milliseconds: Int) -> Signal<String, MachineFailure>
  {
    Signal.interval(.milliseconds(milliseconds), on: queue)
      .take(lines)
      .map { "\(process): line \($0)" }
      .promoteFailure(to: MachineFailure.self)
  }

  func ask(_ question: String) -> Signal<String, MachineFailure> {
    Signal.timer(after: .milliseconds(50), on: queue)
      .map { _ in "\(question): fine" }
      .promoteFailure(to: MachineFailure.self)
  }
}

private final class Console: Sendable {
  private let machine: Machine
  private let version: Version
  private let queue = QueueScheduler(label: "console")
  private let builds = Subject<Void, Never>("builds")
  private let refreshes = Subject<Void, Never>("refreshes")
  private let texts = Mutex<[String: String]>([:])
  private let counts = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  init(_ machine: Machine, _ version: Version) {
    self.machine = machine
    self.version = version
    let queue = queue
    follow("build", builds.signal) {
      let log = machine.run("build", lines: 50, every: 45)
      return version == .fixed
        ? log.timeout(each: .milliseconds(700), on: queue, failingWith: .noAnswer)
        : log.timeout(after: .milliseconds(700), on: queue, failingWith: .noAnswer)  // blame
    }
    follow("tests", builds.signal) {
      machine.run("tests", lines: 20, every: 90)
        .timeout(each: .milliseconds(700), on: queue, failingWith: .noAnswer)
    }
    follow("system", builds.signal) {
      machine.run("system", lines: 5, every: 60)
        .timeout(after: .milliseconds(1500), on: queue, failingWith: .noAnswer)
    }
    follow("disk", refreshes.signal) {
      machine.ask("disk")
        .timeout(after: .milliseconds(700), on: queue, failingWith: .noAnswer)
    }
  }

  func build() { builds.send(()) }

  func refresh() { refreshes.send(()) }

  func lines(_ part: String) -> Int { counts.withLock { $0[part, default: 0] } }

  func text(_ part: String) -> String { texts.withLock { $0[part, default: ""] } }

  /// Shows each line, and the outcome at the end.
  private func follow(
    _ part: String,
    _ starts: Signal<Void, Never>,
    _ make: @escaping @Sendable () -> Signal<String, MachineFailure>
  ) {
    let note = { @Sendable [weak self] (_: String) -> Void in
      self?.counts.withLock { $0[part, default: 0] += 1 }
    }
    starts
      .flatMapLatest { _ in
        make()
          .doNext(note)
          .endWith("done")
          .replaceFailure(with: "no answer")
      }
      .deliver(on: .main)
      .subscribe { [weak self] line in self?.texts.withLock { $0[part] = line } }
      .store(in: bag)
  }
}
