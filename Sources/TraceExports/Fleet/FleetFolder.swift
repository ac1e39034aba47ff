import Glibc
import TraceModel

/// A folder with a file of JSON lines for each table.
///
/// The files get their final names only when they are complete.
public final class FleetFolder {
  private let path: String
  private var files: [FleetTable: Int32] = [:]

  /// Opens the files for writing, and creates the folder if it does not exist.
  ///
  /// - Parameter path: The folder; it must not contain any of the files yet.
  /// - Throws: ``ExportError`` if the folder cannot be created or written to, or already contains
  ///   one of the files.
  public init(_ path: String) throws(ExportError) {
    self.path = path
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Self.failure("cannot make the folder '\(displayName(path))'", "name a folder elsewhere")
    }
    for table in FleetTable.allCases where access(file(table), F_OK) == 0 {
      throw ExportError(
        "'\(displayName(file(table)))' exists already; name another folder, so that nothing is lost"
      )
    }
    for table in FleetTable.allCases {
      let descriptor = open(partial(table), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw Self.failure(
          "cannot write into '\(displayName(path))'",
          "name a folder that you may write to"
        )
      }
      files[table] = descriptor
    }
  }

  deinit {
    for (table, descriptor) in files {
      close(descriptor)
      unlink(partial(table))
    }
  }

  /// The name of a folder for a round of exports, such as `20261128T043815.123Z`; `time` is when
  /// the round begins, in nanoseconds since 1970.
  public static func name(ofRoundAt time: UInt64) -> String { FleetTime.stamp(time) }

  private func file(_ table: FleetTable) -> String { "\(path)/\(table.rawValue).ndjson" }
  private func partial(_ table: FleetTable) -> String { "\(file(table)).\(getpid()).partial" }

  /// Adds rows.
  ///
  /// - Throws: ``ExportError`` if they cannot be written, for example because the disk is full.
  public func add(_ batch: FleetBatch) throws(ExportError) {
    for table in FleetTable.allCases {
      try Self.write(batch.lines(of: table), to: files[table] ?? -1, "'\(displayName(path))'")
    }
  }

  /// Gives the files their final names; the file of `recordings` gets its name last.
  ///
  /// - Throws: ``ExportError`` if a file cannot be synced or renamed; none of the files remains
  ///   then, so that the export can be repeated.
  public func finish() throws(ExportError) {
    var finished: [FleetTable] = []
    for table in FleetTable.inOrderOfDelivery {
      guard let descriptor = files[table] else { continue }
      guard fsync(descriptor) == 0, giveName(table) else {
        let error = Self.failure(
          "cannot write '\(displayName(file(table)))'",
          "check the free space and the permissions there"
        )
        for table in finished { unlink(file(table)) }
        throw error
      }
      close(descriptor)
      files[table] = nil
      finished.append(table)
    }
  }

  /// Gives a file its final name; returns false, with the reason in `errno`, if that fails, for
  /// example because another process has made a file of that name meanwhile.
  private func giveName(_ table: FleetTable) -> Bool {
    if link(partial(table), file(table)) == 0 {
      unlink(partial(table))
      return true
    }
    // Some file systems give a file only one name.
    guard errno != EEXIST else { return false }
    guard access(file(table), F_OK) != 0 else {
      errno = EEXIST
      return false
    }
    return rename(partial(table), file(table)) == 0
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, _ place: String) throws(ExportError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw failure(
          "cannot write into \(place)",
          "check the free space and the permissions there"
        )
      }
      rest = rest.dropFirst(count)
    }
  }

  static func failure(_ what: String, _ remedy: String) -> ExportError {
    ExportError("\(what): \(String(cString: strerror(errno))); \(remedy)")
  }
}
