import CSQLite

/// A new SQLite file that is being written.
final class Database {
  /// The value of a field.
  enum Value {
    case none
    case integer(Int64)
    case real(Double)
    case text(String)

    /// A number, clamped to the range of a 64-bit integer; none if it is unknown.
    static func number(_ value: (some BinaryInteger)?) -> Value {
      value.map { .integer(Int64(clamping: $0)) } ?? .none
    }

    static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .none }
  }

  private var handle: OpaquePointer?
  private let path: String

  /// Creates the file, or empties an existing one.
  init(path: String) throws(ExportError) {
    self.path = path
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw failure("cannot be made") }
    // Neither a journal nor syncing is needed: nothing reads the file before it is complete, and an
    // incomplete file is removed.
    try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
  }

  deinit { sqlite3_close(handle) }

  /// Commits the transaction, which writes the rest of the file.
  func finish() throws(ExportError) { try run("COMMIT") }

  /// Runs statements that return no rows.
  func run(_ statements: String) throws(ExportError) {
    guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw failure("cannot be written")
    }
  }

  /// Creates a table, and fills it.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The name and type of each column, such as `line INTEGER`.
  ///   - fill: Adds the rows, by calling the closure that it receives.
  /// - Throws: ``ExportError`` if the file cannot be written, and any error that `fill` throws.
  func table(
    _ name: String,
    _ columns: [String],
    _ fill: (_ add: ([Value]) throws -> Void) throws -> Void
  ) throws {
    try run("CREATE TABLE \(name) (\(columns.joined(separator: ", "))) STRICT")
    var statement: OpaquePointer?
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = "INSERT INTO \(name) VALUES (\(places))"
    guard sqlite3_prepare_v2(handle, insertion, -1, &statement, nil) == SQLITE_OK else {
      throw failure("cannot be written")
    }
    defer { sqlite3_finalize(statement) }
    try fill { values in
      for (index, value) in values.enumerated() {
        Self.bind(value, to: Int32(index + 1), statement)
      }
      guard sqlite3_step(statement) == SQLITE_DONE else { throw self.failure("cannot be written") }
      sqlite3_reset(statement)
    }
  }

  private static func bind(_ value: Value, to column: Int32, _ statement: OpaquePointer?) {
    switch value {
    case .none: sqlite3_bind_null(statement, column)
    case .integer(let number): sqlite3_bind_int64(statement, column, number)
    case .real(let number): sqlite3_bind_double(statement, column, number)
    case .text(let text):
      var text = text
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          _ = csqlite_bind_text(statement, column, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
    }
  }

  private func failure(_ what: String) -> ExportError {
    ExportError(
      "'\(path)' \(what) as a database (\(String(cString: sqlite3_errmsg(handle)))); choose a path "
        + "with enough free space, and such a folder for TMPDIR"
    )
  }
}
