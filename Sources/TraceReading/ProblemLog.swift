/// Collects the problems of a file, up to a limit, so that a hostile file cannot fill the memory
/// with them.
struct ProblemLog {
  let path: String
  private(set) var problems: [TraceError]
  /// The first problem that indicates a loss which no counter of the snapshot includes.
  private(set) var firstLoss: TraceError?
  private var seen: Set<TraceError>
  private var counts: [String: Int] = [:]

  /// The maximum number of problems of one kind that are listed.
  static let limitPerKind = 8
  /// The maximum number of problems that are listed in all.
  static let limit = 200

  /// Continues the list of an earlier reading, so that each problem is listed once.
  init(path: String, continuing earlier: [TraceError] = [], firstLoss: TraceError? = nil) {
    self.path = path
    self.firstLoss = firstLoss
    problems = earlier
    seen = Set(earlier)
  }

  /// Adds a problem of `kind`, a short word for problems that are counted together.
  ///
  /// `isLoss` is false if nothing is missing because of the problem, or if a counter of the
  /// snapshot includes what is missing.
  mutating func note(
    _ kind: String,
    at offset: Int,
    isLoss: Bool = true,
    _ message: @autoclosure () -> String
  ) {
    let count = counts[kind, default: 0]
    guard count < Self.limitPerKind, problems.count < Self.limit else { return }
    let message = message()
    let place = UInt64(max(0, offset))
    func problem(_ message: String) -> TraceError {
      TraceError(.malformed, message, path: path, byteOffset: place)
    }
    // The same problem may be found again, because the header, and a file that is still being
    // written, are read several times.
    guard seen.insert(problem(message)).inserted else { return }
    counts[kind] = count + 1
    if isLoss, firstLoss == nil { firstLoss = problem(message) }
    let isLast = count == Self.limitPerKind - 1
    problems.append(problem(message + (isLast ? " (more of this kind are not listed)" : "")))
  }
}
