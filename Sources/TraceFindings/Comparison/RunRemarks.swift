import TraceModel
import TraceReading

/// What cannot be compared between two runs, and why.
enum RunRemarks {
  /// The length below which a recording says little about rates.
  private static let least = Duration.seconds(1)

  static func sentences(
    _ before: Inspection,
    _ after: Inspection,
    _ base: SiteBase,
    _ rows: [DiffRow]
  ) -> [String] {
    var sentences = [("A", before, "B"), ("B", after, "A")].compactMap { run, inspection, other in
      inspection.program.isIncomplete
        ? "\(run) is incomplete: what only \(other) seems to have, or seems to have more of, may have been in \(run), too."
        : nil
    }
    sentences += lengths(before, after) + levels(before.program, after.program)
    sentences += waits(base, before.program, after.program)
    let unknown = rows.count { $0.change == nil }
    if unknown > 0 {
      sentences.append(
        "How many are live is not known for \(Words.count(unknown, "line")) of code: the records are missing."
      )
    }
    return sentences
  }

  private static func lengths(_ before: Inspection, _ after: Inspection) -> [String] {
    let (one, other) = (before.instant.time, after.instant.time)
    for (run, length) in [("A", one), ("B", other)] where length < least {
      return [
        "\(run) is \(Quantity.duration(length)) long: too short for reliable figures per second."
      ]
    }
    let factor = max(one, other) / min(one, other)
    guard factor >= 1.1 else { return [] }
    return [
      "\(other > one ? "B" : "A") is \(Words.number(factor)) times as long as \(other > one ? "A" : "B"): what length alone explains is not called worse or better."
    ]
  }

  private static func levels(_ before: ProgramInfo, _ after: ProgramInfo) -> [String] {
    guard before.levelText != after.levelText else { return [] }
    return [
      "A was recorded at level \(before.levelText), B at level \(after.levelText): what only one of them records is not compared."
    ]
  }

  private static func waits(_ base: SiteBase, _ before: ProgramInfo, _ after: ProgramInfo)
    -> [String]
  {
    let runs = [("A", base.waits, before), ("B", base.laterWaits, after)]
    let unknown = runs.filter { $0.1 == nil }
    if !unknown.isEmpty {
      let names = unknown.map(\.0).joined(separator: " and ")
      let reason =
        unknown.contains { $0.2.highestLevel < .events }
        ? "single events were not recorded" : "records are missing"
      return ["How long work waited on queues is not known for \(names): \(reason)."]
    }
    let partial = runs.compactMap { name, waits, _ in
      waits.flatMap { $0.isWhole ? nil : "for \(name) in its last \(Quantity.duration($0.span))" }
    }
    guard !partial.isEmpty else { return [] }
    return [
      "How long work waited on queues is known only \(partial.joined(separator: ", and "))."
    ]
  }
}
