import Dispatch
import NIOCore
import ReactiveTrace
import Synchronization

/// The functions to which entries in the tables of other event loops are redirected.
///
/// No object of this class exists: `self` is a loop of another class, of which only the address and
/// the class are used.
///
/// Each function captures where the work was requested, as an asynchronous backtrace. It then
/// passes a closure, which runs the work with that backtrace, to the loop through a table in which
/// only this member is not redirected. If the loop itself then requests work, for example of a
/// queue or of itself, that is not recorded as a separate hop (passage of work to another thread).
///
/// All other members must be redirected in that table, too, because futures keep the table: if NIO
/// implements a member for all loops, such as `submit`, the future that the member returns calls
/// the loop through the same table.
final class RedirectingEventLoop: EventLoop {
  // MARK: Redirected loops

  /// A class, and for each member the table through which its original implementation is called.
  ///
  /// The structure is never freed.
  private struct Known {
    let type: UInt
    let tables: [UnsafeRawPointer]
    let next: UInt
  }
  /// The head of a list; a class is added before any entry of its table is redirected.
  private static let known = Atomic<UInt>(0)

  /// Adds a class; must not be called by several threads at once.
  static func add(_ type: UInt, _ tables: [UnsafeRawPointer]) {
    let new = UnsafeMutablePointer<Known>.allocate(capacity: 1)
    new.initialize(to: Known(type: type, tables: tables, next: known.load(ordering: .relaxed)))
    known.store(UInt(bitPattern: new), ordering: .releasing)
  }

  static func hasTables(of type: UInt) -> Bool { tables(of: type) != nil }

  @inline(__always)
  private static func tables(of type: UInt) -> UnsafePointer<Known>? {
    var next = known.load(ordering: .acquiring)
    while let row = UnsafePointer<Known>(bitPattern: next) {
      if row.pointee.type == type { return row }
      next = row.pointee.next
    }
    return nil
  }

  /// This loop, as a value whose calls of `member` reach the loop's original implementation.
  @inline(__always)
  private func loop(_ member: EventLoopMember) -> any EventLoop {
    let object = Unmanaged.passUnretained(self).toOpaque()
    guard let row = Self.tables(of: object.load(as: UInt.self)) else {
      return Self.unknownLoop(object, member)
    }
    return ConformanceTable.eventLoop(self, row.pointee.tables[member.rawValue])
  }

  /// Handles a loop whose class is not in the list.
  ///
  /// There are three cases: the loop is the ``ProbeEventLoop`` that is used to find the entries;
  /// its class is a subclass of a class in the list; or its class has been added to the list, but
  /// this thread does not see that yet, although it sees that an entry is redirected.
  @inline(never)
  private static func unknownLoop(
    _ object: UnsafeMutableRawPointer,
    _ member: EventLoopMember
  ) -> any EventLoop {
    let loop = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    if let loop = loop as? ProbeEventLoop { return loop.countingRedirectedCall() }
    while true {
      var type: AnyClass? = Swift.type(of: loop)
      while let known = type {
        if let row = tables(of: UInt(bitPattern: ObjectIdentifier(known))) {
          return ConformanceTable.eventLoop(loop, row.pointee.tables[member.rawValue])
        }
        type = _getSuperclass(known)
      }
    }
  }

  // MARK: Members that request work

