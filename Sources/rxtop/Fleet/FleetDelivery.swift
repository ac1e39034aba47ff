internal import InspectorUI
internal import TraceExports
internal import TraceModel

/// Brings rows to a server, over a spool if there is one.
final class FleetDelivery {
  private let server: ClickHouse
  private let spool: FleetSpool?
  private let spoolPath: String?
  /// Rows that the server has taken.
  private(set) var deliveredRows = 0
  /// Rows that it has not taken and that are in no spool.
  private(set) var undeliveredRows = 0
  /// Why the latest could not be delivered; nil while all goes well.
  private(set) var reason: String?

  /// How long to wait before the second attempt and the third.
  private static let pauses: [Duration] = [.seconds(1), .seconds(2)]

  init(_ server: ClickHouse, spool: FleetSpool? = nil, at path: String? = nil) {
    (self.server, self.spool, spoolPath) = (server, spool, path)
  }

  /// Rows that wait in the spool.
  var waitingRows: Int { spool?.rowCount ?? 0 }
  /// Whether there is a spool, so that nothing has to be kept elsewhere.
  var hasSpool: Bool { spoolPath != nil }

  /// What was not delivered is about to be made anew.
  func beginRound() { undeliveredRows = 0 }

  /// Sends a batch.
  ///
  /// With a spool, the rows are there before they are sent: whatever ends the program, they are not lost.
  ///
  /// - Parameters:
  ///   - batch: The rows.
  ///   - isPatient: Whether a server that is down is asked again after a while.
  /// - Returns: Whether nothing has to be done for these rows any more: they are delivered, or in the spool.
  func deliver(_ batch: FleetBatch, isPatient: Bool) -> Bool {
    let posts = batch.posts()
    do throws(ExportError) {
      if let spool {
        try spool.keep(posts)
        // Once a server is down, it is asked again at the end, or after a while.
        if reason == nil { drain(isPatient: isPatient) }
        enforceLimit()
        return true
      }
    } catch {
      Output.toStandardError(
        CommandError.line("\(error.description); the rows are sent without the spool")
      )
    }
    return sendDirectly(posts, isPatient: isPatient)
  }

  private func sendDirectly(_ posts: [FleetPost], isPatient: Bool) -> Bool {
    for (place, post) in posts.enumerated() {
      let answer =
        reason == nil || !isPatient ? send(post, isPatient: isPatient) : .unreachable(reason ?? "")
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

  private func send(_ post: FleetPost, isPatient: Bool) -> FleetAnswer {
    var answer = server.send(post)
    for pause in isPatient ? Self.pauses : [] {
      guard case .unreachable = answer, !StopSignals.haveCome else { break }
      StopSignals.sleep(pause)
      answer = server.send(post)
    }
    return answer
  }

  /// Sends what waits in the spool.
  ///
  /// - Parameter isPatient: Whether a server that is down is asked again after a while.
  func drain(isPatient: Bool) {
    guard let outcome = spool?.deliver({ send($0, isPatient: isPatient) }) else { return }
    deliveredRows += outcome.rows
    reason = outcome.failure?.reason
  }

  private func enforceLimit() {
    guard let dropped = spool?.enforceLimit(), dropped > 0 else { return }
    Output.toStandardError(
      "rxtop: the spool '\(displayName(spoolPath ?? ""))' is full: the oldest \(Self.rows(dropped)) were dropped, "
        + "\(Self.rows(spool?.droppedRows ?? 0)) since the start; a larger --spool-limit keeps more\n"
    )
  }

  /// What has become of rows that the server has not taken.
  ///
  /// - Parameter folder: Where they were written besides.
  /// - Returns: A sentence; nil if it has all.
  func shortfall(folder: String?) -> String? {
    let waiting = waitingRows
    let dropped = spool?.droppedRows ?? 0
    guard undeliveredRows + waiting + dropped > 0 else { return nil }
    var sentence =
      "\(reason ?? "the server was not asked"): \(Self.rows(undeliveredRows + waiting + dropped)) were not delivered; "
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
        "run the command again when the server is there: what it has already is there once all the same"
    }
    return sentence
  }

  static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
