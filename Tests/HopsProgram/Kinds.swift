import Dispatch
import Foundation

/// The kinds of hops: the ways in which a program can run work elsewhere or later.
enum Kind: String, CaseIterable {
  case task, detachedTask, mainActor, taskGroup, asyncLet, actor, sleep, continuation, forAwait
  case async, asyncQuality, after, barrier, group, notify, apply, source, workItem, itemNotify
  case thread, detachedThread, pthread, timer, scheduledTimer, perform, operation, blockOperation

  /// Whether only asynchronous functions can make this kind of hop.
  var isAsync: Bool {
    switch self {
    case .taskGroup, .asyncLet, .actor, .sleep, .continuation, .forAwait: true
    default: false
    }
  }
  /// Whether the work that follows is asynchronous.
  var leadsToAsync: Bool { isAsync || [.task, .detachedTask, .mainActor].contains(self) }
  /// Whether the work runs in the caller's task or, as some iterations of `apply` do, on the
  /// caller's stack.
  var staysWhereItIs: Bool { [.actor, .sleep, .continuation, .forAwait, .apply].contains(self) }

  /// The name of the function below that runs work in this way.
  var function: String { "hopBy" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// The kinds of hops to make, and how many of them have been made.
struct Plan: Sendable {
  let kinds: [Kind]
  var done = 0
  let finished: @Sendable (Plan) -> Void

  var next: (kind: Kind, rest: Plan)? {
    guard done < kinds.count else { return nil }
    var rest = self
    rest.done += 1
    return (kinds[done], rest)
  }
}

@inline(never) func go(_ plan: Plan) {
  guard let (kind, rest) = plan.next else { return plan.finished(plan) }
  switch kind {
  case .task: hopByTask(rest)
  case .detachedTask: hopByDetachedTask(rest)
  case .mainActor: hopByMainActor(rest)
  case .async: hopByAsync(rest)
  case .asyncQuality: hopByAsyncQuality(rest)
  case .after: hopByAfter(rest)
  case .barrier: hopByBarrier(rest)
  case .group: hopByGroup(rest)
  case .notify: hopByNotify(rest)
  case .apply: hopByApply(rest)
  case .source: hopBySource(rest)
  case .workItem: hopByWorkItem(rest)
  case .itemNotify: hopByItemNotify(rest)
  case .thread: hopByThread(rest)
  case .detachedThread: hopByDetachedThread(rest)
  case .pthread: hopByPthread(rest)
  case .timer: hopByTimer(rest)
  case .scheduledTimer: hopByScheduledTimer(rest)
  case .perform: hopByPerform(rest)
  case .operation: hopByOperation(rest)
  case .blockOperation: hopByBlockOperation(rest)
  case .taskGroup, .asyncLet, .actor, .sleep, .continuation, .forAwait:
    preconditionFailure("\(kind) wants an asynchronous function")
  }
}

@inline(never) func goAsync(_ plan: Plan) async {
  switch plan.next {
  case (.taskGroup, let rest)?: await hopByTaskGroup(rest)
  case (.asyncLet, let rest)?: await hopByAsyncLet(rest)
  case (.actor, let rest)?: await hopByActor(rest)
  case (.sleep, let rest)?: await hopBySleep(rest)
  case (.continuation, let rest)?: await hopByContinuation(rest)
  case (.forAwait, let rest)?: await hopByForAwait(rest)
  default: go(plan)
  }
  done(plan)
}

/// Prevents the compiler from merging similar functions, and from making the last call of a
/// function a tail call, which leaves no frame.
@inline(never) func done(_ what: some Any) { withExtendedLifetime(what) {} }

// MARK: Tasks

@inline(never) func hopByTask(_ rest: Plan) {
  Task {
    await goAsync(rest)
    done(Kind.task)
  }
  done(Kind.task)
}
@inline(never) func hopByDetachedTask(_ rest: Plan) {
  Task.detached {
    await goAsync(rest)
    done(Kind.detachedTask)
  }
  done(Kind.detachedTask)
}
@inline(never) func hopByMainActor(_ rest: Plan) {
  Task { @MainActor in
    await goAsync(rest)
    done(Kind.mainActor)
  }
  done(Kind.mainActor)
}
@inline(never) func hopByTaskGroup(_ rest: Plan) async {
  await withTaskGroup(of: Void.self) { group in
    group.addTask {
      await goAsync(rest)
      done(Kind.taskGroup)
    }
    await group.waitForAll()
    done(Kind.taskGroup)
  }
  done(Kind.taskGroup)
}
@inline(never) func hopByAsyncLet(_ rest: Plan) async {
  async let child: Void = goAsync(rest)
  await child
  done(Kind.asyncLet)
}
actor Worker {
  @inline(never) func work(_ rest: Plan) async {
    await goAsync(rest)
    done(rest)
  }
}
@inline(never) func hopByActor(_ rest: Plan) async {
  await Worker().work(rest)
  done(Kind.actor)
}
@inline(never) func hopBySleep(_ rest: Plan) async {
  try? await Task.sleep(for: .microseconds(100))
  await goAsync(rest)
  done(Kind.sleep)
}
@inline(never) func hopByContinuation(_ rest: Plan) async {
  await withCheckedContinuation { waiting in Sender.shared.resumeSoon(waiting) }
  await goAsync(rest)
  done(Kind.continuation)
}
@inline(never) func sendContinuation(_ waiting: CheckedContinuation<Void, Never>) {
  waiting.resume()
  done(Kind.continuation)
}
@inline(never) func hopByForAwait(_ rest: Plan) async {
  let (stream, sending) = AsyncStream<Int>.makeStream()
  Sender.shared.sendSoon(sending)
  for await _ in stream {
    await goAsync(rest)
    break
  }
  done(Kind.forAwait)
}
@inline(never) func sendForAwait(_ sending: AsyncStream<Int>.Continuation) {
  sending.yield(1)
  done(Kind.forAwait)
}

/// A thread that resumes waiting tasks.
final class Sender: @unchecked Sendable {
  static let shared = Sender()
  private let condition = NSCondition()
  private var waiting: [@Sendable () -> Void] = []

  private init() { Thread.detachNewThread { self.run() } }

  func resumeSoon(_ waiting: CheckedContinuation<Void, Never>) {
    soon { sendContinuation(waiting) }
  }

  func sendSoon(_ sending: AsyncStream<Int>.Continuation) { soon { sendForAwait(sending) } }

  /// Does the work after a moment, when the caller has probably begun to wait.
  private func soon(_ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      waiting.append(work)
      condition.signal()
    }
  }

  private func run() {
    while true {
      let work = condition.withLock {
        while waiting.isEmpty { condition.wait() }
        return waiting.removeFirst()
      }
      usleep(300)
      work()
    }
  }
}

// MARK: Dispatch

let serial = DispatchQueue(label: "serial")
let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)

