import Glibc
import Testing

@testable import TraceModel
import TraceReading

@Suite struct SymbolPackingTests {
  /// A trace with the stack of this test as its only backtrace.
  @inline(never)
  private static func snapshot() throws -> TraceSnapshot {
    let stack = try RecordedStack.capture()
    var snapshot = TraceSnapshot()
    snapshot.images = stack.images
    snapshot.header.architecture = SymbolizerTests.architecture
    var chain = TraceChain()
    chain.frames = stack.addresses
    snapshot.chains = [TraceChain(), chain]
    return snapshot
  }

  @Test func packedSymbolsAreShownWithoutTheProgram() throws {
    var snapshot = try Self.snapshot()
    let before = AsyncBacktraceText(snapshot).lines(of: 1, Symbolizer(snapshot))
    #expect(
      before.contains { $0.contains("SymbolPackingTests.snapshot()") && $0.contains(".swift:") }
    )
    snapshot.symbols = SymbolPacking(snapshot).symbols
    // The trace is read on another machine, where these files do not exist.
    for index in snapshot.images.indices { snapshot.images[index].path = "/nowhere/\(index)" }
    let after = AsyncBacktraceText(snapshot).lines(of: 1, Symbolizer(snapshot))
    let named = before.indices.filter { !before[$0].contains("+0x") }
    #expect(named.count > 2)
    for index in named { #expect(before[index] == after[index]) }
  }

  @Test func packingAgainWithoutTheProgramKeepsTheSymbols() throws {
    var snapshot = try Self.snapshot()
    let first = SymbolPacking(snapshot)
    #expect(first.newCount == first.namedCount && first.namedCount > 2)
    snapshot.symbols = first.symbols
    for index in snapshot.images.indices { snapshot.images[index].path = "/nowhere" }
    let second = SymbolPacking(snapshot)
    #expect(second.namedCount == first.namedCount && second.newCount == 0)
    #expect(
      second.symbols.filter { !$0.function.isEmpty }
        == first.symbols.filter { !$0.function.isEmpty }
    )
  }

  @Test func missingSymbolsAreReportedOnceWithTheReason() throws {
    var snapshot = try Self.snapshot()
    let own = try #require(
      snapshot.images.firstIndex { image in
        let first = snapshot.chains[1].frames[0]
        return image.base <= first && first < image.endOfText
      }
    )
    snapshot.images[own].buildID[0] ^= 1
    let packing = SymbolPacking(snapshot)
    #expect(packing.namedCount < packing.addressCount)
    #expect(packing.problems.first?.reason.contains("its build id differs") == true)
    #expect((packing.problems.first?.count ?? 0) > 1)
    // The trace stores the reason as the note of the symbol.
    snapshot.symbols = packing.symbols
    let symbol = packing.symbols.first { $0.address == snapshot.chains[1].frames[0] }
    #expect(symbol?.function.isEmpty == true)
    #expect(symbol?.note.contains("its build id differs") == true)
  }
}
