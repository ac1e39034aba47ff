import NIOCore
import Reactive
import ReactiveNIO

/// The ways in which a program requests work of an event loop.
enum Kind: String, CaseIterable {
  case execute, submit, flatSubmit, deadline, delay, flatDelay, repeated, repeatedAsync
  case callback, callbackDelay, promise, ofFuture, futureWithTask, actor, scheduler, schedulerDelay
  case isolatedExecute, isolatedSubmit, isolatedDeadline, isolatedDelay
  case isolatedCallback, isolatedCallbackDelay

  /// Whether this kind can only be requested on the thread of the loop.
  var isIsolated: Bool { rawValue.hasPrefix("isolated") }

  /// The name of the function below that requests work in this way.
  var function: String { "ask" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

typealias Work = @Sendable () -> Void

@inline(never) func ask(_ kind: Kind, _ loop: any EventLoop, _ work: @escaping Work) {
  switch kind {
  case .execute: askExecute(loop, work)
  case .submit: askSubmit(loop, work)
  case .flatSubmit: askFlatSubmit(loop, work)
  case .deadline: askDeadline(loop, work)
  case .delay: askDelay(loop, work)
  case .flatDelay: askFlatDelay(loop, work)
  case .repeated: askRepeated(loop, work)
  case .repeatedAsync: askRepeatedAsync(loop, work)
  case .callback: askCallback(loop, work)
  case .callbackDelay: askCallbackDelay(loop, work)
  case .promise: askPromise(loop, work)
  case .ofFuture: askOfFuture(loop, work)
  case .futureWithTask: askFutureWithTask(loop, work)
  case .actor: askActor(loop, work)
  case .scheduler: askScheduler(loop, work)
  case .schedulerDelay: askSchedulerDelay(loop, work)
  case .isolatedExecute: askIsolatedExecute(loop, work)
  case .isolatedSubmit: askIsolatedSubmit(loop, work)
  case .isolatedDeadline: askIsolatedDeadline(loop, work)
  case .isolatedDelay: askIsolatedDelay(loop, work)
  case .isolatedCallback: askIsolatedCallback(loop, work)
  case .isolatedCallbackDelay: askIsolatedCallbackDelay(loop, work)
  }
}

/// Prevents functions from being merged, and from ending in a tail call, which leaves no frame.
@inline(never) func done(_ what: some Any) { withExtendedLifetime(what) {} }

struct Callback: NIOScheduledCallbackHandler, Sendable {
  let work: Work
  func handleScheduledCallback(eventLoop: some EventLoop) { work() }
}

@inline(never) func askExecute(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.execute {
    work()
    done(Kind.execute)
  }
  done(Kind.execute)
}
@inline(never) func askSubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.submit { () -> String in
      work()
      return "submit"
    }
  )
}
@inline(never) func askFlatSubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.flatSubmit { () -> EventLoopFuture<Int> in
      work()
      return loop.makeSucceededFuture(1)
    }
  )
}
@inline(never) func askDeadline(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleTask(deadline: .now()) { () -> (Int, String, [Int]) in
      work()
      return (1, "deadline", [])
    }
  )
}
@inline(never) func askDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleTask(in: .milliseconds(1)) {
      work()
      done(Kind.delay)
    }
  )
}
@inline(never) func askFlatDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.flatScheduleTask(in: .milliseconds(1)) { () -> EventLoopFuture<Int> in
      work()
      return loop.makeSucceededFuture(2)
    }
  )
}
@inline(never) func askRepeated(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleRepeatedTask(initialDelay: .milliseconds(1), delay: .milliseconds(1)) { task in
      task.cancel()
      work()
    }
  )
}
@inline(never) func askRepeatedAsync(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: .milliseconds(1)) { task in
      task.cancel()
      work()
      return loop.makeSucceededVoidFuture()
    }
  )
}
@inline(never) func askCallback(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.scheduleCallback(at: .now(), handler: Callback(work: work)))
}
@inline(never) func askCallbackDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.scheduleCallback(in: .milliseconds(1), handler: Callback(work: work)))
}
/// The callbacks of a future lead back to the code that completes it.
@inline(never) func askPromise(_ loop: any EventLoop, _ work: @escaping Work) {
  let promise = loop.makePromise(of: Int.self)
  promise.futureResult.whenSuccess { _ in work() }
  promise.succeed(1)
  done(Kind.promise)
}
/// A future's loop can be used, even if the future was made by a redirected function.
@inline(never) func askOfFuture(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.scheduleTask(deadline: .now()) { 1 }.futureResult.eventLoop.submit { 1.0 }.eventLoop.execute
  {
    work()
    done(Kind.ofFuture)
  }
  done(Kind.ofFuture)
}
@inline(never) func askFutureWithTask(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.makeFutureWithTask {
      work()
      done(Kind.futureWithTask)
    }
  )
}

/// An actor that runs on a loop.
actor LoopActor {
  let loop: any EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.executor.asUnownedSerialExecutor()
  }

  init(_ loop: any EventLoop) { self.loop = loop }

  func run(_ work: Work) {
    loop.preconditionInEventLoop()
    work()
  }
}
@inline(never) func askActor(_ loop: any EventLoop, _ work: @escaping Work) {
  Task {
    await LoopActor(loop).run(work)
    done(Kind.actor)
  }
  done(Kind.actor)
}

/// The library's own scheduler, which records its own hops.
@inline(never) func askScheduler(_ loop: any EventLoop, _ work: @escaping Work) {
  done(loop.scheduler().schedule(work))
}
@inline(never) func askSchedulerDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(loop.scheduler().schedule(after: .milliseconds(1), work))
}

// MARK: On the thread of the loop

@inline(never) func askIsolatedExecute(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.assumeIsolated().execute {
    work()
    done(Kind.isolatedExecute)
  }
  done(Kind.isolatedExecute)
}
@inline(never) func askIsolatedSubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().submit { () -> String in
      work()
      return "isolated"
    }
  )
}
@inline(never) func askIsolatedDeadline(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().scheduleTask(deadline: .now()) {
      work()
      done(Kind.isolatedDeadline)
    }
  )
}
@inline(never) func askIsolatedDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
      work()
      done(Kind.isolatedDelay)
    }
  )
}
@inline(never) func askIsolatedCallback(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.assumeIsolated().scheduleCallback(at: .now(), handler: Callback(work: work)))
}
@inline(never) func askIsolatedCallbackDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  let isolated = loop.assumeIsolated()
  done(try? isolated.scheduleCallback(in: .milliseconds(1), handler: Callback(work: work)))
}
