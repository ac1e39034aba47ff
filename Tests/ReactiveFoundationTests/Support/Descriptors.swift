import Foundation
import Glibc

/// The number of descriptors that the process has open.
func openDescriptors() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
}

/// A folder on disk that is removed when this object is released.
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

/// The number and the target of each open descriptor.
func openFiles() -> [String] {
  let folder = "/proc/self/fd"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.compactMap { name in
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))
      .map { "\(name) \($0)" }
  }
}
