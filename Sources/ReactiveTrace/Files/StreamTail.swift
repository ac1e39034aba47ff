import CReactiveTraceShims
import Glibc
import TracePlatform

/// The part of the file that grows in stream mode: every sealed segment is appended to it before
/// the segment is recycled.
///
/// A segment is a block of records; it is sealed when no thread writes into it any more.
///
/// The thread that sealed a segment writes it, while holding only `lock`. If another thread is
/// already writing, the thread does not wait, but leaves its segment to that thread or a later one.
/// A thread that finds no free segment appends a sealed one, which is then recycled, so that
/// nothing is lost for as long as the file accepts data. The first failure ends the tail for good:
/// from then on there is only the ring of recycled segments.
///
/// This struct is `@unchecked Sendable` because of `state`: its flags and its count are atomic, and
/// the rest does not change.
struct StreamTail: @unchecked Sendable {
  /// Held by the thread that writes to the tail.
  let lock = Lock()
  private let state: UnsafeMutablePointer<State>
  private let header: UnsafeMutableRawPointer
  /// The tail's row in the region table.
  private let row: UnsafeMutableRawPointer
  private let start: Int
  private let limit: Int

  /// The flags and the count come first, in the order of ``Flag``.
  struct State: BitwiseCopyable {
    /// 1 while segments are appended.
    var isOn: UInt32 = 0
    /// 1 if the tail has ended and no record reports that yet.
    var hasNews: UInt32 = 0
    /// The number of threads that have no segment to write into and are waiting for the lock.
    var waiting: UInt32 = 0
    /// 1 if the writing thread has not returned for longer than other threads wait.
    var isStalled: UInt32 = 0
    /// The number of segments in the tail.
    var count: UInt32 = 0
    var descriptor: Int32 = -1
    var identity: FileIdentity?
  }

  /// A flag of ``State``, by its position.
  ///
  /// Offsets are not taken from key paths: those are computed lazily, possibly by a thread that no
  /// longer exists in a forked child, which would then wait forever.
  enum Flag: Int, CaseIterable { case isOn, hasNews, waiting, isStalled, count }

  /// - Parameters:
  ///   - file: The trace file; its descriptor is kept open if it is to be streamed.
  ///   - limit: The maximum size of the file in bytes; 0 for no limit.
  /// - Throws: ``/TraceFormat/TraceError`` if there is no memory.
  init(file: MappedFile, limit: Int) throws(TraceError) {
    header = file.base
    row =
      file.base + Layout.FileHeader.regions
      + RegionKind.tail.rawValue * Layout.Region.byteCount
    start = file.plan.byteCount
    self.limit = limit
    state = try PrivateMemory.allocate(State.self, count: 1)
    state.initialize(to: State())
    guard file.descriptor >= 0 else { return }
    state.pointee.descriptor = file.descriptor
    state.pointee.identity = file.identity
    state.pointee.isOn = 1
    Layout.FileHeader.tailState.store(TailState.growing.rawValue, to: header)
    Layout.FileHeader.limit.store(UInt64(limit), to: header)
    Layout.Region.offset.store(UInt64(start), to: row)
    Layout.Region.entrySize.store(UInt32(Layout.Segment.size), to: row)
  }

  /// Whether sealed segments are to be appended.
  ///
  /// Needs no lock.
  var isOn: Bool { rxt_load_relaxed_u32(flag(.isOn)) != 0 }

  /// The file, for reading; nil if it is not a stream.
  var readableDescriptor: Int32? {
    let descriptor = state.pointee.descriptor
    guard descriptor >= 0, FileIdentity(of: descriptor) == state.pointee.identity else {
      return nil
    }
    return descriptor
  }

  /// The number of segments in the tail.
  var count: Int { Int(rxt_load_acquire_u32(flag(.count))) }

  /// Returns whether it is still to be recorded that the tail has ended; only the first caller gets
  /// true.
  func updateNews() -> Bool {
    let flag = flag(.hasNews)
    return rxt_load_relaxed_u32(flag) != 0 && rxt_compare_exchange_u32(flag, 1, 0)
  }

  /// The record that reports that the tail has ended.
  var news: PendingRecord {
    PendingRecord(
      .tailEnded,
      Layout.FileHeader.tailState.relaxed(at: header),
      Layout.FileHeader.tailError.relaxed(at: header)
    )
  }

