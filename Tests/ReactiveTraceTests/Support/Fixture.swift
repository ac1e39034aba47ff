import Testing
import TraceReading

/// A trace in text form, with the expected results of reading it.
struct Fixture: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  let expectations: [Substring]

  var testDescription: String { name }

  /// Every fixture in the folder `Fixtures`.
  static let all: [Fixture] = {
    let folder = Files.tests + "/Fixtures"
    return Files.names(in: folder).filter { $0.hasSuffix(".txt") }.compactMap { name in
      (try? Files.text(folder + "/" + name)).map { Fixture(String(name.dropLast(4)), $0) }
    }
  }()

  static func named(_ name: String) throws -> Fixture {
    try #require(all.first { $0.name == name }, "no fixture '\(name)'")
  }

  private init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
    let lines = text.split(separator: "\n")
    let start = lines.firstIndex(of: "expect") ?? lines.endIndex
    expectations = lines[start...].dropFirst().map { line in line.drop { $0 == " " } }
  }

  /// The bytes of the trace.
  func bytes() throws -> [UInt8] { try TraceText.assemble(text) }
}
