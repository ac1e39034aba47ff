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

/// A mutable box: a closure can capture it before the value that it needs exists.
final class Box<Value: Sendable>: Sendable {
  private let held: Locked<Value?>
  init(_ value: Value? = nil) { held = Locked(value) }
  var value: Value? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// An object that runs a closure in its `deinit`.
final class DeinitAction: Sendable {
  let number: Int
  private let action: @Sendable () -> Void

  init(_ number: Int = 0, _ action: @escaping @Sendable () -> Void) {
    self.number = number
    self.action = action
  }

  deinit { action() }
}

/// Sends 0, 1, 2, … for ever: on the thread that subscribes, or in the background if there is no
/// current scheduler (contract rule 8).
func endless() -> Signal<Int, Never> { .from(0...) }

/// The number of rounds of a stress test.
///
/// For slow builds, `REACTIVE_STRESS=5` reduces it to a fifth of `count`, but not below 50.
func scaledCount(_ count: Int) -> Int { min(count, max(count / stressDivisor, 50)) }

private let stressDivisor = max(
  1,
  getenv("REACTIVE_STRESS").flatMap { Int(String(cString: $0)) } ?? 1
)

/// The nesting depth for tests of code whose use of the stack must not depend on the depth.
///
/// It is a tenth of `count` if `REACTIVE_DEPTH=small` says that a sanitizer makes each step slow
/// and each frame large; otherwise it is `scaledCount(count)`.
func scaledDepth(_ count: Int) -> Int { isShallow ? count / 10 : scaledCount(count) }

let isShallow = getenv("REACTIVE_DEPTH").map { String(cString: $0) } == "small"

extension Tag {
  /// Marks slow tests, most of which run on several threads.
  @Tag static var stress: Self
}
