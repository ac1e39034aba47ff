internal import InspectorUI
internal import TraceExports
internal import TraceModel

/// Delivers rows to a server, through a spool if there is one: a folder in which rows wait until
/// the server has accepted them.
final class FleetDelivery {
  private let server: ClickHouse
  private let spool: FleetSpool?
  private let spoolPath: String?
  /// The number of rows that the server has accepted.
  private(set) var deliveredRows = 0
  /// The number of rows that the server has not accepted and that are not in the spool.
  private(set) var undeliveredRows = 0
  /// The reason why the latest rows could not be delivered; nil if they were delivered.
  private(set) var reason: String?

  /// The pauses before the second attempt and before the third.
  private static let pauses: [Duration] = [.seconds(1), .seconds(2)]

  init(_ server: ClickHouse, spool: FleetSpool? = nil, at path: String? = nil) {
    (self.server, self.spool, spoolPath) = (server, spool, path)
  }

  /// The number of rows in the spool.
  var waitingRows: Int { spool?.rowCount ?? 0 }
  /// Whether there is a spool.
  var hasSpool: Bool { spoolPath != nil }

  /// Begins a round, in which rows that the previous round did not deliver are exported again.
  func beginRound() { undeliveredRows = 0 }

  /// Sends a batch.
  ///
  /// With a spool, the rows are stored there before they are sent, so that they are not lost if the
  /// program is killed.
  ///
  /// - Parameters:
  ///   - batch: The rows.
  ///   - shouldRetry: Whether to try again after a pause if the server cannot be reached.
  /// - Returns: Whether the rows were delivered or are in the spool, so that they need not be
  ///   exported again.
  func deliver(_ batch: FleetBatch, shouldRetry: Bool) -> Bool {
    let posts = batch.posts()
    do throws(ExportError) {
      if let spool {
        try spool.keep(posts)
        // If the latest delivery failed, the rows are sent later: after a pause, or at the end.
        if reason == nil { drain(shouldRetry: shouldRetry) }
        enforceLimit()
        return true
      }
    } catch {
      Output.toStandardError(
        CommandError.line("\(error.description); the rows are sent without the spool")
      )
    }
    return sendDirectly(posts, shouldRetry: shouldRetry)
  }

  private func sendDirectly(_ posts: [FleetPost], shouldRetry: Bool) -> Bool {
    for (place, post) in posts.enumerated() {
      let answer =
        reason == nil || !shouldRetry
        ? send(post, shouldRetry: shouldRetry) : .unreachable(reason ?? "")
      if let failure = answer.reason {
        reason = failure
        undeliveredRows += posts[place...].reduce(0) { $0 + $1.rowCount }
        return false
      }
      deliveredRows += post.rowCount
      reason = nil
    }
    return true
  }

  private func send(_ post: FleetPost, shouldRetry: Bool) -> FleetAnswer {
    var answer = server.send(post)
    for pause in shouldRetry ? Self.pauses : [] {
      guard case .unreachable = answer, !StopSignals.arePending else { break }
      StopSignals.sleep(pause)
      answer = server.send(post)
    }
    return answer
  }

  /// Sends the rows in the spool.
  ///
  /// - Parameter shouldRetry: Whether to try again after a pause if the server cannot be reached.
  func drain(shouldRetry: Bool) {
    guard let outcome = spool?.deliver({ send($0, shouldRetry: shouldRetry) }) else { return }
    deliveredRows += outcome.rows
    reason = outcome.failure?.reason
  }

  private func enforceLimit() {
    guard let dropped = spool?.enforceLimit(), dropped > 0 else { return }
    Output.toStandardError(
      "rxtop: the spool '\(displayName(spoolPath ?? ""))' is full: dropped the oldest "
        + "\(Self.rows(dropped)), "
        + "\(Self.rows(spool?.droppedRows ?? 0)) since the start; a larger --spool-limit keeps more\n"
    )
  }

  /// A sentence about the rows that the server has not accepted, and where they are.
  ///
  /// - Parameter folder: The folder to which the rows were also written; nil if there is none.
  /// - Returns: The sentence; nil if the server has accepted all rows.
  func undeliveredSummary(folder: String?) -> String? {
    let waiting = waitingRows
    let dropped = spool?.droppedRows ?? 0
    guard undeliveredRows + waiting + dropped > 0 else { return nil }
    var sentence =
      "\(reason ?? "the server was not asked"); not delivered: "
      + "\(Self.rows(undeliveredRows + waiting + dropped)); "
    if dropped > 0 {
      sentence += "\(dropped) of them had no room in the spool: a larger --spool-limit keeps them; "
    }
    if undeliveredRows + dropped == 0, let spoolPath {
      sentence +=
        "they wait in '\(displayName(spoolPath))', and the next run with this --spool sends them"
    } else if let folder {
      sentence += "they are in '\(displayName(folder))'"
    } else {
      sentence +=
        "run the command again when the server is there: rows that it already has are not duplicated"
    }
    return sentence
  }

  static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
