import Foundation
import Glibc

/// Descriptors that the process has open.
func openDescriptors() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
}

/// A folder that is removed when it is released.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("reactive-foundation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// What they are of.
func openFiles() -> [String] {
  let folder = "/proc/self/fd"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.compactMap { name in
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))
      .map { "\(name) \($0)" }
  }
}
