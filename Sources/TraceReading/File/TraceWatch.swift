import Glibc

/// Looks into the directories of traces again and again, and reads only what may have changed since.
///
/// A trace whose program has ended is opened once. Of a running program header and counters are read at each look, and the
/// counters of a large one less often: no more than ``bytesPerSecond`` of each.
package struct TraceWatch: Sendable {
  /// A file that is called as traces are.
  package struct File: Sendable {
    /// Where it is.
    package var path: String
    /// What tells it from what was or will be in its place.
    package var stamp: Stamp
    /// What its header says; why it cannot be read, where it cannot.
    package var header: Result<TraceHeader, TraceError>
    /// What became of its process.
    package var status: ProcessStatus
    /// What its counters come to; nil where they cannot be read.
    package var counters: TraceCounters?
    /// When they were read.
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

    /// Nanoseconds since 1970 when it began; 0 where that is not known.
    var startedAt: UInt64 { (try? header.get().start.realtime) ?? 0 }
    /// Running programs, then recordings, then what cannot be read.
    var group: Int {
      guard case .success = header else { return 2 }
      return status == .running ? 0 : 1
    }
  }

  /// The identity of a file, and what changes where it is written through the file system.
  package struct Stamp: Sendable, Hashable {
    /// The file system.
    package var device: UInt64
    /// The file in it.
    package var inode: UInt64
    /// How long it is.
    package var byteCount: Int
    /// What it takes on the disk: a recording is as long as it can become, and made of holes.
    package var allocated: Int
    /// When it was last changed through the file system, in nanoseconds since 1970.
    package var modified: UInt64

    /// A stamp made by hand.
    package init(device: UInt64, inode: UInt64, byteCount: Int, allocated: Int, modified: UInt64) {
      (self.device, self.inode) = (device, inode)
      (self.byteCount, self.allocated, self.modified) = (byteCount, allocated, modified)
    }

    /// Nil where there is no such file.
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

    /// Whether both are of one file, whatever became of it.
    package func isOfSameFile(as other: Stamp) -> Bool {
      device == other.device && inode == other.inode
    }
  }

  /// What is read at most of the counters of one program, on an average.
  package static let bytesPerSecond = 32 << 20

  private let directories: [String]
  private var known: [String: File] = [:]

  /// A watch over directories that need not exist.
  package init(_ directories: [String] = TraceDirectory.candidates()) {
    self.directories = directories
  }

  /// Looks at what there is now.
  ///
  /// A file whose header is still being written is left out. A directory of another user is not looked into.
  ///
  /// - Parameter now: When the look is made.
  /// - Returns: Running programs, then recordings, the latest first in both, then files that are no traces.
  /// - Complexity: A `stat` for each recording, and what ``TraceReader/counters()`` costs for each program that runs.
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

  /// Nil for one that is about to become a trace.
  private func file(_ path: String, _ stamp: Stamp, _ now: ContinuousClock.Instant) -> File? {
    let old = known[path].flatMap { $0.stamp.isOfSameFile(as: stamp) ? $0 : nil }
    // A process that has ended writes nothing any more; how it ended is written by others, through the file system.
    if let old, old.stamp == stamp, old.status == .gone || old.status == .stopped,
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
