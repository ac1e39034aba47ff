import Dispatch
import Foundation

/// The ways in which a program can run work elsewhere or later.
enum Kind: String, CaseIterable {
  case task, group, actor, sleep, continuation
  case async, backlog, flood, after, operation, thread

  /// A number of hops that takes some tenths of a second.
  var count: Int {
    switch self {
    case .task, .group, .actor, .backlog, .flood: 200_000
    case .continuation, .async, .sleep, .operation: 40_000
    case .after, .thread: 10_000
    }
  }

  /// Makes this number of hops.
  ///
  /// - Returns: A checksum.
  func run(_ count: Int) async -> Int {
    switch self {
    case .task: await tasks(count)
    case .group: await groups(count)
    case .actor: await calls(count)
    case .sleep: await sleeps(count)
    case .continuation: await continuations(count)
    case .async: roundTrips(count) { work, queue in queue.async(execute: work) }
    case .backlog: burst(count, isHeld: true)
    case .flood: burst(count, isHeld: false)
    case .after:
      roundTrips(count) { work, queue in queue.asyncAfter(deadline: .now(), execute: work) }
    case .operation: operations(count)
    case .thread: threads(count)
    }
  }
}

// MARK: Tasks

/// Makes a task and awaits it.
private func tasks(_ count: Int) async -> Int {
  var total = 0
  for number in 0..<count { total &+= await Task { work(number) }.value }
  return total
}

/// Adds tasks to a group, a hundred to each, and awaits them all.
private func groups(_ count: Int) async -> Int {
  var total = 0
  for first in stride(from: 0, to: count, by: 100) {
    total &+= await withTaskGroup(of: Int.self) { group in
      for number in first..<min(first + 100, count) { group.addTask { work(number) } }
      return await group.reduce(0, &+)
    }
  }
  return total
}

private actor Counter {
  private var total = 0

  func add(_ number: Int) -> Int {
    total &+= work(number)
    return total
  }
}

/// Calls an actor from outside.
private func calls(_ count: Int) async -> Int {
  let counter = Counter()
  var total = 0
  for number in 0..<count { total = await counter.add(number) }
  return total
}

/// Sleeps for zero time, which still takes a timer.
private func sleeps(_ count: Int) async -> Int {
  var total = 0
  for number in 0..<count {
    try? await Task.sleep(nanoseconds: 0)
    total &+= work(number)
  }
  return total
}

/// Waits until a queue resumes the continuation.
private func continuations(_ count: Int) async -> Int {
  let queue = DispatchQueue(label: "hops")
  var total = 0
  for number in 0..<count {
    total &+= await withCheckedContinuation { waiting in
      queue.async { waiting.resume(returning: work(number)) }
    }
  }
  return total
}

// MARK: Dispatch and Foundation

/// The result of the work; a semaphore or the queue orders accesses to the result.
private final class Result: @unchecked Sendable {
  var total = 0
}

/// Passes work to a queue and waits for it.
private func roundTrips(
  _ count: Int,
  _ schedule: (@escaping @Sendable @convention(block) () -> Void, DispatchQueue) -> Void
) -> Int {
  let queue = DispatchQueue(label: "hops")
  let done = DispatchSemaphore(value: 0)
  let result = Result()
  for number in 0..<count {
    schedule(
      {
        result.total &+= work(number)
        done.signal()
      },
      queue
    )
    done.wait()
  }
  return result.total
}

/// Passes all work to a queue, and waits once.
///
/// If the queue is not held until all work has been passed to it, the number of waiting items
/// depends on which of two threads is faster, and the cost of an item depends on that number.
private func burst(_ count: Int, isHeld: Bool) -> Int {
  let queue = DispatchQueue(label: "hops")
  let result = Result()
  if isHeld { queue.suspend() }
  for number in 0..<count { queue.async { result.total &+= work(number) } }
  if isHeld { queue.resume() }
  queue.sync {}
  return result.total
}

/// Adds an operation and waits for it.
private func operations(_ count: Int) -> Int {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  let result = Result()
  for number in 0..<count {
    queue.addOperation { result.total &+= work(number) }
    queue.waitUntilAllOperationsAreFinished()
  }
  return result.total
}

/// Starts a thread and waits for its work.
private func threads(_ count: Int) -> Int {
  let done = DispatchSemaphore(value: 0)
  let result = Result()
  for number in 0..<count {
    Thread {
      result.total &+= work(number)
      done.signal()
    }
    .start()
    done.wait()
  }
  return result.total
}
