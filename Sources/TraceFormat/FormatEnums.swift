/// The kind of a region, which is a table or a heap in the file.
///
/// The raw value is the number of the row in the region table that describes the region
/// (TraceFormat §3).
public enum RegionKind: Int, CaseIterable, Sendable {
  case segments = 0
  case slab = 1
  case sites = 2
  case upstreams = 3
  case strings = 4
  case stacks = 5
  case chains = 6
  case schedulers = 7
  case threads = 8
  case images = 9
  case marks = 10
  case markCounts = 11
  /// The arguments of operators.
  case arguments = 12
  /// Names of the functions on the stacks, added after the recording.
  case symbols = 14
  /// Segments of a stream, after everything else.
  case tail = 15

  /// The regions that every recorder creates: the others are added later, if at all.
  package static var fixed: [RegionKind] { allCases.filter { $0.rawValue <= arguments.rawValue } }
}

/// How much is recorded.
///
/// Raw values are stored in the control word.
public enum TraceLevel: UInt32, CaseIterable, Sendable, Comparable {
  /// Nothing.
  case off = 0
  /// Lifetimes and counters, but no individual events.
  case graph = 1
  /// Also each event, hop and timer.
  case events = 2
  /// Also a clipped description of each value.
  ///
  /// The description may contain any data of the program, so this level is used only if the options
  /// of the recorder allow it.
  case values = 3

  /// Whether the left level records less than the right one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Where asynchronous backtraces are captured.
public enum StackMode: UInt32, CaseIterable, Sendable {
  /// Nowhere.
  case off = 0
  /// Where a scheduler accepts work.
  case hops = 1
  /// Where a scheduler accepts work, and at every subscription that the program itself makes.
  case all = 2
  /// Where a scheduler accepts work, and, for the program's own subscriptions, the innermost
  /// ``Layout/StackHeap/callerLimit`` frames of their callers.
  case callers = 3
}

/// The hops (pieces of work that are scheduled in one place and run in another) that asynchronous
/// backtraces follow, if stacks are recorded.
public enum HopScope: UInt32, CaseIterable, Sendable {
  /// Those of the library's schedulers.
  case own = 0
  /// Also those of Swift's tasks, dispatch queues, threads and Foundation.
  case all = 1
}

/// How work got from the place that requested it to where it runs.
public enum HopKind: UInt32, CaseIterable, Sendable {
  /// A scheduler of the library.
  case scheduler = 0
  /// An unstructured task that inherits from the context in which it is made: `Task { }`.
  case task = 1
  /// A task that inherits nothing: `Task.detached { }`.
  case detachedTask = 2
  /// A task of a group.
  case childTask = 3
  /// `async let`.
  case asyncLet = 4
  /// The resumption of a task by a continuation, a stream, or an actor that became free.
  case resumed = 5
  /// `DispatchQueue.async`.
  case async = 6
  /// `DispatchQueue.asyncAfter`.
  case after = 7
  /// Work of a dispatch group, or work that the group schedules when it becomes empty (`notify`).
  case group = 8
  /// Work with a barrier.
  case barrier = 9
  /// `DispatchQueue.concurrentPerform`.
  case apply = 10
  /// A handler of a dispatch source.
  case source = 11
  /// A `DispatchWorkItem`.
  case workItem = 12
  /// A thread.
  case thread = 13
  /// A `Timer` of Foundation.
  case timer = 14
  /// A block of a run loop.
  case runLoop = 15
  /// An operation of an `OperationQueue`.
  case operation = 16
  /// Work of an event loop.
  case eventLoop = 17

  /// Extracts the kind from the `depth` field of a chain; nil for one that this version does not
  /// know.
  package init?(inDepth word: UInt32) {
    self.init(rawValue: word >> Layout.Chain.kindShift & Layout.Chain.kindMask)
  }

