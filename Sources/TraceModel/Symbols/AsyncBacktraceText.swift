public import TraceReading

/// The asynchronous backtrace of a subscription, timer or hop (work scheduled in one place and run
/// in another) as lines of text.
public struct AsyncBacktraceText: Sendable {
  private let chains: [TraceChain]
  private let schedulers: [TraceScheduler]
  /// A remark about hops that may not have been recorded; nil if none seems to be missing.
  private let unseen: String?

  /// The backtraces of one trace.
  public init(_ snapshot: TraceSnapshot) {
    chains = snapshot.chains
    schedulers = snapshot.schedulers
    unseen = Self.unseen(in: snapshot)
  }

  /// Why hops of tasks and queues may be missing, if the program is linked statically with the
  /// Swift libraries.
  ///
  /// Hops to threads are recorded in any case. Whether the program had other hops is unknown.
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

  /// The line that separates the stack of some work from the stack of the place where that work was
  /// scheduled.
  public static let separator = "… asynchronously invoked from:"

  /// One line for each frame, innermost first; empty if there are no frames.
  ///
  /// The text is not yet escaped for the terminal. ``folded(_:)`` reduces the lines to the
  /// program's own functions.
  ///
  /// The reason for missing symbols is given at the first frame that lacks them for that reason.
  ///
  /// - Parameters:
  ///   - chain: The row of the backtrace.
  ///   - stack: The stack of the work to which the chain belongs; the lines begin with it.
  ///   - symbolizer: Looks up the functions.
  /// - Returns: The lines; a line that begins with `…` separates two stacks, or is a remark.
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
    // All addresses are looked up in one call, because most of the time is spent finding the debug
    // information.
    let named = symbolizer.frames(parts.flatMap(\.frames))
    var rest = named[...]
    var lines: [String] = []
    var seenProblems: Set<String> = []
    for (index, part) in parts.enumerated() {
      if index > 0 { lines.append(separator(part)) }
      for address in part.frames {
        while let frame = rest.first, frame.address == address {
          let isNewProblem = frame.problem.map { seenProblems.insert($0).inserted } ?? false
          lines.append(isNewProblem ? frame.text : frame.shortText)
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

  /// The lines of the program's own functions in the first stack, before any hop; none if no line
  /// is known to be the program's.
  public static func ownPlaces(in lines: [String]) -> [String] {
    lines.prefix { !$0.hasPrefix("…") }
      .filter { $0.contains(" at ") && FrameOwner(ofLine: $0) == .program }
  }

  /// The addresses of a backtrace, with repetitions, for a lookup by a symbolizer.
  public func addresses(of chain: UInt32) -> [UInt64] { parts(of: chain).flatMap(\.frames) }

  private func parts(of chain: UInt32) -> [TraceChain] {
    var parts: [TraceChain] = []
    var row = chain
    var seen: Set<UInt32> = []
    while row > 0, Int(row) < chains.count, seen.insert(row).inserted {
      // No recorder writes longer chains. The limit bounds what is printed for each chain of a
      // damaged file.
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
