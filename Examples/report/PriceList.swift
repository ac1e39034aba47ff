internal import Glibc
import Reactive

/// The price of each item.
struct PriceList: Sendable {
  private(set) var prices: [String: Int] = [:]

  /// Adds the prices of another list, which replace existing ones.
  mutating func add(_ other: PriceList) { prices.merge(other.prices) { $1 } }

  /// Reads a file anew for each subscription, on the thread that subscribes.
  static func read(_ path: String) -> Signal<PriceList, ReportFailure> {
    .attempt { () throws(ReportFailure) in try PriceList(path) }
  }

  init() {}

  private init(_ path: String) throws(ReportFailure) {
    guard let file = fopen(path, "r") else {
      throw .unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var (buffer, size) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer { free(buffer) }
    var number = 0
    while getline(&buffer, &size, file) >= 0, let buffer {
      number += 1
      let line = String(cString: buffer)
      let words = line.split { $0.isWhitespace }
      if words.isEmpty { continue }
      guard words.count == 2, let price = Int(words[1]) else {
        let text = words.joined(separator: " ")
        throw .malformed(file: path, line: number, text: text)
      }
      prices[String(words[0])] = price
    }
  }
}

/// Three sample price lists in a temporary folder.
struct SampleFiles: Sendable {
  let paths: [String]
  private let folder: String

  init() {
    var template = Array("/tmp/report-XXXXXX".utf8CString)
    folder = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    let texts = ["apple 12\npear 9\n", "plum 2\n", "melon 30\nplum 3\n"]
    paths = texts.indices.map { [folder] in "\(folder)/prices-\($0 + 1)" }
    for (path, text) in zip(paths, texts) {
      guard let file = fopen(path, "w") else { continue }
      fputs(text, file)
      fclose(file)
    }
  }

  func remove() {
    for path in paths { unlink(path) }
    rmdir(folder)
  }
}
