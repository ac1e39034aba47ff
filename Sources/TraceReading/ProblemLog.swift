/// Collects what is wrong with a file, and stops when a hostile one would fill the memory with it.
struct ProblemLog {
  let path: String
  private(set) var problems: [TraceError]
  /// The first for which something is missing that no count tells of.
  private(set) var firstLoss: TraceError?
  private var seen: Set<TraceError>
  private var counts: [String: Int] = [:]

  /// Problems of one kind that are spelled out.
  static let limitPerKind = 8
  /// Problems in all.
  static let limit = 200

  /// Continues the list of an earlier reading, so that each problem is said once.
  init(path: String, continuing earlier: [TraceError] = [], firstLoss: TraceError? = nil) {
    self.path = path
    self.firstLoss = firstLoss
    problems = earlier
    seen = Set(earlier)
  }

  /// Notes a problem of `kind`, a short word for what is counted together.
  ///
  /// It is a loss unless nothing is missing for it, or a count of the snapshot tells of that.
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
    // The header is read several times, and the same file again and again.
    guard seen.insert(problem(message)).inserted else { return }
    counts[kind] = count + 1
    if isLoss, firstLoss == nil { firstLoss = problem(message) }
    let isLast = count == Self.limitPerKind - 1
    problems.append(problem(message + (isLast ? " (more of this kind are not listed)" : "")))
  }
}