  private func flag(_ flag: Flag) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(state) + flag.rawValue * 4
  }

  // MARK: Waiting

  /// Whether another thread is waiting for the lock; the writing thread gives it precedence.
  var hasWaiting: Bool { rxt_load_relaxed_u32(flag(.waiting)) != 0 }

  /// Runs `attempt` until it returns true, but not for longer than a few seconds: the holder of the
  /// lock may be writing to a disk that does not respond.
  ///
  /// After such a time-out, no thread waits for the lock at all until its holder has returned.
  func wait(until attempt: () -> Bool) {
    if attempt() { return }
    rxt_add_u32(flag(.waiting), 1)
    defer { rxt_add_u32(flag(.waiting), UInt32.max) }
    for round in 0..<Self.patience where isOn {
      guard rxt_load_relaxed_u32(flag(.isStalled)) == 0 else { return }
      if round < 16 {
        sched_yield()
      } else {
        var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
        nanosleep(&pause, nil)
      }
      if attempt() { return }
    }
    rxt_store_relaxed_u32(flag(.isStalled), 1)
  }

  /// The number of pauses, of at least 100 µs each, that a thread waits: two or three seconds in
  /// all.
  private static var patience: Int { 20_000 }

  /// Runs `body` with cancellation of the calling thread disabled, because the thread holds the
  /// lock meanwhile.
  @inline(__always)
  func uninterrupted(_ body: () -> Void) {
    var before: CInt = 0
    pthread_setcancelstate(CInt(PTHREAD_CANCEL_DISABLE), &before)
    body()
    pthread_setcancelstate(before, nil)
  }

  /// Stops writing to the file: in a forked child, which must not write to its parent's file, or if
  /// the file was cut.
  func abandon() { rxt_store_relaxed_u32(flag(.isOn), 0) }

  // MARK: With `lock` held

  /// Appends a sealed segment; returns false if it is only in the ring.
  func append(_ segment: UnsafeMutableRawPointer) -> Bool {
    guard isOn else { return false }
    defer { rxt_store_relaxed_u32(flag(.isStalled), 0) }
    let position = start + count * Layout.Segment.size
    let end = position + Layout.Segment.size
    if limit != 0, end > limit {
      stop(.limitReached, 0)
      return false
    }
    let failure = write(segment, at: position, end: end)
    guard failure == 0 else {
      // Cuts off the part of the segment that was written; the mapped part of the file is never
      // shortened.
      if failure != EBADF, failure != EIO { ftruncate(state.pointee.descriptor, off_t(position)) }
      stop(.failed, failure)
      return false
    }
    // Publishes the segment to readers: a counted segment is complete.
    let new = count + 1
    Layout.Region.used.setRelease(UInt64(new), at: row)
    rxt_store_release_u32(flag(.count), UInt32(new))
    return true
  }

  private func write(_ segment: UnsafeMutableRawPointer, at position: Int, end: Int) -> Int32 {
    let descriptor = state.pointee.descriptor
    // A program may close all descriptors that it does not know, and then get this number for
    // another file.
    var status = stat()
    guard fstat(descriptor, &status) == 0, FileIdentity(status) == state.pointee.identity else {
      return EBADF
    }
    // The file was cut: writing at `start` would restore its former length, filled with zeros.
    if status.st_size < start { return EIO }
    // Beyond this limit, the kernel would send `SIGXFSZ`, which ends the program by default.
    var most = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most) == 0, most.rlim_cur < end {
      return EFBIG
    }
    var done = 0
    // A signal handler that interrupts the loop may fork, and `isOn` is then false in the child.
    while done < Layout.Segment.size, isOn {
      let count = pwrite(
        descriptor,
        segment + done,
        Layout.Segment.size - done,
        off_t(position + done)
      )
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        return count == 0 ? ENOSPC : errno
      }
    }
    return done < Layout.Segment.size ? EBADF : 0
  }

  private func stop(_ reason: TailState, _ failure: Int32) {
    Layout.FileHeader.tailError.setRelaxed(UInt32(failure), at: header)
    Layout.FileHeader.tailState.setRelease(reason.rawValue, at: header)
    rxt_store_relaxed_u32(flag(.isOn), 0)
    rxt_store_relaxed_u32(flag(.hasNews), 1)
  }
}

extension Recorder {
  /// The maximum number of segments that a thread appends in one call; the rest is left to the next
  /// thread.
  private static var turn: Int { 8 }

  /// Appends sealed segments to the tail of a stream, unless another thread is doing so.
  ///
  /// Requires that the caller holds no lock of the recorder. Takes as long as writing 64 KiB for
  /// each segment: a few microseconds if the file is in memory.
  func drain() {
    guard tail.isOn, pool.lock.withLock({ pool.hasPending }) else { return }
    tail.uninterrupted {
      for _ in 0..<Self.turn {
        // Between two segments, a thread without a segment takes precedence.
        guard !tail.hasWaiting, tail.lock.tryLock() else { return }
        let isDone = !appendNext { true }
        tail.lock.unlock()
        if isDone { return }
      }
    }
  }

  /// Makes sure that `take` finds a free segment.
  ///
  /// `take` runs with the pool's lock held and returns false if it finds none. Then a sealed
  /// segment is appended, and `take` runs again. In the last attempt, `take` may recycle a segment
  /// that has not been appended, because the file accepts no more, or has not responded for
  /// seconds.
  ///
  /// Requires that the caller holds no lock of the recorder.
  func withFreeSegment(_ take: (_ mayRecycle: Bool) -> Bool) {
    if pool.lock.withLock({ take(false) }) { return }
    var hasTaken = false
    tail.uninterrupted {
      tail.wait {
        guard tail.lock.tryLock() else {
          // The previous holder of the tail's lock may have freed a segment meanwhile.
          hasTaken = pool.lock.withLock { take(false) }
          return hasTaken
        }
        defer { tail.lock.unlock() }
        hasTaken = pool.lock.withLock { take(false) }
        // No other thread frees segments now, and the segment freed here is taken before any other
        // thread sees it.
        if !hasTaken {
          appendNext(orPartial: true) {
            hasTaken = take(false)
            return hasTaken
          }
        }
        return true
      }
    }
    if !hasTaken { pool.lock.withLock { _ = take(true) } }
  }

  /// Appends the sealed segment that has waited longest, and runs `body`, with the pool's lock
  /// held, as soon as the segment is free.
  ///
  /// Returns false if no segment is waiting.
  ///
  /// Requires the tail's lock.
  @discardableResult
  private func appendNext(orPartial: Bool = false, _ body: () -> Bool) -> Bool {
    guard let segment = pool.lock.withLock({ pool.takePending(orPartial: orPartial) }) else {
      return false
    }
    let isSaved = tail.append(segment)
    return pool.lock.withLock {
      pool.finish(segment, isSaved: isSaved)
      return body()
    }
  }
}
