import Glibc

/// The declaration of a column of a ``FleetTable``, from which the statements that create the
/// table, the rows and the documentation are derived.
struct FleetColumn<Row>: Sendable {
  /// The name of the column in the warehouse, and its key in NDJSON.
  let name: String
  /// The type of the column in ClickHouse.
  let type: String
  /// The meaning of the column; the text begins in lower case and has no full stop.
  let help: String
  /// Writes the key and the value of a row.
  let put: @Sendable (inout JSONWriter, Row) -> Void

  /// Text that is the same in many rows.
  static func name(
    _ name: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> String
  ) -> Self {
    Self(name: name, type: "LowCardinality(String)", help: help) { $0.field(name, value($1)) }
  }

  /// Text that differs from row to row.
  static func text(
    _ name: String,
    _ help: String,
    type: String = "String",
    _ value: @escaping @Sendable (Row) -> String
  ) -> Self {
    Self(name: name, type: type, help: help) { $0.field(name, value($1)) }
  }

  static func texts(
    _ name: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> [String]
  ) -> Self {
    Self(name: name, type: "Array(String)", help: help) { $0.field(name, value($1)) }
  }

  /// A number that every row has.
  static func number<Number: FixedWidthInteger & SendableMetatype>(
    _ name: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> Number
  ) -> Self {
    Self(name: name, type: "\(Number.self)", help: help) { $0.field(name, value($1)) }
  }

  /// A count that may be unknown for some rows.
  static func known(
    _ name: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> UInt64?
  ) -> Self {
    Self(name: name, type: "Nullable(UInt64)", help: help) { $0.field(name, value($1)) }
  }

  static func real(_ name: String, _ help: String, _ value: @escaping @Sendable (Row) -> Double)
    -> Self
  {
    Self(name: name, type: "Float64", help: help) { $0.field(name, value($1)) }
  }

  static func flag(_ name: String, _ help: String, _ value: @escaping @Sendable (Row) -> Bool)
    -> Self
  {
    Self(name: name, type: "Bool", help: help) { $0.field(name, value($1)) }
  }

  /// A moment, which `value` returns in nanoseconds since 1970.
  static func moment(_ name: String, _ help: String, _ value: @escaping @Sendable (Row) -> UInt64)
    -> Self
  {
    Self(name: name, type: "DateTime64(6, 'UTC')", help: help) { json, row in
      json.field(name, FleetTime.text(value(row)))
    }
  }

  /// A moment that may be unknown for some rows.
  static func knownMoment(
    _ name: String,
    _ help: String,
    _ value: @escaping @Sendable (Row) -> UInt64?
  ) -> Self {
    Self(name: name, type: "Nullable(DateTime64(6, 'UTC'))", help: help) { json, row in
      json.field(name, value(row).map(FleetTime.text))
    }
  }
}

/// Formats moments for ClickHouse and DuckDB.
enum FleetTime {
  /// The last second of ClickHouse's type `Date`.
  ///
  /// Later moments, which the header of a damaged recording may contain, are clamped to it.
  private static let lastSecond: UInt64 = 5_662_310_399

  /// A moment in UTC, such as `2026-11-28 04:38:15.123456`.
  static func text(_ nanoseconds: UInt64) -> String {
    let isBeyond = nanoseconds / 1_000_000_000 > lastSecond
    let fraction = isBeyond ? 999_999 : nanoseconds % 1_000_000_000 / 1000
    return "\(text(nanoseconds, "%Y-%m-%d %H:%M:%S")).\(String(1_000_000 + fraction).dropFirst())"
  }

  /// The day of a moment in UTC, such as `2026-11-28`.
  static func day(_ nanoseconds: UInt64) -> String { text(nanoseconds, "%Y-%m-%d") }

  /// A moment for the name of a folder, such as `20261128T043815.123Z`.
  static func stamp(_ nanoseconds: UInt64) -> String {
    let fraction = String(1000 + nanoseconds % 1_000_000_000 / 1_000_000).dropFirst()
    return "\(text(nanoseconds, "%Y%m%dT%H%M%S")).\(fraction)Z"
  }

  private static func text(_ nanoseconds: UInt64, _ format: String) -> String {
    var seconds = time_t(min(nanoseconds / 1_000_000_000, lastSecond))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var bytes = [CChar](repeating: 0, count: 32)
    let count = strftime(&bytes, bytes.count, format, &parts)
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
