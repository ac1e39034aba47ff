import CReactiveTraceShims
import Glibc

/// The tail of the file in stream mode: every sealed segment is appended to it before it is recycled.
///
/// The thread that sealed a segment writes it, outside of all other locks; another one that comes meanwhile
/// leaves its segment to that thread and goes on. The first failure ends it for good: from then on the ring
/// is all there is.
///
/// `@unchecked Sendable`: `state` is only touched with `lock` held, except the flags, which are atomic.
struct StreamTail: @unchecked Sendable {
  /// Held by the thread that writes.
  let lock = Lock()
  private let state: UnsafeMutablePointer<State>
  private let header: UnsafeMutableRawPointer
  /// The tail's row in the region table.
  private let row: UnsafeMutableRawPointer
  private let start: Int
  private let limit: Int

  struct State: BitwiseCopyable {
    var descriptor: Int32 = -1
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// 1 while segments are appended.
    var isOn: UInt32 = 0
    /// 1 when it has ended and no record says so yet.
    var hasNews: UInt32 = 0
  }

  /// - Parameters:
  ///   - file: The trace file; its descriptor is kept open if it is to be streamed.
  ///   - limit: The most bytes the file may have; 0 for no limit.
  /// - Throws: ``TraceError`` if there is no memory.
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
    guard let identity = Self.identity(of: file.descriptor) else { return }
    (state.pointee.device, state.pointee.inode) = identity
    state.pointee.isOn = 1
    Layout.FileHeader.tailState.store(TailState.growing.rawValue, to: header)
    Layout.FileHeader.limit.store(UInt64(limit), to: header)
    Layout.Region.offset.store(UInt64(start), to: row)
    Layout.Region.entrySize.store(UInt32(Layout.Segment.size), to: row)
  }

  /// Whether sealed segments are to be appended.
  ///
  /// Needs no lock.
  var isOn: Bool { rxt_load_relaxed_u32(UnsafeRawPointer(state) + Self.isOnOffset) != 0 }

  /// The file, for reading; nil if it is no stream.
  var readableDescriptor: Int32? {
    let descriptor = state.pointee.descriptor
    guard descriptor >= 0, let (device, inode) = Self.identity(of: descriptor),
      device == state.pointee.device, inode == state.pointee.inode
    else { return nil }
    return descriptor
  }

  /// Whether the end has still to be recorded; the first who asks is told so.
  func takeNews() -> Bool {
    let flag = UnsafeMutableRawPointer(state) + Self.hasNewsOffset
    return rxt_load_relaxed_u32(flag) != 0 && rxt_compare_exchange_u32(flag, 1, 0)
  }

  /// The record that tells of the end.
  var news: PendingRecord {
    PendingRecord(
      .tailEnded,
      Layout.FileHeader.tailState.relaxed(at: header),
      Layout.FileHeader.tailError.relaxed(at: header)
    )
  }

  private static let isOnOffset = MemoryLayout<State>.offset(of: \.isOn) ?? 0
  private static let hasNewsOffset = MemoryLayout<State>.offset(of: \.hasNews) ?? 0

  // MARK: With `lock` held

  /// Appends a sealed segment; false if it is in the ring only.
  func append(_ segment: UnsafeMutableRawPointer) -> Bool {
    guard isOn else { return false }
    let count = Layout.Region.used.relaxed(at: row)
    let position = start + Int(count) * Layout.Segment.size
    let end = position + Layout.Segment.size
    if limit != 0, end > limit {
      stop(.limitReached, 0)
      return false
    }
    let failure = write(segment, at: position, end: end)
    guard failure == 0 else {
      // What was written of it is cut away; the mapped part is never shortened.
      if failure != EBADF { ftruncate(state.pointee.descriptor, off_t(position)) }
      stop(.failed, failure)
      return false
    }
    // Releases the segment to readers: one that is counted is whole.
    Layout.Region.used.setRelease(count + 1, at: row)
    return true
  }

  private func write(_ segment: UnsafeMutableRawPointer, at position: Int, end: Int) -> Int32 {
    let descriptor = state.pointee.descriptor
    // A program may close all descriptors it does not know, and get this number for a file of its own.
    guard let (device, inode) = Self.identity(of: descriptor), device == state.pointee.device,
      inode == state.pointee.inode
    else { return EBADF }
    // Beyond this limit the kernel would send a signal that ends the program.
    var most = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most) == 0, most.rlim_cur < end {
      return EFBIG
    }
    var done = 0
    while done < Layout.Segment.size {
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
    return 0
  }

  private func stop(_ reason: TailState, _ failure: Int32) {
    Layout.FileHeader.tailError.setRelaxed(UInt32(failure), at: header)
    Layout.FileHeader.tailState.setRelease(reason.rawValue, at: header)
    rxt_store_relaxed_u32(UnsafeMutableRawPointer(state) + Self.isOnOffset, 0)
    rxt_store_relaxed_u32(UnsafeMutableRawPointer(state) + Self.hasNewsOffset, 1)
  }

  private static func identity(of descriptor: Int32) -> (device: UInt64, inode: UInt64)? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

extension Recorder {
  /// Appends what was sealed to the tail of a stream.
  ///
  /// Wants none of the other locks. Takes as long as writing 64 KiB for each segment, some microseconds where
  /// the file is in memory.
  func drain() {
    guard tail.isOn else { return }
    repeat {
      // Whoever holds it writes this one, too.
      guard tail.lock.tryLock() else { return }
      while let segment = pool.lock.withLock({ pool.takePending() }) {
        let isSaved = tail.append(segment)
        pool.lock.withLock { pool.finish(segment, isSaved: isSaved) }
      }
      tail.lock.unlock()
      // One that came between the last look and the unlocking would wait for the next otherwise.
    } while pool.lock.withLock { pool.hasPending }
  }
}
