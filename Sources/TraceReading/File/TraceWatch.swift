import Glibc

/// Scans the directories of recordings repeatedly, and reads only what may have changed since the
/// last scan.
///
/// The recording of a program that has ended, or has stopped recording, is read again only if it
/// changes. Any other recording is read at each scan. Only the counters of a running program with a
/// large recording are read less often: on average, at most ``bytesPerSecond`` are read for them.
package struct TraceWatch: Sendable {
  /// A file with the extension `.rxtrace`.
  package struct File: Sendable {
    /// Its path.
    package var path: String
    /// Distinguishes the file from earlier and later ones with the same path, and shows changes.
    package var stamp: Stamp
    /// Its header, or the reason why it cannot be read.
    package var header: Result<TraceHeader, TraceError>
    /// Whether its process is running, as far as that can be determined.
    package var status: ProcessStatus
    /// Its counters; nil if they cannot be read.
    package var counters: TraceCounters?
    /// When the counters were read.
    package var countedAt: ContinuousClock.Instant

    /// Describes a file.
    package init(
      path: String,
      stamp: Stamp,
      header: Result<TraceHeader, TraceError>,
      status: ProcessStatus,
      counters: TraceCounters?,
      countedAt: ContinuousClock.Instant
    ) {
      self.path = path
      self.stamp = stamp
      self.header = header
      self.status = status
      self.counters = counters
      self.countedAt = countedAt
    }

    /// When the recording began, in nanoseconds since 1970; 0 if that is not known.
    var startedAt: UInt64 { (try? header.get().start.realtime) ?? 0 }
    /// The group by which the list is sorted: running programs come first, then other recordings,
    /// then unreadable files.
    var group: Int {
      guard case .success = header else { return 2 }
      return status == .running ? 0 : 1
    }
  }

  /// The identity of a file, and the attributes that change when it is written through the file
  /// system.
  package struct Stamp: Sendable, Hashable {
    /// The number of the file system's device.
    package var device: UInt64
    /// The number of the file in that file system.
    package var inode: UInt64
    /// Its size in bytes.
    package var byteCount: Int
    /// The number of bytes that the file occupies on the disk: fewer than its size if unused parts
    /// of the recording are holes.
    package var allocated: Int
    /// When it was last changed through the file system, in nanoseconds since 1970.
    package var modified: UInt64

    /// Creates a stamp from its parts.
    package init(device: UInt64, inode: UInt64, byteCount: Int, allocated: Int, modified: UInt64) {
      (self.device, self.inode) = (device, inode)
      (self.byteCount, self.allocated, self.modified) = (byteCount, allocated, modified)
    }

    /// Reads the stamp of a file; nil if there is no such file.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      byteCount = Int(status.st_size)
      allocated = Int(status.st_blocks) * 512
      modified =
        UInt64(max(0, status.st_mtim.tv_sec)) &* 1_000_000_000
        &+ UInt64(max(0, status.st_mtim.tv_nsec))
    }

    /// Whether both stamps belong to the same file, even if the file has changed.
    package func isOfSameFile(as other: Stamp) -> Bool {
      device == other.device && inode == other.inode
    }
  }

  /// The maximum number of bytes per second that are read on average for the counters of one
  /// program.
  package static let bytesPerSecond = 32 << 20

  private let directories: [String]
  private var known: [String: File] = [:]

  /// Creates a watch over directories, which need not exist.
  package init(_ directories: [String] = TraceDirectory.candidates()) {
    self.directories = directories
  }

  /// Scans the directories.
  ///
  /// A file whose header is still being written is left out. Unless this process runs as root, a
  /// directory of another user is skipped.
  ///
  /// - Parameter now: The time of the scan.
  /// - Returns: Running programs, then other recordings, in both cases the latest first, and then
  ///   files that cannot be read.
  /// - Complexity: A `stat` for each recording, and the cost of ``TraceReader/counters()`` for each
  ///   recording that may have changed.
  package mutating func refresh(at now: ContinuousClock.Instant = .now) -> [File] {
    var files: [File] = []
    var seen: Set<[UInt64]> = []
    for directory in directories where TraceDirectory.isOwn(directory) {
      for name in TraceDirectory.names(in: directory) ?? [] where name.hasSuffix(".rxtrace") {
        let path = directory + "/" + name
        guard let stamp = Stamp(of: path), seen.insert([stamp.device, stamp.inode]).inserted,
          let file = file(path, stamp, now)
        else { continue }
        files.append(file)
      }
    }
    known = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return files.sorted { left, right in
      if left.group != right.group { return left.group < right.group }
      let (leftStart, rightStart) = (left.startedAt, right.startedAt)
      return leftStart != rightStart ? leftStart > rightStart : left.path < right.path
    }
  }

  /// Reads the file at a path, as far as necessary; nil if its header is still being written.
  private func file(_ path: String, _ stamp: Stamp, _ now: ContinuousClock.Instant) -> File? {
    let old = known[path].flatMap { $0.stamp.isOfSameFile(as: stamp) ? $0 : nil }
    // Once a recording has ended, nothing is written through its mapping any more. The parent may
    // still store how the process ended, but it writes through the file system, which changes the
    // stamp.
    if let old, old.stamp == stamp, old.status == .died || old.status == .stopped,
      case .success = old.header
    {
      return old
    }
    var file = File(
      path: path,
      stamp: stamp,
      header: .failure(TraceError(.notATrace, "")),
      status: .elsewhere,
      counters: nil,
      countedAt: now
    )
    do throws(TraceError) {
      let reader = try TraceReader(path: path)
      let header = try reader.header()
      file.header = .success(header)
      file.status = ProcessStatus(of: header)
      if let old, let counters = old.counters, file.status == .running,
        now < old.countedAt + Self.pause(after: counters.bytesRead)
      {
        (file.counters, file.countedAt) = (counters, old.countedAt)
      } else {
        file.counters = try reader.counters()
      }
    } catch {
      guard error.code != .notReady else { return nil }
      file.header = .failure(error)
    }
    return file
  }

  private static func pause(after bytes: Int) -> Duration {
    .milliseconds(Int64(bytes) * 1000 / Int64(bytesPerSecond))
  }
}
