import Foundation
import Testing

/// A second copy of the recorder as a library, linked from the objects that were compiled for the
/// tests.
enum SecondCopy {
  static func link(in scratch: Scratch) throws -> String {
    let products = URL(filePath: try #require(Programs.traced)).deletingLastPathComponent()
    let modules = ["ReactiveTrace", "TraceFormat", "TracePlatform", "CReactiveTraceShims"]
    let objects = try modules.flatMap { module in
      let folder = products.appending(path: "\(module).build")
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".o") }.map { folder.appending(path: $0).path }
    }
    try #require(objects.count > 10)
    let library = scratch.path("libcopy.so")
    let linked = try Programs.run(
      "/usr/bin/env",
      ["swiftc", "-emit-library", "-o", library] + objects
    )
    try #require(linked.status == 0, "\(linked.errors)")
    return library
  }
}
