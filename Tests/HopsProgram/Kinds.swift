import Dispatch
import Foundation

/// The kinds of hops: the ways in which a program can run work elsewhere or later.
enum Kind: String, CaseIterable {
  case task, detachedTask, mainActor, taskGroup, asyncLet, actor, sleep, continuation, forAwait
  case async, asyncQuality, after, barrier, group, notify, apply, source, workItem, itemNotify
  case thread, detachedThread, pthread, timer, scheduledTimer, perform, operation, blockOperation

  /// Whether only asynchronous functions can use it.
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
  var function: String { "ask" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
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
  case .task: askTask(rest)
  case .detachedTask: askDetachedTask(rest)
  case .mainActor: askMainActor(rest)
  case .async: askAsync(rest)
  case .asyncQuality: askAsyncQuality(rest)
  case .after: askAfter(rest)
  case .barrier: askBarrier(rest)
  case .group: askGroup(rest)
  case .notify: askNotify(rest)
  case .apply: askApply(rest)
  case .source: askSource(rest)
  case .workItem: askWorkItem(rest)
  case .itemNotify: askItemNotify(rest)
  case .thread: askThread(rest)
  case .detachedThread: askDetachedThread(rest)
  case .pthread: askPthread(rest)
  case .timer: askTimer(rest)
  case .scheduledTimer: askScheduledTimer(rest)
  case .perform: askPerform(rest)
  case .operation: askOperation(rest)
  case .blockOperation: askBlockOperation(rest)
  case .taskGroup, .asyncLet, .actor, .sleep, .continuation, .forAwait:
    preconditionFailure("\(kind) wants an asynchronous function")
  }
}

@inline(never) func goAsync(_ plan: Plan) async {
  switch plan.next {
  case (.taskGroup, let rest)?: await askTaskGroup(rest)
  case (.asyncLet, let rest)?: await askAsyncLet(rest)
  case (.actor, let rest)?: await askActor(rest)
  case (.sleep, let rest)?: await askSleep(rest)
  case (.continuation, let rest)?: await askContinuation(rest)
  case (.forAwait, let rest)?: await askForAwait(rest)
  default: go(plan)
  }
  done(plan)
}

/// Prevents the compiler from merging similar functions, and from making the last call of a
/// function a tail call, which leaves no frame.
@inline(never) func done(_ what: some Any) { withExtendedLifetime(what) {} }

// MARK: Tasks

@inline(never) func askTask(_ rest: Plan) {
  Task {
    await goAsync(rest)
    done(Kind.task)
  }
  done(Kind.task)
}
@inline(never) func askDetachedTask(_ rest: Plan) {
  Task.detached {
    await goAsync(rest)
    done(Kind.detachedTask)
  }
  done(Kind.detachedTask)
}
@inline(never) func askMainActor(_ rest: Plan) {
  Task { @MainActor in
    await goAsync(rest)
    done(Kind.mainActor)
  }
  done(Kind.mainActor)
}
@inline(never) func askTaskGroup(_ rest: Plan) async {
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
@inline(never) func askAsyncLet(_ rest: Plan) async {
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
@inline(never) func askActor(_ rest: Plan) async {
  await Worker().work(rest)
  done(Kind.actor)
}
@inline(never) func askSleep(_ rest: Plan) async {
  try? await Task.sleep(for: .microseconds(100))
  await goAsync(rest)
  done(Kind.sleep)
}
@inline(never) func askContinuation(_ rest: Plan) async {
  await withCheckedContinuation { waiting in Sender.shared.resumeSoon(waiting) }
  await goAsync(rest)
  done(Kind.continuation)
}
@inline(never) func sendContinuation(_ waiting: CheckedContinuation<Void, Never>) {
  waiting.resume()
  done(Kind.continuation)
}
@inline(never) func askForAwait(_ rest: Plan) async {
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

@inline(never) func askAsync(_ rest: Plan) {
  serial.async {
    go(rest)
    done(Kind.async)
  }
  done(Kind.async)
}
@inline(never) func askAsyncQuality(_ rest: Plan) {
  serial.async(qos: .utility, flags: .enforceQoS) {
    go(rest)
    done(Kind.asyncQuality)
  }
  done(Kind.asyncQuality)
}
@inline(never) func askAfter(_ rest: Plan) {
  serial.asyncAfter(deadline: .now() + .microseconds(100)) {
    go(rest)
    done(Kind.after)
  }
  done(Kind.after)
}
@inline(never) func askBarrier(_ rest: Plan) {
  concurrent.async(flags: .barrier) {
    go(rest)
    done(Kind.barrier)
  }
  done(Kind.barrier)
}
@inline(never) func askGroup(_ rest: Plan) {
  concurrent.async(group: DispatchGroup()) {
    go(rest)
    done(Kind.group)
  }
  done(Kind.group)
}
@inline(never) func askNotify(_ rest: Plan) {
  DispatchGroup().notify(queue: serial) {
    go(rest)
    done(Kind.notify)
  }
  done(Kind.notify)
}
@inline(never) func askApply(_ rest: Plan) {
  DispatchQueue.concurrentPerform(iterations: 4) { round in
    if round == 3 { go(rest) }
    done(Kind.apply)
  }
  done(Kind.apply)
}
@inline(never) func askSource(_ rest: Plan) {
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
@inline(never) func askWorkItem(_ rest: Plan) {
  let item = DispatchWorkItem {
    go(rest)
    done(Kind.workItem)
  }
  concurrent.async(execute: item)
  done(Kind.workItem)
}
@inline(never) func askItemNotify(_ rest: Plan) {
  let item = DispatchWorkItem { done(Kind.itemNotify) }
  item.notify(queue: serial) {
    go(rest)
    done(Kind.itemNotify)
  }
  item.perform()
  done(Kind.itemNotify)
}

// MARK: Threads

@inline(never) func askThread(_ rest: Plan) {
  let thread = Thread {
    go(rest)
    done(Kind.thread)
  }
  thread.start()
  done(Kind.thread)
}
@inline(never) func askDetachedThread(_ rest: Plan) {
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
@inline(never) func askPthread(_ rest: Plan) {
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

@inline(never) func askTimer(_ rest: Plan) {
  let timer = Timer(timeInterval: 0.0001, repeats: false) { _ in
    go(rest)
    done(Kind.timer)
  }
  RunLoop.main.add(timer, forMode: .default)
  wakeMain()
  done(Kind.timer)
}
@inline(never) func askScheduledTimer(_ rest: Plan) {
  // Only the main thread runs its run loop; on any other, the timer would never fire.
  guard Thread.isMainThread else {
    RunLoop.main.perform { askScheduledTimer(rest) }
    return wakeMain()
  }
  let timer = Timer.scheduledTimer(withTimeInterval: 0.0001, repeats: false) { _ in
    go(rest)
    done(Kind.scheduledTimer)
  }
  done(timer)
}
@inline(never) func askPerform(_ rest: Plan) {
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
@inline(never) func askOperation(_ rest: Plan) {
  operations.addOperation {
    go(rest)
    done(Kind.operation)
  }
  done(Kind.operation)
}
@inline(never) func askBlockOperation(_ rest: Plan) {
  operations.addOperation(
    BlockOperation {
      go(rest)
      done(Kind.blockOperation)
    }
  )
  done(Kind.blockOperation)
}
