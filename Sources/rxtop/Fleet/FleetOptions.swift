internal import ArgumentParser
internal import TraceModel

/// The options of `export fleet`.
struct FleetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "fleet: the database to insert into, as http://host:8123/database; a user and a password can be part of it or in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.",
      valueName: "url"
    )
  )
  var clickhouse: String?

  @Option(
    help: ArgumentHelp(
      "fleet: the service; unless given, OTEL_SERVICE_NAME of the process or of rxtop, or the program's name.",
      valueName: "name"
    )
  )
  var service: String?

  @Option(
    help: ArgumentHelp(
      "fleet: the host; unless given, host.name of OTEL_RESOURCE_ATTRIBUTES, or the name of this machine.",
      valueName: "name"
    )
  )
  var host: String?

  @Option(
    help: ArgumentHelp(
      "fleet: the version of the service; unless given, service.version of OTEL_RESOURCE_ATTRIBUTES.",
      valueName: "version"
    )
  )
  var serviceVersion: String?

  @Option(
    help: ArgumentHelp(
      "fleet: export again and again, as 60s, until SIGINT or SIGTERM; without targets, all traced processes.",
      valueName: "time"
    )
  )
  var every: String?

  @Option(
    help: ArgumentHelp(
      "fleet: a folder in which rows wait while they cannot be delivered.",
      valueName: "folder"
    )
  )
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "fleet: the size limit of the spool, as 256M; beyond it the oldest rows are dropped.",
      valueName: "size"
    )
  )
  var spoolLimit: String?

  @Option(
    help: ArgumentHelp("fleet: how long a request may take; 30s unless given.", valueName: "time")
  )
  var timeout: String?

  @Flag(help: "fleet: print the statements that create the tables in ClickHouse.")
  var ddl = false

  /// The names of the options that were given, such as `--every`.
  var given: [String] {
    [
      ("--clickhouse", clickhouse), ("--service", service), ("--host", host),
      ("--service-version", serviceVersion), ("--every", every), ("--spool", spool),
      ("--spool-limit", spoolLimit), ("--timeout", timeout), ("--ddl", ddl ? "" : nil),
    ].compactMap { name, value in value == nil ? nil : name }
  }

  func validate() throws {
    _ = try length(every, "--every")
    _ = try length(timeout, "--timeout")
    _ = try limit
    if clickhouse == nil,
      let name = ["--spool", "--spool-limit", "--timeout"].first(where: given.contains)
    {
      throw ValidationError("'\(name)' is about rows for a server; name one with --clickhouse")
    }
    if spool == nil, spoolLimit != nil {
      throw ValidationError("'--spool-limit' needs a spool; name a folder with --spool")
    }
  }

  /// The time from the beginning of a round to the beginning of the next; nil to export once.
  var interval: Duration? { get throws { try length(every, "--every") } }

  /// The maximum duration of a request.
  var requestTimeout: Duration { get throws { try length(timeout, "--timeout") ?? .seconds(30) } }

  private func length(_ text: String?, _ option: String) throws -> Duration? {
    guard let text else { return nil }
    guard let length = Quantity.length(text), length >= .milliseconds(1),
      length <= .seconds(86_400 * 365)
    else {
      throw ValidationError("'\(option) \(text)' is not a duration; use 60s, 5min or the like")
    }
    return length
  }

  /// The maximum number of bytes in the spool.
  var limit: Int {
    get throws {
      guard let spoolLimit else { return 256 << 20 }
      let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
      let shift = spoolLimit.last.flatMap { shifts[$0] }
      guard let number = Int(shift == nil ? spoolLimit[...] : spoolLimit.dropLast()), number > 0,
        number <= Int.max >> (shift ?? 0)
      else {
        throw ValidationError(
          "'--spool-limit \(spoolLimit)' is not a size; use 64M, 1G or the like"
        )
      }
      return number << (shift ?? 0)
    }
  }
}
