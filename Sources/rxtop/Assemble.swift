internal import ArgumentParser
import InspectorUI
internal import TraceReading

/// The subcommand `assemble`.
struct Assemble: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assemble",
    abstract: "Make a trace file from its text form.",
    discussion:
      "The counterpart of dump: the text form is described in TraceFormat.md. Use - for standard input."
  )

  @Argument(help: "The text, as rxtop dump writes it.")
  var text: String

  @Argument(help: "The trace file to write. It must not exist yet.")
  var output: String

  func run() throws {
    let bytes: [UInt8]
    do {
      bytes = try TraceText.assemble(String(decoding: try Files.contents(text), as: UTF8.self))
    } catch let error as TraceError {
      throw Failure(.unreadable, "'\(text)', \(error.message)")
    }
    try Files.create(output, bytes)
  }
}
