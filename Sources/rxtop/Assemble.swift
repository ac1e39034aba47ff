internal import ArgumentParser
internal import Glibc
internal import InspectorKit
internal import ReactiveTrace

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

/// Whole files.
enum Files {
  /// Everything in a file, or on standard input for `-`; at most `limit` bytes.
  static func contents(_ path: String, limit: Int = .max) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read '\(path)'") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot read '\(path)'") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count >= limit { return Array(bytes.prefix(limit)) }
    }
  }

  /// Makes a new file, readable by its owner only; one that exists is left alone.
  static func create(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot make '\(path)'") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot write '\(path)'") }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ what: String) -> Failure {
    Failure(.unreadable, "\(what): \(String(cString: strerror(errno)))")
  }
}