  /// The text for this kind in the line between two parts of a backtrace; nil if the line names the
  /// scheduler instead.
  package var words: String? {
    switch self {
    case .scheduler: nil
    case .task: "Task"
    case .detachedTask: "Task.detached"
    case .childTask: "task group"
    case .asyncLet: "async let"
    case .resumed: "resumed"
    case .async: "DispatchQueue.async"
    case .after: "DispatchQueue.asyncAfter"
    case .group: "DispatchGroup"
    case .barrier: "DispatchQueue.async with a barrier"
    case .apply: "DispatchQueue.concurrentPerform"
    case .source: "DispatchSource"
    case .workItem: "DispatchWorkItem"
    case .thread: "Thread"
    case .timer: "Timer"
    case .runLoop: "RunLoop.perform"
    case .operation: "OperationQueue"
    case .eventLoop: "EventLoop"
    }
  }
}

/// How segments, each of which holds 64 KiB of records, are kept.
public enum RecordingMode: UInt32, CaseIterable, Sendable {
  /// The oldest sealed segment is overwritten when no other is free.
  case ring = 0
  /// Sealed segments are appended to the file before they are overwritten.
  case stream = 1
}

/// The state of the tail of a stream, which is the part of the file to which segments are appended.
public enum TailState: UInt32, CaseIterable, Sendable {
  /// There is no tail, because the recording is a ring.
  case none = 0
  /// Sealed segments are appended.
  case growing = 1
  /// The file has reached its limit; the ring continues.
  case limitReached = 2
  /// A segment could not be written, for example because the disk is full; the ring continues.
  case failed = 3
}

/// How the process that recorded a trace ended, if that was reported.
public enum EndingKind: UInt32, CaseIterable, Sendable {
  /// How it ended was not reported.
  case unknown = 0
  /// It exited by itself.
  case exited = 1
  /// A signal ended it.
  case signalled = 2
}

/// Whether a trace is being written.
public enum FileState: UInt32, CaseIterable, Sendable {
  /// The header is not complete yet.
  case starting = 0
  /// A process is recording into the file, or was when it crashed or was killed.
  case recording = 1
  /// Recording was stopped; the file is final.
  case stopped = 2
}

/// The unit of ticks.
public enum ClockKind: UInt32, CaseIterable, Sendable {
  /// Nanoseconds of the monotonic clock.
  case monotonic = 0
  /// A cycle counter with a constant rate, which follows from the two readings of the clocks in the
  /// header.
  case cycles = 1
}

/// The processor the program was built for.
public enum Architecture: UInt32, CaseIterable, Sendable {
  case unknown = 0
  case x86_64 = 1
  case arm64 = 2
}

/// The state of a segment.
public enum SegmentState: UInt32, CaseIterable, Sendable {
  case free = 0
  /// A thread writes into it.
  case current = 1
  /// Complete; the oldest segment in this state is recycled next.
  case sealed = 2
}

/// The kind of entity in a slot of the slab, which is the table of live entities.
public enum EntityKind: UInt32, CaseIterable, Sendable {
  case none = 0
  case signal = 1
  case subscription = 2
  case timer = 3
  /// An object that ends the subscriptions bound to it, such as a bag of disposables.
  case owner = 4
}

/// The state of an entity.
public enum EntityState: UInt32, CaseIterable, Sendable {
  /// A signal that was never subscribed to.
  case created = 0
  /// A signal to which a subscription is running, a running subscription, or an armed timer.
  case active = 1
  /// A signal whose last subscription has ended.
  case inactive = 2
  /// Disposal was requested and is under way.
  case disposing = 3
  /// A subscription that has ended, but has not been released yet.
  case ended = 4
}

/// Why a subscription ended.
public enum EndReason: UInt32, CaseIterable, Sendable {
  case completed = 0
  case failed = 1
  /// Disposed of, by its owner or by an operator downstream that needed no more events.
  case cancelled = 2
  /// The object it was bound to was released.
  case ownerGone = 3
  /// Nothing upstream is left that could send an event.
  case sourceGone = 4
}

/// What ended subscriptions: the cause of a tear-down.
public enum EndCause: UInt32, CaseIterable, Sendable {
  /// It is not known.
  case unknown = 0
  /// The program called `dispose`.
  case disposed = 1
  /// An owner, such as a bag of disposables, that ended or was emptied.
  case owner = 2
  /// The operator downstream, which needed no more events, or the subscription itself.
  case `operator` = 3
  /// The subscription downstream, which ended or was cancelled.
  case downstream = 4
  /// The subscription furthest upstream of those that end: it completed, failed, or can receive
  /// nothing more.
  case event = 5
  /// The last reference to the subscription, or to the iterator or list that requests its values,
  /// was released.
  case released = 6
  /// The task that awaited its events was cancelled, or no longer awaits them.
  case task = 7
  /// It began within a subscription that had already ended.
  case late = 8
}

/// How a scheduler runs its work.
public enum SchedulerKind: UInt32, CaseIterable, Sendable {
  case other = 0
  case immediate = 1
  case main = 2
  /// One work item at a time.
  case serialQueue = 3
  case concurrentQueue = 4
  case virtualTime = 5
}

/// Who set a mark: the program or the recorder.
public enum MarkKind: UInt32, CaseIterable, Sendable {
  /// The program, with `Trace.mark`.
  case program = 0
  /// The recorder, at intervals that double when the table is full.
  ///
  /// Rules that look for growth compare the counts at these marks.
  case automatic = 1
}
