import Glibc
import TraceModel
import TraceReading

/// A folder that keeps rows until a server accepts them, even if the exporting program ends first.
///
/// Each file is one post. The posts of a batch form a group, which is sent in order: if the server
/// does not accept a post, the later posts of its group wait, so that a row of `recordings` is only
/// sent after all other rows of its recording. Only one program at a time may use the folder.
public final class FleetSpool {
  private let path: String
  private let limit: Int
  private let lock: Int32
  private var lastGroup: UInt64
  /// The number of rows that were dropped because the folder was full.
  public private(set) var droppedRows = 0

  /// Opens a spool, and creates its folder if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - limit: The maximum number of bytes that remain in it after ``enforceLimit()``.
  /// - Throws: ``ExportError`` if the folder cannot be created or written to, or another program
  ///   uses it.
  public init(_ path: String, limit: Int) throws(ExportError) {
    (self.path, self.limit) = (path, limit)
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw FleetFolder.failure(
        "cannot make the spool '\(displayName(path))'",
        "name a folder elsewhere"
      )
    }
    lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    lastGroup = 0
    guard lock >= 0 else {
      throw FleetFolder.failure(
        "cannot write into the spool '\(displayName(path))'",
        "name a folder that you may write to"
      )
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw ExportError(
        "another rxtop uses the spool '\(displayName(path))'; name another spool, or wait until "
          + "that rxtop has ended"
      )
    }
    // A program that is killed while it writes a post leaves a partial file.
    for name in names where name.hasSuffix(".partial") { unlink("\(path)/\(name)") }
    lastGroup = entries.last?.group ?? 0
  }

  deinit { close(lock) }

  /// A post that is still to be sent.
  struct Entry {
    let name: String
    let group: UInt64
    let table: FleetTable
    let rows: Int

    /// Parses a file name such as `00000000000000000017-0003-sites-67.ndjson`: the group, the
    /// place of the post in the group, the table, and the number of rows.
    init?(_ name: String) {
      let parts = name.split(separator: "-")
      guard name.hasSuffix(".ndjson"), parts.count == 4, let group = UInt64(parts[0]),
        let table = FleetTable(rawValue: String(parts[2])), let rows = Int(parts[3].dropLast(7))
      else { return nil }
      (self.name, self.group, self.table, self.rows) = (name, group, table, rows)
    }
  }

  /// The number of rows that are still to be sent.
  public var rowCount: Int { entries.reduce(0) { $0 + $1.rows } }

  /// The number of bytes that are still to be sent.
  public var byteCount: Int { entries.reduce(0) { $0 + size($1) } }

  /// The posts that are still to be sent, the oldest first.
  private var entries: [Entry] { names.compactMap(Entry.init) }

  private var names: [String] { TraceDirectory.names(in: path) ?? [] }

  private func size(_ entry: Entry) -> Int {
    var status = stat()
    return stat("\(path)/\(entry.name)", &status) == 0 ? Int(status.st_size) : 0
  }

  // MARK: Writing

  /// Adds the posts of a batch as a group.
  ///
  /// - Throws: ``ExportError`` if a post cannot be written, for example because the disk is full;
  ///   nothing of the batch is kept then.
  public func keep(_ posts: [FleetPost]) throws(ExportError) {
    lastGroup += 1
    var kept: [String] = []
    do throws(ExportError) {
      for (place, post) in posts.enumerated() {
        let group = Self.padded(lastGroup, 20)
        let name =
          "\(group)-\(Self.padded(place, 4))-\(post.table.rawValue)-\(post.rowCount).ndjson"
        try write(post.body, as: name)
        kept.append(name)
      }
    } catch {
      for name in kept { unlink("\(path)/\(name)") }
      throw error
    }
  }

  private func write(_ body: [UInt8], as name: String) throws(ExportError) {
    let partial = "\(path)/\(name).partial"
    let place = "the spool '\(displayName(path))'"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FleetFolder.failure(
        "cannot write into \(place)",
        "check the free space and the permissions there"
      )
    }
    defer {
      close(descriptor)
      unlink(partial)
    }
    try FleetFolder.write(body, to: descriptor, place)
    guard fsync(descriptor) == 0, rename(partial, "\(path)/\(name)") == 0 else {
      throw FleetFolder.failure(
        "cannot write into \(place)",
        "check the free space and the permissions there"
      )
    }
  }

  private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Drops the oldest groups until the remaining posts are within the limit.
  ///
  /// - Returns: The number of rows that were dropped.
  public func enforceLimit() -> Int {
    var entries = entries[...]
    var bytes = byteCount
    var dropped = 0
    while bytes > limit, let group = entries.first?.group {
      while let entry = entries.first, entry.group == group {
        bytes -= size(entry)
        dropped += entry.rows
        unlink("\(path)/\(entry.name)")
        entries.removeFirst()
      }
    }
    droppedRows += dropped
    return dropped
  }

  // MARK: Sending

  /// Sends the posts, the oldest first.
  ///
  /// - Parameter send: Sends a post and returns the result.
  /// - Returns: The number of rows that were delivered, and the last failure, if there was one.
  public func deliver(_ send: (FleetPost) -> FleetAnswer) -> (rows: Int, failure: FleetAnswer?) {
    var delivered = 0
    var failure: FleetAnswer?
    var blocked: UInt64?
    for entry in entries where entry.group != blocked {
      let answer =
        contents(entry).map { send(FleetPost(table: entry.table, body: $0)) }
        ?? .refused("'\(displayName("\(path)/\(entry.name)"))' cannot be read")
      guard case .delivered = answer else {
        failure = answer
        // If the server cannot be reached, sending the other posts would fail as well.
        guard case .refused = answer else { break }
        blocked = entry.group
        continue
      }
      unlink("\(path)/\(entry.name)")
      delivered += entry.rows
    }
    return (delivered, failure)
  }

  private func contents(_ entry: Entry) -> [UInt8]? {
    let descriptor = open("\(path)/\(entry.name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
  }
}

/// The result of sending rows.
public enum FleetAnswer: Sendable, Equatable {
  /// The server has accepted the rows.
  case delivered
  /// The server rejects these rows, but may accept others. The associated value is a sentence that
  /// says why.
  case refused(String)
  /// The server cannot be reached, or says that it cannot accept any rows now.
  case unreachable(String)

  /// Why the rows were not delivered; nil if they were.
  public var reason: String? {
    switch self {
    case .delivered: nil
    case .refused(let reason), .unreachable(let reason): reason
    }
  }
}
