import Dispatch
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import ReactiveNIO
import ReactiveTrace

// Schedules work on event loops, and compares the asynchronous backtrace of the work with its
// origin.
//
//   nio-hops-program kinds        each kind alone, and in a task, a queue, a thread or another loop
//   nio-hops-program tables       the number of redirected entries in the table of each loop, and
//                                 whether the tables can be written to
//   nio-hops-program threads N    eight threads request N pieces of work each, while a recording
//                                 begins
//   nio-hops-program cost KIND N  the nanoseconds of each of N pieces of work; KIND is execute,
//                                 delay or flood
//
// Prints the backtraces that differ, and exits with status 1 if there are any.

/// The context in which the work is requested.
enum Outer: String, CaseIterable {
  case task, queue, thread, loop
  var function: String { "hopBy" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

@inline(never) func hopByTask(_ work: @escaping Work) {
  Task {
    work()
    done(Outer.task)
  }
  done(Outer.task)
}
@inline(never) func hopByQueue(_ work: @escaping Work) {
  DispatchQueue.global().async {
    work()
    done(Outer.queue)
  }
  done(Outer.queue)
}
@inline(never) func hopByThread(_ work: @escaping Work) {
  Thread {
    work()
    done(Outer.thread)
  }
  .start()
  done(Outer.thread)
}
@inline(never) func hopByLoop(_ loop: any EventLoop, _ work: @escaping Work) {
  loop.execute {
    work()
    done(Outer.loop)
  }
  done(Outer.loop)
}

@inline(never) func hop(in outer: Outer?, _ loop: any EventLoop, _ work: @escaping Work) {
  switch outer {
  case .task: hopByTask(work)
  case .queue: hopByQueue(work)
  case .thread: hopByThread(work)
  case .loop: hopByLoop(loop, work)
  case nil: work()
  }
}

/// The functions of this program that requested the work, newest first: the functions in all parts
/// of the backtrace but the first, without closures.
func hopFunctions(of backtrace: AsyncBacktrace) -> [String] {
  backtrace.parts.dropFirst().flatMap(\.frames).compactMap { frame in
    guard let words = frame.function?.split(separator: "("), let name = words.first else {
      return nil
    }
    let function = name.hasPrefix("specialized ") ? name.dropFirst(12) : name
    return function.hasPrefix("hopBy") && function.count > 5 ? String(function) : nil
  }
}

final class BacktraceChecker: @unchecked Sendable {
  private let finished = DispatchSemaphore(value: 0)
  private let lock = NSLock()
  private(set) var count = 0
  private(set) var failures = 0

  func check(_ name: String, _ expected: [String], _ backtrace: AsyncBacktrace) {
    lock.withLock {
      let found = hopFunctions(of: backtrace)
      count += 1
      if found != expected {
        failures += 1
        print("\(name)\n  expected \(expected)\n  found    \(found)")
        if failures <= 3 { print(backtrace.debugDescription) }
      }
      if CommandLine.arguments.contains("-v") { print("\(name)\n\(backtrace)\n") }
    }
    finished.signal()
  }

  func wait(_ name: String) {
    guard finished.wait(timeout: .now() + 20) == .timedOut else { return }
    print("\(name): never came to its end")
    exit(2)
  }
}

func runKinds() {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let (loop, other) = (group.next(), group.next())
  let checker = BacktraceChecker()
  for kind in Kind.allCases {
    for outer in [nil] + Outer.allCases.map(Optional.some) {
      if kind.isIsolated, outer != nil, outer != .loop { continue }
      // Isolated kinds can be requested only on the thread of their loop, so they are requested
      // there.
      let target = kind.isIsolated ? other : loop
      let name = kind.rawValue + (outer.map { " in " + $0.rawValue } ?? "")
      let outer = kind.isIsolated ? .loop : outer
      let expected = [kind.function] + (outer.map { [$0.function] } ?? [])
      hop(in: outer, other) {
        hop(kind, target) { checker.check(name, expected, AsyncBacktrace.current) }
        done(kind)
      }
      checker.wait(name)
    }
  }
  checkEmbedded(checker)
  checkChannel(checker, group)
  checkCancelling(loop)
  try? group.syncShutdownGracefully()
  print("\(checker.count) chains, \(checker.failures) differ")
  exit(checker.failures == 0 ? 0 : 1)
}

/// Forwards written data, and calls a closure when that happens.
final class Writing: ChannelOutboundHandler, Sendable {
  typealias OutboundIn = AddressedEnvelope<ByteBuffer>
  let work: Work

  init(_ work: @escaping Work) { self.work = work }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    work()
    context.write(data, promise: promise)
  }
}

@inline(never) func hopByWriting(_ channel: any Channel, _ address: SocketAddress) {
  let envelope = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: "hello"))
  done(channel.writeAndFlush(envelope))
}

/// Writes to a channel from outside of its loop.
func checkChannel(_ checker: BacktraceChecker, _ group: MultiThreadedEventLoopGroup) {
  let bootstrap = DatagramBootstrap(group: group).channelInitializer { channel in
    channel.pipeline.addHandler(
      Writing { checker.check("writing", ["hopByWriting"], AsyncBacktrace.current) }
    )
  }
  guard let channel = try? bootstrap.bind(host: "127.0.0.1", port: 0).wait(),
    let address = channel.localAddress
  else { return print("there are no channels here") }
  hopByWriting(channel, address)
  checker.wait("writing")
  try? channel.close().wait()
}

