import Dispatch
import Foundation
import Reactive

// What happens on the main thread of a program that runs the run loop of Foundation there. Tests run
// asynchronously and have no such thread, so that they start this program, with the name of a scenario.

/// How long to wait for what ought to come, before the scenario has failed.
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

/// What a handler on the main thread has seen.
var seen: [Int] = []

/// What a consumer that feeds itself has come to, and what else has happened.
var last = 0
var hasBlockRun = false
var hasTimerFired = false

/// Subscribes to the second number, and to the first with a handler that runs the run loop until the second has
/// been delivered; then the first is sent.
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
  // A consumer that feeds itself; with an end, so that it fails where it takes the thread.
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
