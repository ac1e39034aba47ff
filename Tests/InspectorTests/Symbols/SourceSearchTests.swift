import ReactiveTrace
import Testing
import TraceFindings
import TraceModel

@Suite struct SourceSearchTests {
  private let compiled = "/build/shop/Sources/gateway/Gateway.swift"

  private func search(_ paths: [String] = []) -> SourceSearch {
    SourceSearch(file: "gateway/Gateway.swift", paths: paths)
  }

  @Test func theFileThatWasCompiledComesFirst() {
    #expect(search([compiled]).original { _ in true } == compiled)
    #expect(search([compiled]).original { _ in false } == nil)
    // A relative path names a different file in each folder.
    #expect(search(["Sources/gateway/Gateway.swift"]).original { _ in true } == nil)
  }

  @Test func ofTwoFilesTheOneInTheModulesFolderIsChosen() {
    let other = "/build/shop/Sources/proj/Gateway.swift"
    #expect(search([compiled, other]).original { _ in true } == compiled)
    #expect(search([other, "/a/Gateway.swift"]).original { _ in true } == nil)
  }

  @Test func aDifferentFileOfTheSameNameIsNotOpened() {
    let other = "proj/Gateway.swift"
    #expect(search([compiled]).choice(among: [other]) == .unsure([other]))
    #expect(search([compiled]).choice(among: []) == .none)
  }

  @Test func aCopyOfTheSourcesElsewhereIsFoundByItsFolders() {
    let copy = "/home/me/shop/Sources/gateway/Gateway.swift"
    let others = ["/home/me/gateway/Gateway.swift", "/home/me/proj/Gateway.swift"]
    #expect(search([compiled]).choice(among: others + [copy]) == .found(copy))
    let twins = ["one/gateway/Gateway.swift", "two/gateway/Gateway.swift"]
    #expect(search([compiled]).choice(among: twins) == .unsure(twins))
  }

  @Test func withoutDebugInformationTheFolderOfTheModuleDecides() {
    let ofModule = "Sources/gateway/Gateway.swift"
    let other = "proj/Gateway.swift"
    #expect(search().choice(among: [other, ofModule]) == .found(ofModule))
    #expect(search().choice(among: [other]) == .only(other))
    let two = [other, "lib/Gateway.swift"]
    #expect(search().choice(among: two) == .unsure(two))
    let twins = ["a/gateway/Gateway.swift", "b/gateway/Gateway.swift"]
    #expect(search().choice(among: twins + [other]) == .unsure(twins))
  }

  @Test(arguments: SampleTraceTests.paths.filter { $0.hasSuffix("/watchtower-leak.rxtrace") })
  func pathsOfSourceFilesComeFromTheBacktraces(path: String) throws {
    var source = try TraceSource(path: path)
    let site = try #require(
      source.inspection(at: .end).sites.first { $0.location == "Pane.swift:94" }
    )
    let found = source.sourcePaths(of: site.file, line: site.line)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("Pane.swift") == true, "\(found)")
    #expect(source.sourcePaths(of: "watchtower/Nowhere.swift", line: 1).isEmpty)
  }
}