/// Cancelled work is not run, and its future fails.
func checkCancelling(_ loop: any EventLoop) {
  struct Cancelled: NIOScheduledCallbackHandler, Sendable {
    let cancelled: DispatchSemaphore
    func handleScheduledCallback(eventLoop: some EventLoop) { fatalError("it was cancelled") }
    func didCancelScheduledCallback(eventLoop: some EventLoop) { _ = cancelled.signal() }
  }
  let cancelled = DispatchSemaphore(value: 0)
  let callback = try? loop.scheduleCallback(in: .hours(1), handler: Cancelled(cancelled: cancelled))
  callback?.cancel()
  cancelled.wait()
  let task = loop.scheduleTask(in: .hours(1)) { fatalError("it was cancelled") }
  task.cancel()
  do {
    try task.futureResult.wait()
  } catch {
    guard case EventLoopError.cancelled = error else { fatalError("\(error)") }
  }
  do {
    try loop.submit { throw EventLoopError.unsupportedOperation }.wait()
  } catch {
    guard case EventLoopError.unsupportedOperation = error else { fatalError("\(error)") }
  }
}

/// Returns the loop so that the compiler no longer knows its type.
@_optimize(none) func anyLoop(_ loop: any EventLoop) -> any EventLoop { loop }

func checkEmbedded(_ checker: BacktraceChecker) {
  let embedded = EmbeddedEventLoop()
  let anyEmbedded = anyLoop(embedded)
  hopByExecute(anyEmbedded) { checker.check("embedded", ["hopByExecute"], AsyncBacktrace.current) }
  hopByDelay(anyEmbedded) {
    checker.check("embedded delay", ["hopByDelay"], AsyncBacktrace.current)
  }
  hopByOfFuture(anyEmbedded) {
    checker.check("embedded future", ["hopByOfFuture"], AsyncBacktrace.current)
  }
  embedded.advanceTime(by: .seconds(1))
  checker.wait("embedded future")
  checker.wait("embedded")
  checker.wait("embedded delay")
  hopByExecute(anyLoop(NIOAsyncTestingEventLoop())) {
    checker.check("testing", ["hopByExecute"], AsyncBacktrace.current)
  }
  checker.wait("testing")
}

func printTables() {
  for (type, count) in EventLoopHops.redirectedEntryCounts.sorted(by: { $0.key < $1.key }) {
    print("\(type): \(count) entries are redirected")
  }
  let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
  for address in EventLoopHops.tableAddresses {
    let line = maps.split(separator: "\n").first { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] <= address && address < ends[1]
    }
    let access = line?.split(separator: " ").dropFirst().first
    print("a table is \(access.map(String.init) ?? "nowhere")")
  }
}

func runThreads(_ count: Int) throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let ended = DispatchGroup()
  for _ in 0..<8 {
    ended.enter()
    Thread {
      for number in 0..<count {
        ended.enter()
        let loop = group.next()
        if number % 3 == 0 {
          loop.scheduleTask(in: .microseconds(10)) { ended.leave() }
        } else {
          loop.execute { ended.leave() }
        }
      }
      ended.leave()
    }
    .start()
  }
  var options = TraceOptions()
  options.level = .graph
  options.path = NSTemporaryDirectory() + "nio-hops-\(getpid()).rxtrace"
  try Trace.start(options)
  ended.wait()
  try group.syncShutdownGracefully()
  if let path = options.path { try FileManager.default.removeItem(atPath: path) }
  print(
    "all was done; \(EventLoopHops.redirectedEntryCounts["SelectableEventLoop"] ?? 0) entries are redirected"
  )
}

func measure(_ kind: String, _ count: Int) throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  let loop = group.next()
  let finished = DispatchSemaphore(value: 0)
  _ = Tracer.isOn
  func run(_ count: Int) {
    for number in 0..<count {
      switch kind {
      case "delay":
        loop.scheduleTask(in: .zero) { _ = finished.signal() }
        finished.wait()
      case "flood":
        if number + 1 == count {
          loop.execute { _ = finished.signal() }
          finished.wait()
        } else {
          loop.execute {}
        }
      default:
        loop.execute { _ = finished.signal() }
        finished.wait()
      }
    }
  }
  run(count / 10 + 1)
  let clock = ContinuousClock()
  let before = clock.now
  run(count)
  let spent = clock.now - before
  print(Int(spent / .nanoseconds(1)) / count)
  try group.syncShutdownGracefully()
}

let arguments = CommandLine.arguments.dropFirst().filter { $0 != "-v" }
switch (arguments.first, arguments.dropFirst().first, arguments.last.flatMap(Int.init)) {
case ("kinds", _, _): runKinds()
case ("tables", _, _): printTables()
case ("threads", _, let count?): try runThreads(count)
case ("cost", let kind?, let count?): try measure(kind, count)
default:
  print("usage: nio-hops-program kinds | tables | threads N | cost KIND N")
  exit(2)
}
