/// Reads a trace file, while it is being written, after a crash, or years later.
///
/// It reads with `pread`, never through a mapping, and trusts no length, number or offset in the
/// file. Damage is reported in ``TraceSnapshot/problems``, and everything else is read. A reader
/// may be used by several threads at once. The format is described in the article of module
/// `TraceFormat`.
public final class TraceReader: Sendable {
  /// The path of the file.
  public var path: String { file.path }

  let file: TraceFile
  /// The maximum number of records that a snapshot keeps; the oldest are dropped first.
  ///
  /// The records of a ring (a recording that overwrites its oldest records) have to be copied while
  /// it is being written, so a snapshot of it never keeps much more than 64 MiB of them.
  public let recordLimit: Int

  /// Opens the trace at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - recordLimit: The maximum number of records that a snapshot keeps; by default there is no
  ///     limit.
  /// - Throws: ``/TraceFormat/TraceError`` if the file cannot be opened, is not a trace, or has
  ///   another major version.
  public init(path: String, recordLimit: Int = .max) throws(TraceError) {
    file = try TraceFile(path: path)
    self.recordLimit = max(0, recordLimit)
    _ = try header()
  }

  /// The header of the file as it is now.
  public func header() throws(TraceError) -> TraceHeader {
    var log = ProblemLog(path: path)
    var header = try header(&log)
    resolveNames(in: &header, strings: nil, &log)
    return header
  }

  /// The segments of the ring and of the tail that are in use, in ascending order of epochs.
  ///
  /// A segment holds 64 KiB of records. The tail is the part of a stream's file to which full
  /// segments are appended. Epochs number the segments in the order in which they were assigned.
  public func segments() throws(TraceError) -> [TraceSegment] {
    var log = ProblemLog(path: path)
    return segments(in: try header(&log), &log)
  }

  /// The records of one segment in their order, or nil if it was recycled since `segment` was read.
  public func records(of segment: TraceSegment) -> [TraceRecord]? {
    var log = ProblemLog(path: path)
    guard let header = try? header(&log) else { return nil }
    let reader = SegmentReader(file, header, segment.isInTail ? .tail : .segments)
    guard let now = reader.header(at: segment.index, &log), now.epoch == segment.epoch else {
      return nil
    }
    return reader.records(of: now)
  }

  /// The record with a number; nil if its segment was recycled or contains no such record.
  ///
  /// - Complexity: Reads the headers of all segments and one segment.
  public func record(_ number: UInt64) -> TraceRecord? {
    let epoch = Packing.position(ofRecord: number).epoch
    guard let segment = try? segments().first(where: { $0.epoch == epoch }) else { return nil }
    return records(of: segment)?.first { $0.number == number }
  }

  /// The current contents of the file.
  ///
  /// - Parameter earlier: A snapshot of the same file. Its records are kept, and only what was
  ///   written since is read. If `earlier` is no longer needed, ``update(_:)`` avoids copying it.
  /// - Returns: The records of `earlier` and those written since, and the tables as they are now.
  /// - Throws: ``/TraceFormat/TraceError`` if the header can no longer be read.
  public func snapshot(since earlier: TraceSnapshot? = nil) throws(TraceError) -> TraceSnapshot {
    var snapshot = earlier ?? TraceSnapshot()
    try update(&snapshot)
    return snapshot
  }

  /// Updates a snapshot of this file in place: tables and slots are read again, and new records are
  /// added.
  ///
  /// On an error the snapshot stays as it was.
  public func update(_ snapshot: inout TraceSnapshot) throws(TraceError) {
    var log = ProblemLog(path: path, continuing: snapshot.problems, firstLoss: snapshot.firstLoss)
    let before = try header(&log)
    snapshot.path = path
    snapshot.header = before
    let horizon = horizon(before)
    let segments = segments(in: before, since: snapshot.segments, &log)
    readRecords(of: segments, until: horizon, into: &snapshot, &log)
    readTables(into: &snapshot, &log)
    // The header is read again, because only then does it show what was recycled during the
    // reading.
    if let after = try? header(&log) {
      let lastEpoch = before.lastEpoch
      snapshot.header = after
      findExactWindow(in: &snapshot, lastEpoch: lastEpoch, &log)
      resolveNames(in: &snapshot.header, strings: snapshot.strings, &log)
    }
    snapshot.processStatus = ProcessStatus(of: snapshot.header)
    snapshot.nanosecondsPerTick = nanosecondsPerTick(of: snapshot)
    snapshot.problems = log.problems
    snapshot.firstLoss = log.firstLoss
  }

  func header(_ log: inout ProblemLog) throws(TraceError) -> TraceHeader {
    var decoder = HeaderDecoder(file: file, log: log)
    defer { log = decoder.log }
    return try decoder.decode()
  }
}
