import Glibc
import TracePlatform

/// The directories in which traced processes leave their recordings.
public enum TraceDirectory {
  /// A recording found in one of the directories.
  public struct Entry: Sendable {
    /// The file.
    public let path: String
    /// Its header.
    public let header: TraceHeader
    /// Whether its process is running, as far as that can be determined.
    public let status: ProcessStatus
    /// The size of the file in bytes.
    public let byteCount: Int
    /// When the file was last changed through the file system, in nanoseconds since 1970.
    ///
    /// Records written through a mapping do not necessarily change it.
    public let modified: UInt64
  }

  /// The directories that a recorder may have used, in its order of preference, whether they exist
  /// or not.
  ///
  /// - Parameter environment: Looks up a variable; by default in the environment of this process.
  /// - Returns: The paths, without duplicates.
  public static func candidates(environment: (String) -> String? = Self.variable) -> [String] {
    let user = getuid()
    var paths: [String] = []
    if let path = environment("RXTRACE_DIR"), !path.isEmpty { paths.append(path) }
    if let path = environment("XDG_RUNTIME_DIR"), !path.isEmpty { paths.append(path + "/rxtrace") }
    paths += ["/dev/shm/rxtrace-\(user)", "/tmp/rxtrace-\(user)"]
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// The recordings in all directories: those of running processes first, and in each group the
  /// latest first.
  ///
  /// Files that are not traces, or cannot be opened, are left out. Unless this process runs as
  /// root, a directory of another user is skipped, because any user can create one in `/tmp`.
  public static func list(in directories: [String] = candidates()) -> [Entry] {
    var entries: [Entry] = []
    var seen: Set<FileID> = []
    for directory in directories where isOwn(directory) {
      for name in names(in: directory) ?? [] where name.hasSuffix(".rxtrace") {
        guard let entry = entry(directory + "/" + name, &seen) else { continue }
        entries.append(entry)
      }
    }
    return entries.sorted { left, right in
      let (leftRuns, rightRuns) = (left.status == .running, right.status == .running)
      if leftRuns != rightRuns { return leftRuns }
      let (leftStart, rightStart) = (left.header.start.realtime, right.header.start.realtime)
      return leftStart != rightStart ? leftStart > rightStart : left.path < right.path
    }
  }

  /// The path of the recording of the process with this number: that of the running process, or, if
  /// none is running, the latest recording of a process with this number that has ended.
  public static func path(
    forProcess process: Int32,
    in directories: [String] = candidates()
  ) -> String? {
    list(in: directories).first { $0.header.processID == process }?.path
  }

  /// The recordings that a process has mapped into its memory.
  ///
  /// With `file=` in `RXTRACE`, they may be in any directory.
  ///
  /// - Returns: The recordings that the process itself writes; none if this user may not inspect
  ///   the process.
  public static func entries(mappedBy process: Int32) -> [Entry] {
    guard let maps = SystemProcess.contents("/proc/\(process)/maps") else { return [] }
    var seen: Set<FileID> = []
    return maps.split(separator: "\n").compactMap { line in
      // The fields are addresses, permissions, offset, device and inode; the rest is the path of
      // the file.
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, fields[1].hasSuffix("s"),
        let entry = entry(String(fields[5].drop { $0 == " " }), &seen),
        entry.header.processID == process
      else { return nil }
      return entry
    }
  }

  // MARK: The file system

  /// The value of a variable of the environment; nil if it is not set.
  public static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private struct FileID: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private static func entry(_ path: String, _ seen: inout Set<FileID>) -> Entry? {
    var status = stat()
    guard stat(path, &status) == 0,
      seen.insert(FileID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))).inserted,
      let reader = try? TraceReader(path: path), let header = try? reader.header()
    else { return nil }
    let modified = UInt64(max(0, status.st_mtim.tv_sec)) &* 1_000_000_000
    return Entry(
      path: path,
      header: header,
      status: ProcessStatus(of: header),
      byteCount: Int(status.st_size),
      modified: modified &+ UInt64(max(0, status.st_mtim.tv_nsec))
    )
  }

  static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && (status.st_uid == geteuid() || geteuid() == 0)
  }

  /// The sorted names of everything in a directory; nil, with `errno`, if it cannot be opened.
  package static func names(in path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
      )
    }
    return names.sorted()
  }
}
