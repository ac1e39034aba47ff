internal import FoundationEssentials
internal import Glibc
internal import InspectorUI
internal import TraceFindings
internal import TraceModel

/// The file of a baseline, which lists known and allowed findings.
struct BaselineFile {
  let path: String

  /// - Throws: `Failure` if the file is missing, cannot be read or is not a baseline.
  func read() throws -> FindingBaseline { try parse(try contents()) }

  private var exists: Bool { access(path, F_OK) == 0 }

  private func contents() throws -> String {
    if let text = try? String(contentsOfFile: path, encoding: .utf8) { return text }
    throw Failure(
      .unreadable,
      "'\(displayName(path))' cannot be read as a baseline; "
        + (exists
          ? "a text file in UTF-8 that this user may read was expected"
          : "rxtop check --write-baseline FILE TRACE makes one")
    )
  }

  private func parse(_ text: String) throws -> FindingBaseline {
    do {
      return try FindingBaseline(parsing: text)
    } catch {
      throw Failure(.unreadable, "'\(displayName(path))', \(error)")
    }
  }

  /// Replaces the known findings in the file, and keeps its allowances and comments.
  ///
  /// - Throws: `Failure` if the file exists and is not a baseline, or if it cannot be written.
  func write(_ findings: [Finding]) throws {
    var kept: [Substring] = []
    if exists {
      let text = try contents()
      _ = try parse(text)
      kept = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .filter { $0.split(whereSeparator: \.isWhitespace).first != "known" }
      while kept.last?.isEmpty == true { kept.removeLast() }
    }
    let lines = kept.map(String.init) + FindingBaseline.statements(findings)
    do {
      try (lines.joined(separator: "\n") + "\n")
        .write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Failure(.unreadable, "'\(displayName(path))' cannot be written")
    }
    Output.write(
      "\(findings.count) finding\(findings.count == 1 ? "" : "s") in '\(displayName(path))'\n"
    )
  }

  /// The current day, in UTC.
  static func today() -> String {
    var now = time(nil)
    var day = tm()
    gmtime_r(&now, &day)
    func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(day.tm_year + 1900)-\(twoDigits(day.tm_mon + 1))-\(twoDigits(day.tm_mday))"
  }
}
