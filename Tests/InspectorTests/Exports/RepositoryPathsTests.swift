import Foundation
import Testing
import TraceModel

@testable import TraceExports

@Suite struct RepositoryPathsTests {
  private let paths = RepositoryPaths(
    root: "/nowhere/shop",
    files: [
      "Pane.swift": ["Examples/watchtower/Pane.swift"],
      "main.swift": [
        "Tests/Victim/main.swift", "Examples/relay/main.swift", "Tools/Days/main.swift",
      ],
      "Town.swift": ["Sources/healthy-days/Town.swift"],
      "Cart.swift": ["Sources/Shop/Cart.swift", "Copies/Shop/Cart.swift"],
      "Only.swift": ["Sources/Other/Only.swift"],
    ],
    manifest: """
      .package(path: "../elsewhere"),
      .target(name: "Shop", dependencies: [.product(name: "Logging", package: "swift-log"), .target(name: "Core")]),
      .executableTarget(name: "victim", path: "Tests/Victim"),
      .executableTarget(
        name: "healthy-days-2",
        dependencies: ["Shop", .product(name: "Logging", package: "swift-log")],
        path: "./Tools/Days/"
      ),
      """
  )

  @Test func aFileIsFoundInTheFolderOfItsModule() {
    #expect(
      paths.path(of: "watchtower/Pane.swift", compiledAt: []) == "Examples/watchtower/Pane.swift"
    )
    #expect(paths.path(of: "relay/main.swift", compiledAt: []) == "Examples/relay/main.swift")
  }

  @Test func aFolderThatTheManifestNamesIsUsed() {
    #expect(paths.path(of: "victim/main.swift", compiledAt: []) == "Tests/Victim/main.swift")
    #expect(paths.path(of: "healthy_days_2/main.swift", compiledAt: []) == "Tools/Days/main.swift")
  }

  @Test func aTargetWithADashIsAModuleWithAnUnderscore() {
    #expect(
      paths.path(of: "healthy_days/Town.swift", compiledAt: []) == "Sources/healthy-days/Town.swift"
    )
  }

  @Test func anAmbiguousFileHasNoPath() {
    #expect(paths.path(of: "Shop/Cart.swift", compiledAt: []) == nil)
    #expect(paths.path(of: "Shop/main.swift", compiledAt: []) == nil)
  }

  @Test func aFileOfAnotherModuleDoesNotMatch() {
    #expect(paths.path(of: "Shop/Only.swift", compiledAt: []) == nil)
    #expect(paths.path(of: "Shop/Nowhere.swift", compiledAt: []) == nil)
    #expect(paths.path(of: "", compiledAt: []) == nil)
  }

  @Test func debugInformationOfAnotherMachineDecidesByFolders() {
    let compiled = ["/build/shop/Copies/Shop/Cart.swift"]
    #expect(paths.path(of: "Shop/Cart.swift", compiledAt: compiled) == "Copies/Shop/Cart.swift")
    #expect(paths.path(of: "watchtower/Pane.swift", compiledAt: ["/build/other/Pane.swift"]) == nil)
  }

  @Test func debugInformationOfThisMachineComesFirst() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "paths-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for folder in ["Sources/Shop", "Copies/Shop", ".hidden/Shop", ".git"] {
      let folder = root.appending(path: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appending(path: "Cart.swift"))
    }
    let inner = root.appending(path: "Sources/Shop").path
    #expect(
      RepositoryPaths.repository(around: inner) == RepositoryPaths.repository(around: root.path)
    )
    let paths = RepositoryPaths(below: root.path)
    #expect(paths.path(of: "Shop/Cart.swift", compiledAt: []) == nil)
    let compiled = root.path + "/Copies/Shop/Cart.swift"
    #expect(paths.path(of: "Shop/Cart.swift", compiledAt: [compiled]) == "Copies/Shop/Cart.swift")
    // Paths are relative if the program was compiled with -file-prefix-map.
    let relative = ["Sources/Shop/Cart.swift"]
    #expect(paths.path(of: "Shop/Cart.swift", compiledAt: relative) == "Sources/Shop/Cart.swift")
  }
}
