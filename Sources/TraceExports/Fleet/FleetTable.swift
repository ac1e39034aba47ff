/// The tables of a data warehouse that collects the recordings of many processes.
public enum FleetTable: String, CaseIterable, Sendable {
  /// A row for each recording.
  case recordings
  /// A row for each line of code of a recording.
  case sites
  /// A row for each finding of a recording.
  case findings
  /// A row for each mark that a program has set.
  case marks
  /// A row for each counter at each mark, and at the end of the recording.
  case counters
  /// Histograms of how long work waited and ran, by queue, with powers of two as buckets.
  case hopHistograms = "hop_histograms"

  /// The order in which the tables are written.
  ///
  /// `recordings` is last, so that a row of `recordings` shows that all other rows of the recording
  /// have been written.
  public static let inOrderOfDelivery: [FleetTable] = [
    .sites, .findings, .marks, .counters, .hopHistograms, .recordings,
  ]

  /// What a row represents.
  var help: String {
    switch self {
    case .recordings: "a recording; written last, when all other rows of it are there"
    case .sites: "a line of code of a recording, as it was at recorded_until"
    case .findings: "a finding of a recording, as it was at recorded_until"
    case .marks: "a mark that the program set with Trace.mark"
    case .counters: "a counter of a recording at a moment"
    case .hopHistograms:
      "how often work of a queue waited, or ran, for up to a power of two of nanoseconds"
    }
  }

  /// The columns that together identify a row, and by which rows are sorted.
  var key: [String] {
    switch self {
    case .recordings: ["service", "recording_id"]
    case .sites: ["service", "recording_id", "site"]
    case .findings: ["service", "recording_id", "fingerprint"]
    case .marks: ["service", "recording_id", "mark"]
    case .counters: ["service", "counter", "recording_id", "at"]
    case .hopHistograms: ["service", "recording_id", "queue", "measure", "bucket"]
    }
  }

  /// The name, type and meaning of each column, in order.
  public var columns: [(name: String, type: String, help: String)] {
    func described<Row>(_ columns: [FleetColumn<Row>]) -> [(String, String, String)] {
      columns.map { ($0.name, $0.type, $0.help) }
    }
    let own =
      switch self {
      case .recordings: described(FleetRecording.columns)
      case .sites: described(FleetSite.columns)
      case .findings: described(FleetFinding.columns)
      case .marks: described(FleetMark.columns)
      case .counters: described(FleetCounter.columns)
      case .hopHistograms: described(FleetHop.columns)
      }
    return described(FleetRecording.commonColumns) + own
  }

  /// The statements that create all tables in ClickHouse.
  ///
  /// `Documentation/Fleet/clickhouse.sql` contains this text.
  public static var statements: String {
    """
    -- The tables that `rxtop export fleet` writes; `rxtop export fleet --ddl` prints this file.
    --
    -- A row is known by the columns of ORDER BY. Where it arrives again, the one with the greatest revision stays, and of equal
    -- revisions the one that arrived last: what is loaded twice is there once. Until parts are merged, read with FINAL.
    -- Partitions are days on which recordings began, so that all revisions of a row are in one partition.
    -- Remove what is old with, for example: ALTER TABLE sites MODIFY TTL day + INTERVAL 90 DAY;

    """ + allCases.map(\.statement).joined(separator: "\n")
  }

  private var statement: String {
    let columns = columns.map { column in
      let help = column.help.replacing("'", with: "''")
      return "  `\(column.name)` \(column.type) COMMENT '\(help)'"
    }
    return """

      CREATE TABLE IF NOT EXISTS \(rawValue)
      (
      \(columns.joined(separator: ",\n"))
      )
      ENGINE = ReplacingMergeTree(revision)
      PARTITION BY day
      ORDER BY (\(key.joined(separator: ", ")))
      COMMENT '\(help)';
      """ + "\n"
  }
}
