import Glibc
import Reactive
import ReactiveTesting
import Testing

struct TestFailure: Error, Equatable, Sendable {
  var code = 0
}

/// A number that several closures can change.
final class Counter: Sendable {
  private let number = Locked(0)
  var value: Int { number.withLock { $0 } }

  @discardableResult
  func add(_ amount: Int = 1) -> Int {
    number.withLock { number in
      number += amount
      return number
    }
  }
}

/// A mutable box for a value that a closure needs before it exists.
final class Box<Value: Sendable>: Sendable {
  private let held: Locked<Value?>
  init(_ value: Value? = nil) { held = Locked(value) }
  var value: Value? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// Runs a closure when it is released.
final class Parting: Sendable {
  let number: Int
  private let action: @Sendable () -> Void

  init(_ number: Int = 0, _ action: @escaping @Sendable () -> Void) {
    self.number = number
    self.action = action
  }

  deinit { action() }
}

/// Sends 0, 1, 2, … without an end, on the thread that subscribes.
func endless() -> Signal<Int, Never> { .from(0...) }

/// The number of rounds of a stress test; fewer if `REACTIVE_STRESS=small` says that everything is slow.
func stress(_ count: Int) -> Int { isSlow ? max(count / 20, 50) : count }

private let isSlow = getenv("REACTIVE_STRESS").map { String(cString: $0) } == "small"

/// The depth for a test of code that must not grow the stack; a tenth if `REACTIVE_DEPTH=small` says that a
/// sanitizer makes each step slow and each frame large.
func deep(_ count: Int) -> Int { isShallow ? count / 10 : stress(count) }

let isShallow = getenv("REACTIVE_DEPTH").map { String(cString: $0) } == "small"

extension Tag {
  /// Marks tests that run on real threads and take long.
  @Tag static var stress: Self
}
