import Dispatch
import Foundation
import Reactive

// Checks what happens on the main thread of a program that runs the run loop of Foundation there.
// Tests run asynchronously and have no such thread, so they start this program, with the name of a
// scenario.

/// The time at which a scenario has failed if the awaited condition is still false.
let deadline = Date(timeIntervalSinceNow: 20)

/// Runs the run loop of the main thread until a condition is true.
@MainActor
func runLoop(until isOver: () -> Bool) {
  while !isOver() {
    guard Date() < deadline else { fail("waited in vain") }
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
  }
}

func fail(_ message: String) -> Never {
  print(message)
  exit(1)
}

/// The numbers that handlers on the main thread have received.
var seen: [Int] = []

/// The last number of the scenario `feeding`, and whether other work of the run loop has run
/// meanwhile.
var last = 0
var hasBlockRun = false
var hasTimerFired = false

/// Subscribes to two signals, and then sends a value to the first.
///
/// The handler of the first signal runs the run loop until the second has delivered, too.
@MainActor
func nest(_ sendFirst: (Subject<Int, Never>) -> Void) {
  let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
  second.signal.subscribeOnMainActor { seen.append($0) }
  first.signal.subscribeOnMainActor { value in
    seen.append(value)
    Thread.detachNewThread { second.send(2) }
    runLoop { seen == [1, 2] }
    seen.append(3)
  }
  sendFirst(first)
  runLoop { seen.last == 3 }
}

switch CommandLine.arguments.dropFirst().first {
case "nested-in-block":
  nest { first in Thread.detachNewThread { first.send(1) } }
case "nested-at-once":
  nest { first in first.send(1) }
case "feeding":
  // This consumer sends to itself. It stops at a million, so that the scenario fails, rather than
  // hangs, if the consumer blocks the main thread.
  let numbers = Subject<Int, Never>()
  numbers.signal.deliver(on: .ui).subscribe { number in
    MainActor.assumeIsolated { last = number }
    if number < 1_000_000 { numbers.send(number + 1) }
  }
  DispatchQueue.main.async { hasBlockRun = true }
  RunLoop.main.add(
    Timer(timeInterval: 0, repeats: false) { _ in
      MainActor.assumeIsolated { hasTimerFired = true }
    },
    forMode: .default
  )
  numbers.send(0)
  runLoop { hasBlockRun && hasTimerFired }
  if last >= 1_000_000 { fail("the consumer took the main thread") }
  seen = [1, 2, 3]
case let scenario: fail("no scenario '\(scenario ?? "")'")
}
if seen != [1, 2, 3] { fail("\(seen)") }
