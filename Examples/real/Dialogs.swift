import Reactive
import ReactiveTrace
import Synchronization

/// Dialogs for short notes, whose buttons start actions.
///
/// Rebuilt from RxSwiftCommunity/Action#227. Users bound a button to an action with a closure that
/// makes the input from the dialog, and the dialog was never released.
extension Real {
  static let dialogs = Report("dialogs", "closed dialogs stay in memory") { version in
    let outbox = Outbox()
    let alive = Tally()
    for round in 1...16 {
      let dialog = NoteDialog(outbox, alive, version)
      dialog.note.value = "note \(round)"
      await pause(60)
      dialog.send.press()
      await pause(80)
      if round.isMultiple(of: 2) { dialog.attach.press() }
      await pause(60)
      dialog.cancel.press()
      Trace.mark("dialog closed")
    }
    await pause(150)
    print("16 dialogs closed, \(alive.count) in memory, \(outbox.sent.count) notes sent")
    return outbox
  }
}

/// Sends notes, one after the other.
private final class Outbox: Sendable {
  let sent = Tally()
  let send: Action<String, Int, Never>
  let attach: Action<Int, Int, Never>
  let close: Action<Int, Int, Never>
  private let queue = QueueScheduler(label: "outbox")
  private let status = MutableProperty("", "status")
  private let bag = DisposableBag()

  init() {
    let (queue, sent) = (queue, sent)
    send = Action(policy: .queue) { note in
      Signal.timer(after: .milliseconds(30), on: queue).map { note.count }.doNext { _ in sent.add()
      }
    }
    attach = Action(policy: .queue) { size in
      Signal.timer(after: .milliseconds(10), on: queue).map { size }
    }
    close = Action(policy: .queue) { .just($0) }
    merge(send.values, attach.values).map { "\($0) characters" }.bind(to: status).store(in: bag)
  }
}

/// A button; its bindings end with it.
private final class Button: Sendable {
  private let presses: Subject<Void, Never>
  private let bag = DisposableBag()

  init(_ name: String) { presses = Subject(name) }

  func press() { presses.send() }

  /// Executes an action at each press, with the input that a closure makes.
  func bind<Input: Sendable>(
    to action: Action<Input, Int, Never>,
    input: @escaping @Sendable () -> Input
  ) {
    presses.signal.map { input() }.subscribe { action.execute($0) }.store(in: bag)
  }
}

/// A dialog with a note and three buttons.
private final class NoteDialog: Sendable {
  let note = MutableProperty("", "note")
  let send = Button("send")
  let attach = Button("attach")
  let cancel = Button("cancel")
  private let size = MutableProperty(0, "size")
  private let alive: Tally
  private let bag = DisposableBag()

  init(_ outbox: Outbox, _ alive: Tally, _ version: Version) {
    self.alive = alive
    alive.add()
    if version == .fixed {
      send.bind(to: outbox.send) { [weak self] in self?.text ?? "" }
    } else {
      send.bind(to: outbox.send) { self.text }  // blame
    }
    attach.bind(to: outbox.attach) { [size] in size.value }
    cancel.bind(to: outbox.close) { 0 }
    note.signal.map(\.count).bind(to: size).store(in: bag)
  }

  deinit { alive.remove() }

  private var text: String { "Dear all, \(note.value)" }
}

/// A counter that can also be decreased.
private final class Tally: Sendable {
  private let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
  func add() { total.add(1, ordering: .relaxed) }
  func remove() { total.subtract(1, ordering: .relaxed) }
}
