import Glibc
import Reactive
import ReactiveTrace
import Synchronization

/// A notebook whose cells are run by a kernel: output, the kernel's state and run numbers are drawn
/// by one thread, which needs some milliseconds for each change, large or small.
///
/// Rebuilt from nteract/archived-desktop-app#1737. A cell that printed a lot froze the whole
/// window: each line was a separate change. Pull request #2008 collects lines for a while first.
extension Real {
  static let notebook = Report("notebook", "locks up") { version in
    let kernel = Kernel()
    let notebook = Notebook(kernel, version)
    for round in 1...3 {
      Trace.mark("run \(round)")
      kernel.run(cell: round)
      await pause(700)
      notebook.type("x = \(round)")
      await pause(200)
    }
    await pause(400)
    print("notebook: \(kernel.sent.value - notebook.lines) printed lines wait to be drawn")
    return [kernel, notebook] as [Any]
  }
}

private enum Output: Sendable {
  case line(String)
  case state(String)
  case number(Int)
}

private final class Kernel: Sendable {
  let messages = Subject<Output, Never>("messages")
  let sent = Counter()
  private let queue = QueueScheduler(label: "kernel")
  private let bag = DisposableBag()

  /// Prints 300 lines within about half a second.
  func run(cell: Int) {
    messages.send(.number(cell))
    messages.send(.state("busy"))
    Signal.interval(.milliseconds(20), on: queue)
      .take(25)
      .subscribe(
        next: { [weak self] part in for line in 0..<12 { self?.print("\(part).\(line)") } },
        completed: { [weak self] in self?.messages.send(.state("idle")) }
      )
      .store(in: bag)
  }

  private func print(_ text: String) {
    sent.add()
    messages.send(.line(text))
  }
}

private final class Notebook: Sendable {
  private let renderer = QueueScheduler(label: "renderer")
  private let code = MutableProperty("", "code")
  private let cells = Mutex<[String: Int]>([:])
  private let bag = DisposableBag()

  var lines: Int { cells.withLock { $0["output", default: 0] } }

  init(_ kernel: Kernel, _ version: Version) {
    let messages = kernel.messages.signal
    let printed = messages.compactMap { if case .line(let text) = $0 { text } else { nil } }
    if version == .fixed {
      draw(printed.collect(every: .milliseconds(100), on: .background), in: "output")
    } else {
      draw(printed.map { [$0] }, in: "output")  // blame
    }
    draw(
      messages.compactMap { if case .state(let text) = $0 { [text] } else { nil } },
      in: "state"
    )
    draw(
      messages.compactMap { if case .number(let number) = $0 { ["[\(number)]"] } else { nil } },
      in: "prompt"
    )
    draw(code.signal.skip(1).map { [$0] }, in: "code")
    draw(
      code.signal.debounce(.milliseconds(60), on: .background).map { ["help on \($0)"] },
      in: "help"
    )
    draw(
      messages.scan(0) { count, _ in count + 1 }
        .sample(every: .milliseconds(250), on: .background)
        .map { ["\($0) messages"] },
      in: "status line"
    )
  }

  func type(_ text: String) {
    for length in 1...text.count { code.value = String(text.prefix(length)) }
  }

  /// Redraws a part of the window, whenever there is something to add.
  private func draw(_ texts: Signal<[String], Never>, in place: String) {
    texts
      .deliver(on: renderer)  // blame, too
      .subscribe { [weak self] texts in
        usleep(8_000)
        self?.cells.withLock { $0[place, default: 0] += texts.count }
      }
      .store(in: bag)
  }
}
