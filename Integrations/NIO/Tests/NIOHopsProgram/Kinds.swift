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
  var function: String { "hopBy" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

typealias Work = @Sendable () -> Void

@inline(never) func hop(_ kind: Kind, _ loop: any EventLoop, _ work: @escaping Work) {
  switch kind {
  case .execute: hopByExecute(loop, work)
  case .submit: hopBySubmit(loop, work)
  case .flatSubmit: hopByFlatSubmit(loop, work)
  case .deadline: hopByDeadline(loop, work)
  case .delay: hopByDelay(loop, work)
  case .flatDelay: hopByFlatDelay(loop, work)
  case .repeated: hopByRepeated(loop, work)
  case .repeatedAsync: hopByRepeatedAsync(loop, work)
  case .callback: hopByCallback(loop, work)
  case .callbackDelay: hopByCallbackDelay(loop, work)
  case .promise: hopByPromise(loop, work)
  case .ofFuture: hopByOfFuture(loop, work)
  case .futureWithTask: hopByFutureWithTask(loop, work)
  case .actor: hopByActor(loop, work)
  case .scheduler: hopByScheduler(loop, work)
  case .schedulerDelay: hopBySchedulerDelay(loop, work)
  case .isolatedExecute: hopByIsolatedExecute(loop, work)
  case .isolatedSubmit: hopByIsolatedSubmit(loop, work)
  case .isolatedDeadline: hopByIsolatedDeadline(loop, work)
  case .isolatedDelay: hopByIsolatedDelay(loop, work)
  case .isolatedCallback: hopByIsolatedCallback(loop, work)
  case .isolatedCallbackDelay: hopByIsolatedCallbackDelay(loop, work)
  }
}

/// Prevents functions from being merged, and from ending in a tail call, which leaves no frame.
@inline(never) func done(_ what: some Any) { withExtendedLifetime(what) {} }

struct Callback: NIOScheduledCallbackHandler, Sendable {
  let work: Work
  func handleScheduledCallback(eventLoop: some EventLoop) { work() }
}

@inline(never) func hopByExecute(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.execute {
    work()
    done(Kind.execute)
  }
  done(Kind.execute)
}
@inline(never) func hopBySubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.submit { () -> String in
      work()
      return "submit"
    }
  )
}
@inline(never) func hopByFlatSubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.flatSubmit { () -> EventLoopFuture<Int> in
      work()
      return loop.makeSucceededFuture(1)
    }
  )
}
@inline(never) func hopByDeadline(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleTask(deadline: .now()) { () -> (Int, String, [Int]) in
      work()
      return (1, "deadline", [])
    }
  )
}
@inline(never) func hopByDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleTask(in: .milliseconds(1)) {
      work()
      done(Kind.delay)
    }
  )
}
@inline(never) func hopByFlatDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.flatScheduleTask(in: .milliseconds(1)) { () -> EventLoopFuture<Int> in
      work()
      return loop.makeSucceededFuture(2)
    }
  )
}
@inline(never) func hopByRepeated(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleRepeatedTask(initialDelay: .milliseconds(1), delay: .milliseconds(1)) { task in
      task.cancel()
      work()
    }
  )
}
@inline(never) func hopByRepeatedAsync(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: .milliseconds(1)) { task in
      task.cancel()
      work()
      return loop.makeSucceededVoidFuture()
    }
  )
}
@inline(never) func hopByCallback(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.scheduleCallback(at: .now(), handler: Callback(work: work)))
}
@inline(never) func hopByCallbackDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.scheduleCallback(in: .milliseconds(1), handler: Callback(work: work)))
}
/// The backtrace of a future's callback leads back to the code that completes the future.
@inline(never) func hopByPromise(_ loop: any EventLoop, _ work: @escaping Work) {
  let promise = loop.makePromise(of: Int.self)
  promise.futureResult.whenSuccess { _ in work() }
  promise.succeed(1)
  done(Kind.promise)
}
/// A future's loop can be used, even if the future was made by a redirected function.
@inline(never) func hopByOfFuture(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.scheduleTask(deadline: .now()) { 1 }.futureResult.eventLoop.submit { 1.0 }.eventLoop.execute
  {
    work()
    done(Kind.ofFuture)
  }
  done(Kind.ofFuture)
}
@inline(never) func hopByFutureWithTask(_ loop: any EventLoop, _ work: @escaping Work) {
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
@inline(never) func hopByActor(_ loop: any EventLoop, _ work: @escaping Work) {
  Task {
    await LoopActor(loop).run(work)
    done(Kind.actor)
  }
  done(Kind.actor)
}

/// The library's own scheduler, which records its own hops.
@inline(never) func hopByScheduler(_ loop: any EventLoop, _ work: @escaping Work) {
  done(loop.scheduler().schedule(work))
}
@inline(never) func hopBySchedulerDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(loop.scheduler().schedule(after: .milliseconds(1), work))
}

// MARK: On the thread of the loop

@inline(never) func hopByIsolatedExecute(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.assumeIsolated().execute {
    work()
    done(Kind.isolatedExecute)
  }
  done(Kind.isolatedExecute)
}
@inline(never) func hopByIsolatedSubmit(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().submit { () -> String in
      work()
      return "isolated"
    }
  )
}
@inline(never) func hopByIsolatedDeadline(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().scheduleTask(deadline: .now()) {
      work()
      done(Kind.isolatedDeadline)
    }
  )
}
@inline(never) func hopByIsolatedDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  done(
    loop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
      work()
      done(Kind.isolatedDelay)
    }
  )
}
@inline(never) func hopByIsolatedCallback(_ loop: any EventLoop, _ work: @escaping Work) {
  done(try? loop.assumeIsolated().scheduleCallback(at: .now(), handler: Callback(work: work)))
}
@inline(never) func hopByIsolatedCallbackDelay(_ loop: any EventLoop, _ work: @escaping Work) {
  let isolated = loop.assumeIsolated()
  done(try? isolated.scheduleCallback(in: .milliseconds(1), handler: Callback(work: work)))
}
