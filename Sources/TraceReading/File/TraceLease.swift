import CReactiveTraceShims
import Glibc
import TracePlatform

/// Raises the recording level of a running process temporarily.
///
/// An inspector takes a lease, renews it while it inspects the process, and releases it; if the
/// inspector dies, the lease expires by itself. Leases are the only data that other processes write
/// into the file of a running process. The traced process notices the lease at the next call of its
/// recorder, and in the same way notices the end of the lease, and returns to its own level.
///
/// ```swift
/// let lease = try TraceLease.take(path: path, level: .events)
/// …                      // every second
/// try lease.renew()
/// …
/// lease.release()
/// ```
///
/// A lease must not be used by several threads at once.
public final class TraceLease {
  /// The level it requests.
  public let level: TraceLevel
  /// How long it lasts, in seconds, unless it is renewed.
  public let seconds: Double
  private let path: String
  private let page: UnsafeMutableRawPointer
  private let slot: UnsafeMutableRawPointer
  private let header: TraceHeader
  private let ticksPerNanosecond: Double

  private typealias Header = Layout.FileHeader
  private typealias Lease = Layout.Lease

  /// Raises the level of the process that writes the trace at `path`.
  ///
  /// - Parameters:
  ///   - path: The recording of a running process of this user, on this boot and in this process
  ///     namespace.
  ///   - level: The requested level. If the process records that much by itself, nothing changes.
  ///   - seconds: How long it lasts unless it is renewed: 0.1 to 60; other values are clamped.
  /// - Returns: The lease, which ends when it is released or not renewed.
  /// - Throws: ``/TraceFormat/TraceError`` if the process does not allow that level (`max=` in its
  ///   `RXTRACE`), is not recording at the moment, or belongs to another user, or if there are four
  ///   leases already.
  public static func take(
    path: String,
    level: TraceLevel,
    seconds: Double = 5
  ) throws(TraceError) -> TraceLease {
    let header = try TraceReader(path: path).header()
    try check(header, level, path)
    let descriptor = OwnDescriptor.open(path, O_RDWR | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw TraceError(
        .system,
        "cannot be opened for writing (\(String(cString: strerror(errno)))); only its own user may raise the level",
        path: path
      )
    }
    defer { close(descriptor) }
    let page = mmap(nil, Header.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let page, page != MAP_FAILED else {
      throw TraceError(
        .system,
        "its header cannot be mapped (\(String(cString: strerror(errno)))); the level stays as it is",
        path: path
      )
    }
    return try TraceLease(header, page, path, level, min(60, max(0.1, seconds)))
  }

  private init(
    _ header: TraceHeader,
    _ page: UnsafeMutableRawPointer,
    _ path: String,
    _ level: TraceLevel,
    _ seconds: Double
  ) throws(TraceError) {
    self.header = header
    self.page = page
    self.path = path
    self.level = level
    self.seconds = seconds
    ticksPerNanosecond = Self.rate(header)
    // If the program truncates the file, access to the mapping must not kill this process.
    rxt_mapping_guard(page, Header.byteCount, nil)
    guard let slot = Self.claim(page, Self.now(header)) else {
      rxt_mapping_unguard(page)
      munmap(page, Header.byteCount)
      throw TraceError(
        .system,
        "four others have raised its level already; end one of them, or wait until its lease expires",
        path: path
      )
    }
    self.slot = slot
    Lease.level.setRelaxed(level.rawValue, at: slot)
    Lease.processStart.setRelaxed(SystemProcess.startTime(of: getpid()) ?? 0, at: slot)
    extend()
  }

  deinit {
    release()
    rxt_mapping_unguard(page)
    munmap(page, Header.byteCount)
  }

  /// Extends the lease to ``seconds`` from now.
  ///
  /// - Throws: ``/TraceFormat/TraceError`` if the process has ended or has stopped recording, or if
  ///   the lease has expired and another process has taken its slot.
  public func renew() throws(TraceError) {
    try Self.check(try TraceReader(path: path).header(), level, path)
    guard Lease.processID.relaxed(at: slot) == UInt32(bitPattern: getpid()) else {
      throw TraceError(
        .system,
        "the lease has expired and its place was given to another process; take a new one",
        path: path
      )
    }
    extend()
  }

  /// Releases the lease: the process returns to its own level, or to that of another lease.
  public func release() {
    guard Lease.processID.relaxed(at: slot) == UInt32(bitPattern: getpid()) else { return }
    Lease.expiry.setRelease(1, at: slot)
    // The process finds the lease expired when it checks its leases. To make it check, the level is
    // lowered here as the process itself would lower it.
    let own = Header.baseLevel.relaxed(at: page)
    let highest = Self.highest(page, after: Self.now(header))
    Header.control.update(at: page) { word in
      let now = ControlWord.level(word)
      guard now != 0, let new = TraceLevel(rawValue: min(now, max(own, highest))) else {
        return word
      }
      return ControlWord.with(word, level: new)
    }
    Lease.processID.setRelease(0, at: slot)
  }

  // MARK: The slot

  private func extend() {
    let ticks = UInt64(seconds * 1e9 * ticksPerNanosecond)
    // This release store publishes the level to the recorder, which loads the expiry with acquire
    // ordering.
    Lease.expiry.setRelease(Self.now(header) &+ ticks, at: slot)
    Header.control.update(at: page) { word in
      // A level of 0 means that recording is off or stopped, and a lease does not switch it on.
      let now = ControlWord.level(word)
      return now == 0 || now >= level.rawValue ? word : ControlWord.with(word, level: level)
    }
  }

  /// Claims a slot that is free, or whose lease has expired; nil if there is none.
  private static func claim(
    _ page: UnsafeMutableRawPointer,
    _ now: UInt64
  ) -> UnsafeMutableRawPointer? {
    let mine = UInt32(bitPattern: getpid())
    for index in 0..<Lease.count {
      let slot = page + Header.leases + index * Lease.byteCount
      let holder = Lease.processID.acquire(at: slot)
      guard holder == 0 || Lease.expiry.acquire(at: slot) <= now else { continue }
      if rxt_compare_exchange_u32(slot + Lease.processID.offset, holder, mine) {
        Lease.expiry.setRelaxed(1, at: slot)
        return slot
      }
    }
    return nil
  }

  private static func highest(_ page: UnsafeMutableRawPointer, after now: UInt64) -> UInt32 {
    var level: UInt32 = 0
    for index in 0..<Lease.count {
      let slot = page + Header.leases + index * Lease.byteCount
      if Lease.expiry.acquire(at: slot) > now { level = max(level, Lease.level.relaxed(at: slot)) }
    }
    return level
  }

  // MARK: Checks

  private static func check(
    _ header: TraceHeader,
    _ level: TraceLevel,
    _ path: String
  ) throws(TraceError) {
    func refuse(_ why: String) -> TraceError { TraceError(.system, why, path: path) }
    guard ProcessStatus(of: header) == .running else {
      throw refuse(
        "is not being written by a process that runs on this boot and in this process namespace; the level of a recording cannot be raised"
      )
    }
    guard header.userID == geteuid() else {
      throw refuse(
        "is written by a process of user \(header.userID), this is user \(geteuid()); only its own user may raise the level"
      )
    }
    guard header.level != .off else {
      throw refuse(
        "its process has switched recording off; only the program can switch it on again"
      )
    }
    guard level <= header.maximumLevel else {
      throw refuse(
        "its process allows '\(header.maximumLevel)' at most, '\(level)' was wanted; start it with max=\(level) in RXTRACE"
      )
    }
  }

  // MARK: Time

  /// The current time in ticks of the trace.
  private static func now(_ header: TraceHeader) -> UInt64 {
    header.clock == .cycles
      ? rxt_cycle_counter() : TimeNamespace.monotonicNow(of: header.processID)
  }

  private static func rate(_ header: TraceHeader) -> Double {
    guard header.clock == .cycles else { return 1 }
    let ticks = Double(now(header) &- header.start.ticks)
    let nanoseconds = Double(
      TimeNamespace.monotonicNow(of: header.processID) &- header.start.monotonic
    )
    let rate = ticks / max(1, nanoseconds)
    // Accepts 10 MHz to 100 GHz. If the recording has only just begun, the measured rate may be far
    // off; assuming 1 GHz then makes the lease short rather than endless.
    return rate > 0.01 && rate < 100 ? rate : 1
  }
}