@inline(never) func hopByAsync(_ rest: Plan) {
  serial.async {
    go(rest)
    done(Kind.async)
  }
  done(Kind.async)
}
@inline(never) func hopByAsyncQuality(_ rest: Plan) {
  serial.async(qos: .utility, flags: .enforceQoS) {
    go(rest)
    done(Kind.asyncQuality)
  }
  done(Kind.asyncQuality)
}
@inline(never) func hopByAfter(_ rest: Plan) {
  serial.asyncAfter(deadline: .now() + .microseconds(100)) {
    go(rest)
    done(Kind.after)
  }
  done(Kind.after)
}
@inline(never) func hopByBarrier(_ rest: Plan) {
  concurrent.async(flags: .barrier) {
    go(rest)
    done(Kind.barrier)
  }
  done(Kind.barrier)
}
@inline(never) func hopByGroup(_ rest: Plan) {
  concurrent.async(group: DispatchGroup()) {
    go(rest)
    done(Kind.group)
  }
  done(Kind.group)
}
@inline(never) func hopByNotify(_ rest: Plan) {
  DispatchGroup().notify(queue: serial) {
    go(rest)
    done(Kind.notify)
  }
  done(Kind.notify)
}
@inline(never) func hopByApply(_ rest: Plan) {
  DispatchQueue.concurrentPerform(iterations: 4) { round in
    if round == 3 { go(rest) }
    done(Kind.apply)
  }
  done(Kind.apply)
}
@inline(never) func hopBySource(_ rest: Plan) {
  let source = DispatchSource.makeTimerSource(queue: serial)
  source.schedule(deadline: .now() + .microseconds(100))
  source.setEventHandler {
    go(rest)
    source.cancel()
    done(Kind.source)
  }
  source.resume()
  done(Kind.source)
}
@inline(never) func hopByWorkItem(_ rest: Plan) {
  let item = DispatchWorkItem {
    go(rest)
    done(Kind.workItem)
  }
  concurrent.async(execute: item)
  done(Kind.workItem)
}
@inline(never) func hopByItemNotify(_ rest: Plan) {
  let item = DispatchWorkItem { done(Kind.itemNotify) }
  item.notify(queue: serial) {
    go(rest)
    done(Kind.itemNotify)
  }
  item.perform()
  done(Kind.itemNotify)
}

