import Foundation
import Testing

/// A page of the documentation with its code blocks.
struct Article: CustomTestStringConvertible {
  /// A fenced code block.
  struct Block {
    let language: String
    let text: String
    /// The line number of its first line in the page, from 1.
    let line: Int

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// The README and all pages of the catalogs.
  static let all: [Article] = {
    let sources = FileManager.default.enumerator(
      at: root.appending(path: "Sources"),
      includingPropertiesForKeys: nil
    )
    let pages = (sources?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "md" }
    return ([root.appending(path: "README.md")] + pages.sorted { $0.path < $1.path }).compactMap {
      try? Article($0)
    }
  }()

  /// A page by its name.
  static func named(_ name: String) throws -> Article {
    guard let article = all.first(where: { $0.name == name }) else { throw Missing(name: name) }
    return article
  }

  struct Missing: Error { let name: String }

  let name: String
  let text: String
  let blocks: [Block]

  var testDescription: String { name }

  init(_ file: URL) throws {
    name = file.deletingPathExtension().lastPathComponent
    text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [Block] = []
    var open: (language: String, line: Int, lines: [Substring])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if let block = open {
        if line == "```" {
          let text = block.lines.joined(separator: "\n")
          blocks.append(Block(language: block.language, text: text, line: block.line))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), index + 2, [])
      }
    }
    self.blocks = blocks
  }

  var swiftBlocks: [Block] { blocks.filter { $0.language == "swift" } }

  /// The output that the page shows for a command: the rest of the block that begins with `$ ` and
  /// the command.
  func output(after command: String) throws -> String {
    guard let block = blocks.first(where: { $0.lines.first == "$ \(command)" }) else {
      throw Missing(name: "\(name): $ \(command)")
    }
    return block.lines.dropFirst().joined(separator: "\n")
  }
}
