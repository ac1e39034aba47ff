import Foundation

/// The toolchain's compiler, and the modules that were built along with the tests.
enum Compiler {
  /// The path of the compiler; nil if it is not in `PATH`.
  static let path: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/swiftc" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The folder of the modules and objects; nil if it is not beside the tests.
  static let products: URL? = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let folder = bundle.map({ URL(filePath: $0).deletingLastPathComponent() }) else {
      return nil
    }
    let module = folder.appending(path: "Modules/ReactiveTesting.swiftmodule")
    return FileManager.default.fileExists(atPath: module.path) ? folder : nil
  }()

  static var isAvailable: Bool { path != nil && products != nil }

  /// Compiles files with the options of a new package, and with all modules of this package.
  static func run(_ arguments: [String], _ files: [String]) throws -> Programs.Outcome {
    guard let path, let products else { throw CocoaError(.fileNoSuchFile) }
    let maps = ["Sources/CReactiveTraceShims/include", "Sources/CSQLite"]
    let folders =
      [products.appending(path: "Modules")] + maps.map { Article.root.appending(path: $0) }
    let modules = folders.flatMap { ["-I", $0.path] }
    let language = ["-swift-version", "6", "-parse-as-library", "-Onone"]
    return try Programs.run(path, language + modules + arguments + files)
  }

  /// Type-checks files without building anything.
  static func check(_ files: [String]) throws -> Programs.Outcome {
    try run(["-typecheck"], files)
  }

  /// Checks a manifest, as `swift build` reads it.
  static func check(manifest: String) throws -> Programs.Outcome {
    guard let path else { throw CocoaError(.fileNoSuchFile) }
    let toolchain = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    let api = toolchain.appending(path: "../lib/swift/pm/ManifestAPI").standardizedFileURL.path
    let version = ["-package-description-version", "6.2.0", "-swift-version", "6"]
    return try Programs.run(path, ["-typecheck", "-I", api] + version + [manifest])
  }

  /// Builds a program that is linked with the library.
  static func build(_ files: [String], into program: String) throws -> Programs.Outcome {
    guard let products else { throw CocoaError(.fileNoSuchFile) }
    let modules = [
      "Reactive", "ReactiveTrace", "TraceFormat", "TracePlatform", "CReactiveTraceShims", "Logging",
    ]
    let objects = modules.flatMap { name in
      Self.objects(in: products.appending(path: "\(name).build"))
    }
    return try run(["-g", "-o", program], files + objects)
  }

  /// The objects of the last build, without those of deleted sources, which may still be there.
  private static func objects(in folder: URL) -> [String] {
    if let data = try? Data(contentsOf: folder.appending(path: "output-file-map.json")),
      let map = try? JSONDecoder().decode([String: [String: String]].self, from: data)
    {
      return map.filter { $0.key.hasSuffix(".swift") }.compactMap { $0.value["object"] }
    }
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "o" }.map(\.path)
  }
}