// MARK: Threads

@inline(never) func hopByThread(_ rest: Plan) {
  let thread = Thread {
    go(rest)
    done(Kind.thread)
  }
  thread.start()
  done(Kind.thread)
}
@inline(never) func hopByDetachedThread(_ rest: Plan) {
  Thread.detachNewThread {
    go(rest)
    done(Kind.detachedThread)
  }
  done(Kind.detachedThread)
}
final class Box {
  let plan: Plan
  init(_ plan: Plan) { self.plan = plan }
}
@inline(never) func hopByPthread(_ rest: Plan) {
  var thread = pthread_t()
  pthread_create(
    &thread,
    nil,
    { box in
      if let box { runPthread(Unmanaged<Box>.fromOpaque(box).takeRetainedValue().plan) }
      return nil
    },
    Unmanaged.passRetained(Box(rest)).toOpaque()
  )
  pthread_detach(thread)
  done(Kind.pthread)
}
@inline(never) func runPthread(_ plan: Plan) {
  go(plan)
  done(plan)
}

// MARK: Foundation

@inline(never) func hopByTimer(_ rest: Plan) {
  let timer = Timer(timeInterval: 0.0001, repeats: false) { _ in
    go(rest)
    done(Kind.timer)
  }
  RunLoop.main.add(timer, forMode: .default)
  wakeMain()
  done(Kind.timer)
}
@inline(never) func hopByScheduledTimer(_ rest: Plan) {
  // Only the main thread runs its run loop; on any other, the timer would never fire.
  guard Thread.isMainThread else {
    RunLoop.main.perform { hopByScheduledTimer(rest) }
    return wakeMain()
  }
  let timer = Timer.scheduledTimer(withTimeInterval: 0.0001, repeats: false) { _ in
    go(rest)
    done(Kind.scheduledTimer)
  }
  done(timer)
}
@inline(never) func hopByPerform(_ rest: Plan) {
  RunLoop.main.perform {
    go(rest)
    done(Kind.perform)
  }
  wakeMain()
  done(Kind.perform)
}
func wakeMain() { DispatchQueue.main.async {} }

let operations = {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  return queue
}()
@inline(never) func hopByOperation(_ rest: Plan) {
  operations.addOperation {
    go(rest)
    done(Kind.operation)
  }
  done(Kind.operation)
}
@inline(never) func hopByBlockOperation(_ rest: Plan) {
  operations.addOperation(
    BlockOperation {
      go(rest)
      done(Kind.blockOperation)
    }
  )
  done(Kind.blockOperation)
}
