public import TraceReading
import TraceFindings
import TraceModel

/// Rows for the tables of a data warehouse, as lines of JSON.
public struct FleetBatch: Sendable {
  private var lines: [FleetTable: [UInt8]] = [:]
  private var counts: [FleetTable: Int] = [:]

  /// Creates a batch without rows.
  public init() {}

  /// The number of rows of all tables.
  public var rowCount: Int { counts.values.reduce(0, +) }
  /// The number of recordings whose rows are all in the batch.
  public var recordingCount: Int { counts[.recordings] ?? 0 }
  /// The number of bytes of all lines.
  public var byteCount: Int { lines.values.reduce(0) { $0 + $1.count } }

  /// The lines of a table, each ended by a newline.
  public func lines(of table: FleetTable) -> [UInt8] { lines[table] ?? [] }

  /// Adds the rows of a recording.
  ///
  /// Once its program has ended, a recording gives the same rows each time that it is exported on
  /// the same machine with the same arguments.
  ///
  /// - Parameters:
  ///   - snapshot: The recording.
  ///   - labels: The service, machine and version of the process that recorded.
  ///   - path: The path of the recording.
  ///   - version: The version of the tool.
  /// - Complexity: O(records), plus the time to look up the functions of the callers that findings
  ///   name.
  public mutating func add(
    _ snapshot: TraceSnapshot,
    _ labels: FleetLabels,
    path: String,
    version: String
  ) {
    let inspection = Inspection(snapshot: snapshot, at: snapshot.present)
    let recording = FleetRecording(snapshot, inspection, labels, path: path, version: version)
    add(.recordings, FleetRecording.columns, [recording], of: recording)
    add(.sites, FleetSite.columns, FleetSite.rows(snapshot, inspection, recording), of: recording)
    add(.findings, FleetFinding.columns, FleetFinding.rows(inspection), of: recording)
    add(.marks, FleetMark.columns, FleetMark.rows(snapshot), of: recording)
    add(.counters, FleetCounter.columns, FleetCounter.rows(snapshot, recording), of: recording)
    add(.hopHistograms, FleetHop.columns, FleetHop.rows(snapshot), of: recording)
  }

  private mutating func add<Row>(
    _ table: FleetTable,
    _ columns: [FleetColumn<Row>],
    _ rows: [Row],
    of recording: FleetRecording
  ) {
    for row in rows {
      var json = JSONWriter(linesTo: 0)
      json.object { json in
        for column in FleetRecording.commonColumns { column.put(&json, recording) }
        for column in columns { column.put(&json, row) }
      }
      lines[table, default: []] += json.text.utf8
      lines[table, default: []].append(UInt8(ascii: "\n"))
    }
    counts[table, default: 0] += rows.count
  }

  /// Divides the batch into posts, each of which is sent in one request.
  ///
  /// - Parameter limit: The maximum number of bytes of a post, unless a single line is longer.
  /// - Returns: The posts in the order in which they must be sent: posts with rows of `recordings`
  ///   are last.
  public func posts(limit: Int = 4 << 20) -> [FleetPost] {
    FleetTable.inOrderOfDelivery.flatMap { table -> [FleetPost] in
      var posts: [FleetPost] = []
      var rest = lines(of: table)[...]
      while !rest.isEmpty {
        var piece = rest.prefix(limit)
        if piece.count < rest.count {
          let newline = UInt8(ascii: "\n")
          let end =
            piece.lastIndex(of: newline) ?? rest.firstIndex(of: newline) ?? rest.endIndex - 1
          piece = rest[...end]
        }
        posts.append(FleetPost(table: table, body: Array(piece)))
        rest = rest[piece.endIndex...]
      }
      return posts
    }
  }
}

/// Rows of one table that are sent in one request.
public struct FleetPost: Sendable, Equatable {
  /// The table to which the rows belong.
  public let table: FleetTable
  /// Lines of JSON.
  public let body: [UInt8]

  /// Creates a post from lines of JSON.
  public init(table: FleetTable, body: [UInt8]) { (self.table, self.body) = (table, body) }

  /// The number of rows.
  public var rowCount: Int { body.count { $0 == UInt8(ascii: "\n") } }

  /// A token by which a server recognises rows that it already has: equal whenever the same rows
  /// are sent to the same table, and different for any others.
  ///
  /// The token is the name of the table, followed by a hash of the rows, which contain the
  /// identifiers and revisions of their recordings.
  public var token: String {
    "\(table.rawValue)-\(FleetRecording.hexadecimal(Array(SHA256.hash(body).prefix(16))))"
  }
}
