import TraceModel
import TraceReading

/// Asynchronous backtraces as stacks for flame graphs: the outermost function comes first, and each
/// hop (a passage of work to another queue or task) is a frame of its own.
struct ExportStacks {
  struct Frame: Hashable {
    var name: String
    var file = ""
    var line: UInt64 = 0
    /// The owner of the function's code, such as `program` or `library`.
    var owner: String?
  }

  private let snapshot: TraceSnapshot
  private let symbolizer: Symbolizer
  private var known: [UInt32: [Frame]] = [:]

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    symbolizer = Symbolizer(snapshot).knowing(snapshot.chains.lazy.flatMap(\.frames))
  }

  /// The frame of a site's line of code.
  func frame(ofSite row: UInt32) -> Frame {
    let site = snapshot.site(row)
    return Frame(
      name: displayName(snapshot.label(ofSite: row)),
      file: displayName(site?.file ?? ""),
      line: UInt64(site?.line ?? 0)
    )
  }

  /// The frames of a backtrace; none if the table of backtraces has no such row.
  mutating func backtrace(_ chain: UInt32) -> [Frame] {
    if let frames = known[chain] { return frames }
    var frames: [Frame] = []
    var row = chain
    var seen: Set<UInt32> = []
    while row > 0, Int(row) < snapshot.chains.count, seen.insert(row).inserted {
      let part = snapshot.chains[Int(row)]
      if !frames.isEmpty {
        let scheduler = part.kind?.words ?? snapshot.schedulerName(part.scheduler) ?? "?"
        frames.insert(Frame(name: "[hop: \(displayName(scheduler))]"), at: 0)
      }
      frames = functions(of: part) + frames
      row = part.parent
    }
    known[chain] = frames
    return frames
  }

  private func functions(of part: TraceChain) -> [Frame] {
    let symbols = symbolizer.frames(part.frames)
    let owners = AsyncBacktraceText.owners(of: symbols.map(\.shortText))
    return zip(symbols, owners).reversed().map { frame, owner in
      Frame(
        name: displayName(frame.function ?? frame.shortText),
        file: displayName(frame.sourcePlace.file),
        line: frame.sourcePlace.line,
        owner: owner?.schemaName
      )
    }
  }
}
