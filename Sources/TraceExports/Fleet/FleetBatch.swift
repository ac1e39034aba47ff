public import TraceReading
import TraceFindings
import TraceModel

/// Rows for a warehouse, as lines of JSON, by table.
public struct FleetBatch: Sendable {
  private var lines: [FleetTable: [UInt8]] = [:]
  private var counts: [FleetTable: Int] = [:]

  /// No rows.
  public init() {}

  /// Rows of all tables.
  public var rowCount: Int { counts.values.reduce(0, +) }
  /// Recordings that it has all rows of.
  public var recordingCount: Int { counts[.recordings] ?? 0 }
  /// Bytes of all lines.
  public var byteCount: Int { lines.values.reduce(0) { $0 + $1.count } }

  /// The lines of a table; each is whole.
  public func lines(of table: FleetTable) -> [UInt8] { lines[table] ?? [] }

  /// Adds the rows of a recording.
  ///
  /// The same recording gives the same rows whenever and wherever it is exported, unless its program runs.
  ///
  /// - Parameters:
  ///   - snapshot: The recording.
  ///   - labels: Whose it is.
  ///   - path: Where the recording is.
  ///   - version: That of the tool.
  /// - Complexity: O(records); functions are looked up where findings name callers.
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

  /// Cuts it into what is sent at once.
  ///
  /// - Parameter limit: The most bytes of one, unless a single line is longer.
  /// - Returns: Posts in the order in which they are sent: the rows of `recordings` last.
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

/// Rows of one table that are sent at once.
public struct FleetPost: Sendable, Equatable {
  /// Whose rows.
  public let table: FleetTable
  /// Lines of JSON.
  public let body: [UInt8]

  /// Lines of a table.
  public init(table: FleetTable, body: [UInt8]) { (self.table, self.body) = (table, body) }

  /// How many there are.
  public var rowCount: Int { body.count { $0 == UInt8(ascii: "\n") } }

  /// The same whenever the same rows are sent to the table, and another for others: servers know by it what they have.
  ///
  /// It is made of the table and of all that stands in the rows, identifiers and revisions of the recordings among them.
  public var token: String {
    "\(table.rawValue)-\(FleetRecording.hexadecimal(Array(SHA256.hash(body).prefix(16))))"
  }
}
