public import TraceReading

/// The asynchronous backtrace of a subscription, hop or timer as lines of text.
public struct AsyncBacktraceText: Sendable {
  private let chains: [TraceChain]
  private let schedulers: [TraceScheduler]
  /// What is said of hops that were not seen.
  private let unseen: String?

  /// The backtraces of one trace.
  public init(_ snapshot: TraceSnapshot) {
    chains = snapshot.chains
    schedulers = snapshot.schedulers
    unseen = Self.unseen(in: snapshot)
  }

  /// Why hops of tasks and queues may be missing, where the program has the libraries of Swift in its own file.
  ///
  /// Threads are seen in any case. Whether there were others nobody knows.
  private static func unseen(in snapshot: TraceSnapshot) -> String? {
    func has(_ library: String) -> Bool {
      snapshot.images.contains { $0.path.split(separator: "/").last?.hasPrefix(library) == true }
    }
    let isSeen = snapshot.chains.contains {
      $0.kind.map { ![.scheduler, .thread].contains($0) } ?? false
    }
    guard has("libc."), !has("libswift_Concurrency."), !isSeen else { return nil }
    return
      "… no hop of a task, a queue or Foundation was seen: if there was any, the program, which is "
      + "linked with -static-stdlib, was linked without what Scripts/static-hops prints"
  }

  /// What stands between work and the place it was scheduled in.
  public static let separator = "… asynchronously invoked from:"

  /// One line for each frame, innermost first, unfiltered (``folded(_:)`` keeps the program's own); empty if the row does
  /// not exist.
  ///
  /// Why symbols are missing is said at the first frame that misses them for that reason.
  ///
  /// - Parameters:
  ///   - chain: Its row.
  ///   - stack: A stack that it begins with, of the work that the chain leads from.
  ///   - symbolizer: Who names the functions.
  /// - Returns: The lines; a line that begins with `…` stands between two stacks, or behind the last.
  public func lines(
    of chain: UInt32,
    from stack: [UInt64] = [],
    _ symbolizer: Symbolizer
  ) -> [String] {
    var parts = parts(of: chain)
    if !stack.isEmpty {
      var first = TraceChain()
      first.frames = stack
      parts.insert(first, at: 0)
    }
    guard !parts.isEmpty else { return [] }
    // All in one go: most of the time goes into finding the debug information.
    let named = symbolizer.frames(parts.flatMap(\.frames))
    var rest = named[...]
    var lines: [String] = []
    var told: Set<String> = []
    for (index, part) in parts.enumerated() {
      if index > 0 { lines.append(separator(part)) }
      for address in part.frames {
        while let frame = rest.first, frame.address == address {
          let isNews = frame.problem.map { told.insert($0).inserted } ?? false
          lines.append(isNews ? frame.text : frame.shortText)
          rest = rest.dropFirst()
          if !frame.isInlined { break }
        }
      }
      if part.isRepeated { lines.append("… and again from there, once or more") }
      if part.isCut { lines.append("… older parts were not kept") }
    }
    if let unseen { lines.append(unseen) }
    return lines
  }

  /// The lines that are the program's own, before anything that is asynchronous; none where none is known to be.
  public static func ownPlaces(in lines: [String]) -> [String] {
    lines.prefix { !$0.hasPrefix("…") }
      .filter { $0.contains(" at ") && FrameOwner(ofLine: $0) == .program }
  }

  /// The addresses of a backtrace, as often as they are in it: those that a symbolizer should know.
  public func addresses(of chain: UInt32) -> [UInt64] { parts(of: chain).flatMap(\.frames) }

  private func parts(of chain: UInt32) -> [TraceChain] {
    var parts: [TraceChain] = []
    var row = chain
    var seen: Set<UInt32> = []
    while row > 0, Int(row) < chains.count, seen.insert(row).inserted {
      // A writer makes none that are longer: what a file claims is not to be printed for each of its chains.
      guard parts.count < Layout.Chain.depthLimit else {
        parts[parts.count - 1].isCut = true
        break
      }
      parts.append(chains[Int(row)])
      row = chains[Int(row)].parent
    }
    return parts
  }

  private func separator(_ part: TraceChain) -> String {
    if let words = part.kind?.words { return "… asynchronously invoked (\(words)) from:" }
    let row = Int(part.scheduler)
    guard row > 0, row < schedulers.count, !schedulers[row].name.isEmpty else {
      return Self.separator
    }
    return "… asynchronously invoked (on \(schedulers[row].name)) from:"
  }
}
