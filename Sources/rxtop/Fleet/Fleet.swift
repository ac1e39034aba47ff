internal import Glibc
internal import InspectorUI
internal import TraceExports
internal import TraceModel
internal import TraceReading

/// Runs `rxtop export fleet`, which exports rows about many recordings, once or in rounds.
final class Fleet {
  private let options: FleetOptions
  private let targets: [String]
  private let output: String?
  private let delivery: FleetDelivery?
  private var folder: FleetFolder?
  private var recordings = 0
  private var rows = 0
  private var unreadable = 0
  /// The sources that the next round exports, by path: recordings of programs that were running at
  /// the last export, and recordings whose rows are not delivered yet.
  private var known: [String: FleetSource] = [:]

  /// How long to wait before the rows in the spool, the folder of undelivered rows, are sent again
  /// (`backoff`), and the time of the next attempt (`retry`).
  private var backoff = Duration.seconds(1)
  private var retry: ContinuousClock.Instant?

  /// The approximate maximum number of bytes in a batch.
  private static let batchLimit = 8 << 20

  /// - Throws: `Failure` or `ExportError` if an option is missing or wrong, or the spool cannot be
  ///   used.
  init(_ options: FleetOptions, _ targets: [String], output: String?) throws {
    (self.options, self.targets, self.output) = (options, targets, output)
    guard output != nil || options.clickhouse != nil else {
      throw Failure(
        .usage,
        "name where the rows go: a folder with -o, a database with --clickhouse, or both"
      )
    }
    guard !targets.isEmpty || options.every != nil else {
      throw Failure(
        .usage,
        "name recordings, folders with recordings, or processes; with --every none is needed: it exports all that run"
      )
    }
    delivery = try options.clickhouse.map { url in
      let server = try ClickHouse(url, timeout: options.requestTimeout)
      guard let spool = options.spool else { return FleetDelivery(server) }
      return FleetDelivery(server, spool: try FleetSpool(spool, limit: options.limit), at: spool)
    }
  }

  func run() throws {
    guard let interval = try options.interval else { return try runOnce() }
    try run(every: interval)
  }

  // MARK: Once

  private func runOnce() throws {
    let paths = try FleetSource.paths(targets)
    if let output { folder = try FleetFolder(output) }
    var batch = FleetBatch()
    for path in paths {
      attempt(path) { _ = try FleetSource(path, options).add(to: &batch, isRepeated: false) }
      if batch.byteCount > Self.batchLimit { _ = try writeAndSend(&batch, shouldRetry: true) }
    }
    _ = try writeAndSend(&batch, shouldRetry: true)
    try folder?.finish()
    delivery?.drain(shouldRetry: false)
    printSummary()
    if let summary = delivery?.undeliveredSummary(folder: output) {
      throw Failure(.undelivered, summary)
    }
    if unreadable > 0 {
      throw Failure(
        .unreadable,
        "\(unreadable) of \(paths.count) recordings cannot be read; the others are exported"
      )
    }
  }

  private func printSummary() {
    let what = "\(FleetDelivery.rows(rows)) of \(recordings) recording\(recordings == 1 ? "" : "s")"
    if let output { Output.write("wrote \(what) to '\(displayName(output))'\n") }
    if let delivery, delivery.deliveredRows > 0 {
      Output.write("delivered \(FleetDelivery.rows(delivery.deliveredRows))\n")
    }
  }

