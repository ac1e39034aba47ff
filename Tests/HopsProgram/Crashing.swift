import Dispatch
import Glibc
import Reactive

/// Ways to die behind hops: `crash HOW`.
enum Crashing: String, CaseIterable {
  case map, actor, detached, overflow, killed

  func run() -> Never {
    var none = rlimit()
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    switch self {
    case .map: crashInMap()
    case .actor: askForAccount()
    case .detached: askForReport()
    case .overflow: askForDepth()
    case .killed: askForEnd()
    }
    while true { sleep(1000) }
  }
}

/// What the compiler does not know.
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
@inline(never) func askForAccount() {
  Task {
    await Account().withdraw(numbers.count)
    done(Kind.actor)
  }
  done(Kind.actor)
}

@inline(never) func askForReport() {
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

@inline(never) func askForDepth() {
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

@inline(never) func askForEnd() {
  QueueScheduler(label: "last").schedule {
    kill(getpid(), SIGKILL)
    sleep(1000)
  }
}
