import TraceModel
import TraceReading

/// The first part of a report: the facts about the recording, and how complete it is.
struct ReportOverview {
  private let program: ProgramInfo
  private let inspection: Inspection

  init(_ inspection: Inspection) {
    self.inspection = inspection
    program = inspection.program
  }

  /// Writes the title, the number of findings of each level, and the facts about the recording.
  func writeHead(_ html: inout HTMLWriter) {
    html.element("h1", text: program.name.isEmpty ? "A program without a name" : program.name)
    let counts = ReportFindings.counts(inspection)
    html.element("p", ["class": "verdict"], text: counts)
    html.element("dl", ["class": "facts"]) { html in
      for (name, value) in facts {
        html.element("div") { html in
          html.element("dt", text: name)
          html.element("dd", text: value)
        }
      }
    }
  }

  private var facts: [(String, String)] {
    [
      ("Process", "\(program.processID)"),
      ("Recorded", program.startedAt == 0 ? "at an unknown time" : Self.date(program.startedAt)),
      ("Length", Quantity.duration(inspection.instant.time)),
      ("Level", program.level.schemaName),
      ("Live subscriptions", Quantity.count(inspection.liveSubscriptions)),
      ("Lines of code", Quantity.count(inspection.sites.count)),
      ("File", program.fileName),
    ]
  }

  /// Writes whether the program still runs or how it ended, since when no record is missing, and
  /// what the recording lost.
  func writeCompleteness(_ html: inout HTMLWriter) {
    html.section("completeness", "What is known") { html in
      html.element("p", text: sentence(program.statusText))
      html.element("p", text: window)
      if program.level < .events {
        html.element(
          "p",
          text:
            "It was recorded at level \(program.level.schemaName): counters and lifetimes are in "
            + "it, single events are not."
        )
      }
      let losses = program.losses + program.problems + (program.note.isEmpty ? [] : [program.note])
      if !losses.isEmpty {
        html.element("p", ["class": "warning"]) { html in
          html.element("strong", text: "Not everything is in the recording:")
        }
        html.list(losses.map(sentence))
      } else {
        html.element("p", text: "Nothing of the recording is lost or unreadable.")
      }
      if !inspection.doubts.isEmpty {
        html.element("p", text: "It cannot be judged whether there are more findings:")
        html.list(inspection.doubts.map(sentence))
      }
    }
  }

  private var window: String {
    guard let window = program.exactWindow else {
      return "There is no stretch of time of which every record is there."
    }
    let length = Quantity.moment(window.upperBound)
    let parts =
      program.parts.hasEveryEvent
      ? "" : " " + sentence(program.parts.sentence(window))
    guard window.lowerBound > .zero else {
      return "Every record is there, from the beginning to the end after \(length).\(parts)"
    }
    return
      "Every record is there from \(Quantity.moment(window.lowerBound)) to the end after \(length); "
      + "of what was before, counters and what still lives are known.\(parts)"
  }

  private func sentence(_ text: String) -> String {
    guard let first = text.first, let last = text.last else { return "" }
    return first.uppercased() + text.dropFirst() + (".?!…".contains(last) ? "" : ".")
  }

  /// Formats a time in nanoseconds since 1970, as `2026-03-01 14:05:09 UTC`.
  static func date(_ nanoseconds: UInt64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    // Years begin on the first of March here, so that a leap day is the last day of its year. Days
    // are counted from the first of March of the year 0.
    let days = seconds / 86_400 + 719_468
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = days / 146_097 * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(twoDigits)
    return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(time.joined(separator: ":")) UTC"
  }
}
