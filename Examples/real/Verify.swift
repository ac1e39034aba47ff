import Dispatch
import Reactive
import Synchronization

/// A cash register: it checks who works at it, prints receipts and opens the drawer, each through a
/// device library that answers in a callback.
///
/// Rebuilt from ReactiveCocoa/ReactiveCocoa#2026. The button that checks the account worked once,
/// and did nothing after that.
extension Real {
  static let register = Report("register", "disabled for ever") { version in
    let device = Device()
    let register = Register(device, version)
    let display = Display(register)
    for round in 0..<8 {
      register.verify.execute("clerk \(round)")
      await pause(150)
      register.receipt.execute(round)
      await pause(150)
      register.drawer.execute()
      await pause(150)
    }
    await pause(200)
    print("verified \(display.verified.value) of 8, printed \(display.printed.value) of 8")
    return display
  }
}

/// The hardware's library, which has callbacks instead of signals.
private final class Device: Sendable {
  private let queue = DispatchQueue(label: "device")
  private let accounts = Mutex<[String: @Sendable (Bool) -> Void]>([:])

  /// Calls back when the account is known, and again when somebody locks it.
  func verify(_ name: String, success: @escaping @Sendable (Bool) -> Void) {
    accounts.withLock { $0[name] = success }
    answer { success(!name.isEmpty) }
  }

  func printReceipt(_ number: Int, success: @escaping @Sendable (Int) -> Void) {
    answer { success(number + 1) }
  }

  func openDrawer(success: @escaping @Sendable () -> Void) {
    answer { success() }
  }

  private func answer(_ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(60), execute: body)
  }
}

private final class Register: Sendable {
  let verify: Action<String, Bool, Never>
  let receipt: Action<Int, Int, Never>
  let drawer: Action<Void, Void, Never>

  init(_ device: Device, _ version: Version) {
    verify = Action { name in  // blame, too
      .create { observer in  // blame
        device.verify(name) { isKnown in
          observer.send(isKnown)
          if version == .fixed { observer.complete() }
        }
      }
    }
    receipt = Action { number in
      .create { observer in
        device.printReceipt(number) { printed in
          observer.send(printed)
          observer.complete()
        }
      }
    }
    drawer = Action { _ in
      .create { observer in
        device.openDrawer {
          observer.send()
          observer.complete()
        }
      }
    }
  }
}

private final class Display: Sendable {
  let verified = Counter()
  let printed = Counter()
  private let register: Register
  private let opened = MutableProperty(0, "opened")
  private let bag = DisposableBag()

  init(_ register: Register) {
    self.register = register
    tell(register.verify.values) { [verified] _ in verified.add() }
    tell(register.receipt.values) { [printed] _ in printed.add() }
    tell(register.drawer.values) { [opened] _ in opened.modify { $0 += 1 } }
    tell(register.receipt.isEnabled.signal) { _ in }
    tell(opened.signal.map { "opened \($0) times" }) { _ in }
    tell(Signal.interval(.milliseconds(400), on: .background)) { _ in }
  }

  private func tell<Value: Sendable>(
    _ signal: Signal<Value, Never>,
    _ show: @escaping @Sendable (Value) -> Void
  ) {
    signal.subscribe(next: show).store(in: bag)
  }
}
