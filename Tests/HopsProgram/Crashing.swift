import Dispatch
import Foundation
import Reactive

/// The ways in which this program crashes after hops, started with `crash HOW`.
///
/// With `crash asked HOW`, it first asks for crash reports.
enum Crashing: String, CaseIterable {
  case map, actor, waiting, detached, overflow, heap, memory, killed, sent

  func run() -> Never {
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    switch self {
    case .map: crashInMap()
    case .actor: startWithdrawal()
    case .waiting: startTotal()
    case .detached: startReport()
    case .overflow: startRecursion()
    case .heap: startHeapCorruption()
    case .memory: startZeroing()
    case .sent: receiveSignal()
    case .killed: startKill()
    }
    while true { sleep(1000) }
  }
}

/// Numbers that the compiler cannot know, so that it cannot remove the crashes.
nonisolated(unsafe) var numbers = CommandLine.arguments.map(\.count)

@inline(never) func crashInMap() {
  let (first, second) = (QueueScheduler(label: "first"), QueueScheduler(label: "second"))
  Signal<Int, Never>.just(1000).deliver(on: first).deliver(on: second).map { pick($0) }
    .subscribe { done($0) }
  done(first)
}
@inline(never) func pick(_ index: Int) -> Int {
  let picked = numbers[index]
  done(picked)
  return picked
}

actor Account {
  var balance = 0
  @inline(never) func withdraw(_ amount: Int) {
    precondition(balance >= amount, "not enough")
    balance -= amount
  }
}
@inline(never) func startWithdrawal() {
  Task {
    await Account().withdraw(numbers.count)
    done(Kind.actor)
  }
  done(Kind.actor)
}

@inline(never) func startTotal() {
  Task {
    done(await total())
    done(Kind.task)
  }
  done(Kind.task)
}
/// Passes arguments on the stack to the function that makes the iterator; unoptimised code makes
/// room for them above the frame.
@inline(never) func total() async -> Int {
  var total = 0
  for await number in Signal<Int, Never>.just(1000).map({ pick($0) }).values { total += number }
  return total
}

@inline(never) func startReport() {
  DispatchQueue.global().async { makeReport() }
  done(Kind.async)
}
@inline(never) func makeReport() {
  Task.detached {
    await Task.yield()
    fatalError("no report \(numbers.count)")
  }
  done(Kind.detachedTask)
}

@inline(never) func startRecursion() {
  Task {
    done(descend(numbers.count))
  }
  done(Kind.task)
}
@inline(never) func descend(_ depth: Int) -> Int {
  let next = depth == 0 ? 0 : descend(depth + 1)
  done(next)
  return next + depth
}

@inline(never) func startHeapCorruption() {
  DispatchQueue.global().async { corruptHeap() }
  done(Kind.async)
}
/// Crashes where the C library holds the lock of its heap.
@inline(never) func corruptHeap() {
  let (block, next) = (malloc(2000), malloc(2000))
  done(next)
  free(block)
  free(block)
  done(block)
}

@inline(never) func startZeroing() {
  DispatchQueue.global().async { zero(UInt(numbers.count)) }
  done(Kind.async)
}
/// Crashes in a function of the C library.
@inline(never) func zero(_ address: UInt) {
  if let nowhere = UnsafeMutableRawPointer(bitPattern: 4096 + address) { memset(nowhere, 0, 4096) }
  done(address)
}

/// Is killed by a signal that another process sends.
@inline(never) func receiveSignal() {
  done(Signal<Int, Never>.just(1))
  _ = try? Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", "kill -SEGV \(getpid())"])
}

@inline(never) func startKill() {
  QueueScheduler(label: "last").schedule {
    kill(getpid(), SIGKILL)
    sleep(1000)
  }
}