  /// Runs a closure for one recording; prints an error that it throws, so that the other recordings
  /// are still exported.
  private func attempt(_ path: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      unreadable += 1
      let reason = (error as? Failure)?.message ?? "\(error)"
      Output.toStandardError(CommandError.line(reason))
    }
  }

  /// Writes and sends a batch, and empties it.
  ///
  /// - Returns: Whether its rows were delivered or stored in a spool; also true if there is no
  ///   server to deliver to.
  private func writeAndSend(_ batch: inout FleetBatch, shouldRetry: Bool) throws -> Bool {
    defer { batch = FleetBatch() }
    guard batch.rowCount > 0 else { return true }
    recordings += batch.recordingCount
    rows += batch.rowCount
    try folder?.add(batch)
    return delivery?.deliver(batch, shouldRetry: shouldRetry) ?? true
  }

  // MARK: In rounds

  /// Exports the recording of each running program in each round, and once more after the program
  /// has ended; stops when the process receives a signal or all named programs have ended.
  private func run(every interval: Duration) throws {
    StopSignals.block()
    for path in try FleetSource.paths(targets) { known[path] = try FleetSource(path, options) }
    if let output, !Files.isFolder(output), mkdir(output, 0o700) != 0 {
      throw Failure(
        .unreadable,
        "cannot make the folder '\(displayName(output))': \(String(cString: strerror(errno))); name one elsewhere with -o"
      )
    }
    while !StopSignals.arePending {
      let next = ContinuousClock.now + interval
      try round()
      if !targets.isEmpty, known.isEmpty { break }
      wait(until: next)
    }
    printSummary()
    if let summary = delivery?.undeliveredSummary(folder: output) {
      throw Failure(.undelivered, summary)
    }
  }

  /// Waits for the next round.
  ///
  /// While it waits, it sends the rows in the spool again, at intervals that grow as long as
  /// sending fails.
  private func wait(until next: ContinuousClock.Instant) {
    while !StopSignals.arePending {
      var wake = next
      if let delivery, delivery.waitingRows > 0 {
        let time = retry ?? .now + backoff
        retry = time
        if time <= .now {
          reportingTransitions { delivery.drain(shouldRetry: false) }
          backoff = delivery.reason == nil ? .seconds(1) : min(backoff * 2, .seconds(60))
          retry = nil
          continue
        }
        wake = min(next, time)
      }
      if next <= .now { return }
      StopSignals.sleep(wake - .now)
    }
  }

  private func round() throws {
    delivery?.beginRound()
    if targets.isEmpty {
      for entry in TraceDirectory.list() where entry.status == .running && known[entry.path] == nil
      {
        attempt(entry.path) { known[entry.path] = try FleetSource(entry.path, options) }
      }
    }
    if let output, !known.isEmpty {
      folder = try FleetFolder("\(output)/\(FleetFolder.name(ofRoundAt: Output.now))")
    }
    var batch = FleetBatch()
    // The recordings in the batch whose programs have ended. Once their rows are delivered or in
    // the spool, they are not exported again.
    var ended: [String] = []
    func flush() throws {
      var isSettled = true
      try reportingTransitions { isSettled = try writeAndSend(&batch, shouldRetry: false) }
      if isSettled { for path in ended { known[path] = nil } }
      ended = []
    }
    for (path, source) in known.sorted(by: { $0.key < $1.key }) where !StopSignals.arePending {
      let before = unreadable
      attempt(path) {
        if try !source.add(to: &batch, isRepeated: true) { ended.append(path) }
      }
      // If recordings are named, one that can no longer be read is not tried again.
      if unreadable > before { known[path] = nil }
      if batch.byteCount > Self.batchLimit { try flush() }
    }
    try flush()
    try folder?.finish()
    folder = nil
  }

  /// Runs a closure, and prints a message if it makes deliveries begin to fail or succeed again.
  private func reportingTransitions(_ body: () throws -> Void) rethrows {
    let before = delivery?.reason
    try body()
    guard let delivery, !StopSignals.arePending else { return }
    if before == nil, let reason = delivery.reason {
      let place =
        delivery.hasSpool ? "rows wait in the spool" : "rows are made again from the recordings"
      Output.toStandardError("rxtop: \(reason); \(place), and delivery is tried again\n")
    } else if before != nil, delivery.reason == nil {
      Output.toStandardError("rxtop: rows are delivered again\n")
    }
  }
}