  func execute(_ task: @escaping @Sendable () -> Void) {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return loop(.execute).execute(task) }
    Tracer.apart { loop(.execute).execute { Tracer.perform(from: origin, task) } }
  }

  func submit<Value>(_ task: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return loop(.submit).submit(task) }
    return Tracer.apart { loop(.submit).submit { try Tracer.perform(from: origin, task) } }
  }

  func scheduleTask<Value>(
    deadline: NIODeadline,
    _ task: @escaping @Sendable () throws -> Value
  ) -> Scheduled<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return loop(.taskAt).scheduleTask(deadline: deadline, task) }
    return Tracer.apart {
      loop(.taskAt).scheduleTask(deadline: deadline) { try Tracer.perform(from: origin, task) }
    }
  }

  func scheduleTask<Value>(
    in delay: TimeAmount,
    _ task: @escaping @Sendable () throws -> Value
  ) -> Scheduled<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return loop(.taskIn).scheduleTask(in: delay, task) }
    return Tracer.apart {
      loop(.taskIn).scheduleTask(in: delay) { try Tracer.perform(from: origin, task) }
    }
  }

  func scheduleCallback(
    at deadline: NIODeadline,
    handler: some (NIOScheduledCallbackHandler & Sendable)
  ) throws -> NIOScheduledCallback {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else {
      return try loop(.callbackAt).scheduleCallback(at: deadline, handler: handler)
    }
    return try Tracer.apart {
      Result {
        try loop(.callbackAt).scheduleCallback(at: deadline, handler: Handler(handler, origin))
      }
    }
    .get()
  }

  func scheduleCallback(
    in delay: TimeAmount,
    handler: some (NIOScheduledCallbackHandler & Sendable)
  ) throws -> NIOScheduledCallback {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else {
      return try loop(.callbackIn).scheduleCallback(in: delay, handler: handler)
    }
    return try Tracer.apart {
      Result {
        try loop(.callbackIn).scheduleCallback(in: delay, handler: Handler(handler, origin))
      }
    }
    .get()
  }

  // MARK: Members that request work on the thread of the loop

  @inline(__always)
  private func isolated(_ member: EventLoopMember) -> NIOIsolatedEventLoop {
    loop(member).assumeIsolatedUnsafeUnchecked()
  }

  func _executeIsolatedUnsafeUnchecked(_ task: @escaping () -> Void) {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return isolated(.isolatedExecute).execute(task) }
    Tracer.apart { isolated(.isolatedExecute).execute { Tracer.perform(from: origin, task) } }
  }

  func _submitIsolatedUnsafeUnchecked<Value>(
    _ task: @escaping () throws -> Value
  ) -> EventLoopFuture<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return isolated(.isolatedSubmit).submit(task) }
    return Tracer.apart {
      isolated(.isolatedSubmit).submit { try Tracer.perform(from: origin, task) }
    }
  }

  func _scheduleTaskIsolatedUnsafeUnchecked<Value>(
    deadline: NIODeadline,
    _ task: @escaping () throws -> Value
  ) -> Scheduled<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else {
      return isolated(.isolatedTaskAt).scheduleTask(deadline: deadline, task)
    }
    return Tracer.apart {
      isolated(.isolatedTaskAt).scheduleTask(deadline: deadline) {
        try Tracer.perform(from: origin, task)
      }
    }
  }

  func _scheduleTaskIsolatedUnsafeUnchecked<Value>(
    in delay: TimeAmount,
    _ task: @escaping () throws -> Value
  ) -> Scheduled<Value> {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else { return isolated(.isolatedTaskIn).scheduleTask(in: delay, task) }
    return Tracer.apart {
      isolated(.isolatedTaskIn).scheduleTask(in: delay) { try Tracer.perform(from: origin, task) }
    }
  }

  func _scheduleCallbackIsolatedUnsafeUnchecked(
    at deadline: NIODeadline,
    handler: some NIOScheduledCallbackHandler
  ) throws -> NIOScheduledCallback {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else {
      return try isolated(.isolatedCallbackAt).scheduleCallback(at: deadline, handler: handler)
    }
    return try Tracer.apart {
      Result {
        try isolated(.isolatedCallbackAt).scheduleCallback(
          at: deadline,
          handler: Handler(handler, origin)
        )
      }
    }
    .get()
  }

  func _scheduleCallbackIsolatedUnsafeUnchecked(
    in delay: TimeAmount,
    handler: some NIOScheduledCallbackHandler
  ) throws -> NIOScheduledCallback {
    let origin = Tracer.captureOrigin(.eventLoop)
    guard origin.chain != 0 else {
      return try isolated(.isolatedCallbackIn).scheduleCallback(in: delay, handler: handler)
    }
    return try Tracer.apart {
      Result {
        try isolated(.isolatedCallbackIn).scheduleCallback(
          in: delay,
          handler: Handler(handler, origin)
        )
      }
    }
    .get()
  }

  /// Calls a handler with the asynchronous backtrace of the code that scheduled the callback.
  fileprivate struct Handler<Inner: NIOScheduledCallbackHandler>: NIOScheduledCallbackHandler {
    let inner: Inner
    let origin: TraceOrigin

    init(_ inner: Inner, _ origin: TraceOrigin) {
      self.inner = inner
      self.origin = origin
    }
    func handleScheduledCallback(eventLoop: some EventLoop) {
      Tracer.perform(from: origin) { inner.handleScheduledCallback(eventLoop: eventLoop) }
    }
    func didCancelScheduledCallback(eventLoop: some EventLoop) {
      inner.didCancelScheduledCallback(eventLoop: eventLoop)
    }
  }

  // MARK: Members to which no entry is redirected

  var inEventLoop: Bool { false }
  func preconditionInEventLoop(file: StaticString, line: UInt) {}
  func preconditionNotInEventLoop(file: StaticString, line: UInt) {}
  func next() -> any EventLoop { self }
  func makeIterator() -> EventLoopIterator { EventLoopIterator([]) }
  func enqueue(_ job: consuming ExecutorJob) {}
  func shutdownGracefully(
    queue: DispatchQueue,
    _ callback: @escaping @Sendable ((any Error)?) -> Void
  ) {}
}
extension RedirectingEventLoop.Handler: Sendable where Inner: Sendable {}
