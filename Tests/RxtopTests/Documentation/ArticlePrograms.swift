import Foundation
import Glibc
import Testing

/// The programs in the articles, built into one executable that runs the requested one.
///
/// Each program is the same as in the article, but without `@main`. Its lines have the file name
/// and the numbers of the article's program: `enum Thermostat` is line 5 of `Thermostat.swift`.
enum ArticlePrograms {
  /// A program in an article.
  struct Program {
    let article: String
    /// The type with `@main`.
    let name: String
    /// The number of earlier programs of this name in the article.
    let number: Int
    let text: String

    /// The argument with which the executable runs the program.
    var key: String { "\(article).\(name).\(number)" }
  }

  /// All programs of all articles.
  static let all: [Program] = Article.all.flatMap { article -> [Program] in
    var counts: [String: Int] = [:]
    return article.swiftBlocks.filter(\.isProgram).compactMap { block in
      guard let match = block.text.firstMatch(of: /@main\n(?:struct|enum) (\w+)/) else {
        return nil
      }
      let name = String(match.1)
      defer { counts[name, default: 0] += 1 }
      return Program(
        article: article.name,
        name: name,
        number: counts[name, default: 0],
        text: block.text
      )
    }
  }

  private static let folder = FileManager.default.temporaryDirectory
    .appending(path: "article-programs-\(UUID().uuidString)")

  /// The path of the executable, whose folder is removed when the test process ends.
  private static let built: Result<String, any Error> = Result {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: ArticlePrograms.folder) }
    let path = folder.appending(path: "programs").path
    try build(all, into: path, in: folder)
    return path
  }

  /// Runs a program, traced, until it has printed a text and `wait` returns, and then kills it,
  /// unless it has ended by itself.
  ///
  /// Waits on a separate thread, because a task that resumes late would let the program run for
  /// longer, and record more than the article shows.
  static func run(
    _ key: String,
    until text: String,
    then wait: @escaping @Sendable (_ trace: String) throws -> Void = { _ in }
  ) async throws -> ExampleProcess {
    try await onThread {
      let process = try ExampleProcess("programs", [key], at: try built.get())
      try blockUntil("it prints '\(text)'") {
        process.output.contains(text) || process.errors.contains(text)
      }
      try wait(process.trace)
      process.kill()
      return process
    }
  }

  /// Builds several programs into one executable.
  static func build(_ programs: [Program], into path: String, in folder: URL) throws {
    var files: [String] = []
    var cases = ""
    for (index, program) in programs.enumerated() {
      let file = folder.appending(path: "Program\(index).swift").path
      try source(of: program, index).write(toFile: file, atomically: true, encoding: .utf8)
      files.append(file)
      cases += "    case \"\(program.key)\": Program\(index).\(program.name).main()\n"
    }
    let main = """
      @preconcurrency import Glibc
      @main enum Programs {
        static func main() {
          // Some of them are killed, and what they have printed is read before.
          setvbuf(stdout, nil, _IOLBF, 0)
          switch CommandLine.arguments.dropFirst().first {
      \(cases)    default: print("no such program")
          }
        }
      }
      """
    let file = folder.appending(path: "Programs.swift").path
    try main.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try Compiler.build(files + [file], into: path)
    let errors = outcome.errors.split(separator: "\n").filter { $0.contains("error:") }
    try #require(outcome.status == 0, "\(errors.joined(separator: "\n"))")
  }

  private static func source(of program: Program, _ index: Int) -> String {
    let lines = program.text.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.filter { $0.hasPrefix("import ") }
    let body = lines.map { $0.hasPrefix("import ") || $0.hasPrefix("@main") ? "" : $0 }
    return """
      \(imports.joined(separator: "\n"))
      enum Program\(index) {
      #sourceLocation(file: "\(program.name).swift", line: 1)
      \(body.joined(separator: "\n"))
      #sourceLocation()
      }
      """
  }
}

/// Compares the output shown in an article with the real one.
enum ShownOutput {
  /// Whether the actual output is the one that an article shows.
  ///
  /// Numbers and blanks may differ, except for line numbers of sources; a line `…` stands for any
  /// lines.
  static func matches(_ shown: String, _ actual: String) -> Bool {
    let parts = shown.components(separatedBy: "\n")
      .split(omittingEmptySubsequences: false) { $0 == "…" }
      .map { normal($0.joined(separator: "\n")) }
    let actual = normal(actual)
    if parts.count == 1 { return parts[0] == actual }
    var rest = actual[...]
    for part in parts where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  static func normal(_ text: String) -> String {
    text.replacing(/\.swift:(\d+)/) {
      ".swift:\(String($0.1.map { Character(UnicodeScalar(UInt8(0x41) + ($0.asciiValue ?? 0) - 0x30)) }))"
    }
    .replacing(/\d[\d.]*( ?(ns|µs|ms|s|%)\b)?/, with: "N")
    .replacing(/#?N(, #?N)+( …)?/, with: "N")
    // A rate is `?` if the run was too short for it.
    .split { $0.isWhitespace }.map { $0 == "?" ? "N" : $0 }.joined(separator: " ")
    .replacing("…, ", with: "")
  }
}
