import CReactiveTraceShims
import Glibc
import Testing

@testable import ReactiveTrace
import TracePlatform

@Suite struct ElfSymbolsTests {
  /// Returns an address in this function.
  @inline(never)
  static func addressHere() -> UInt64 {
    let buffer = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    defer { buffer.deallocate() }
    return withReturnAddress(buffer)
  }

  /// Returns its own return address, which is in its caller.
  @inline(never)
  static func withReturnAddress(_ buffer: UnsafeMutablePointer<UInt64>) -> UInt64 {
    var hash: UInt64 = 0
    rxt_walk_frames(rxt_frame_address(), rxt_stack_end(), buffer, 1, &hash)
    return buffer[0]
  }

  @Test func namesAFunctionOfTheProgramThatIsNotExported() throws {
    let address = Self.addressHere()
    let name = try #require(FunctionNames.names(at: [address]).first)
    let symbol = try #require(name.symbol)
    #expect(symbol.contains("addressHere"))
    #expect(FunctionNames.readable(symbol).contains("ElfSymbolsTests.addressHere()"))
    #expect(name.isProgram)
    #expect(!FunctionNames.isMachinery(name, readable: FunctionNames.readable(symbol)))
  }

  @Test func namesFunctionsOfLibraries() throws {
    let start = UInt64(UInt(bitPattern: try #require(dlsym(nil, "swift_retain"))))
    let name = try #require(FunctionNames.names(at: [start + 1]).first)
    #expect(name.symbol?.contains("swift_retain") == true)
    #expect(name.module?.hasPrefix("libswiftCore.so") == true)
    #expect(FunctionNames.isMachinery(name, readable: "swift_retain"))
  }

  @Test func returnsNamesInTheOrderOfTheAddresses() {
    let address = Self.addressHere()
    let names = FunctionNames.names(at: [1, address, 0, .max, address])
    #expect(names.map { $0.symbol?.contains("addressHere") } == [nil, true, nil, nil, true])
  }

  @Test func filesThatAreNotExecutablesAreRefused() {
    #expect(ElfSymbols(path: #filePath) == nil)
    #expect(ElfSymbols(path: "/") == nil)
    #expect(ElfSymbols(path: "/nowhere") == nil)
    #expect(ElfSymbols(path: "/dev/zero") == nil)
  }

  /// A file with two functions in its table: `first` at 4096, 16 bytes long, and `second` after it.
  ///
  /// - Parameter second: The address at which `second` begins.
  /// - Returns: The bytes of the file.
  private static func small(second: Int = 4112) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    func put(_ value: UInt64, _ width: Int, at place: Int) {
      for byte in 0..<width {
        bytes[place + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
      }
    }
    bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    put(64, 8, at: 40)  // sections
    put(64, 2, at: 58)
    put(3, 2, at: 60)
    // Section 1: symbols at 256, three of them; their names are in section 2.
    put(2, 4, at: 128 + 4)
    put(256, 8, at: 128 + 24)
    put(72, 8, at: 128 + 32)
    put(2, 4, at: 128 + 40)
    put(24, 8, at: 128 + 56)
    // Section 2: names at 400.
    put(3, 4, at: 192 + 4)
    put(400, 8, at: 192 + 24)
    put(20, 8, at: 192 + 32)
    for (row, symbol) in [(1, 4096, 16), (7, second, 32)].enumerated() {
      let place = 256 + 24 * (row + 1)
      put(UInt64(symbol.0), 4, at: place)
      bytes[place + 4] = 2
      put(1, 2, at: place + 6)
      put(UInt64(symbol.1), 8, at: place + 8)
      put(UInt64(symbol.2), 8, at: place + 16)
    }
    bytes.replaceSubrange(400..<414, with: Array("\0first\0second\0".utf8))
    return bytes
  }

  private static func lookUp(_ bytes: [UInt8], _ addresses: [UInt64]) throws -> [UInt64: String]? {
    let file = try TemporaryFile(bytes)
    guard let symbols = ElfSymbols(path: file.path) else { return nil }
    defer { symbols.close() }
    _ = symbols.buildID()
    return symbols.symbols(at: addresses).mapValues { symbol in
      symbol.names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  @Test func anAddressBelongsToTheFunctionThatContainsIt() throws {
    let found = try Self.lookUp(Self.small(), [4095, 4096, 4111, 4112, 4143, 4144])
    #expect(found == [4096: "first", 4111: "first", 4112: "second", 4143: "second"])
  }

  @Test(arguments: [4112, 4096]) func allFunctionsOfAFileAreListedInTheirOrder(second: Int) throws {
    let file = try TemporaryFile(Self.small(second: second))
    let symbols = try #require(ElfSymbols(path: file.path))
    defer { symbols.close() }
    let functions = symbols.allFunctions().map {
      "\($0.start)-\($0.end) \($0.names.joined(separator: " "))"
    }
    #expect(
      functions
        == (second == 4096 ? ["4096-4128 first second"] : ["4096-4112 first", "4112-4144 second"])
    )
  }

  @Test func allFunctionsOfThisProcessAreListedWithoutThoseOfTheLibrary() throws {
    let all = FunctionNames.everything()
    let address = Self.addressHere() - 1
    let here = try #require(all.functions.last { $0.range.contains(address) })
    #expect(here.name?.contains("ElfSymbolsTests.addressHere()") == true)
    #expect(
      all.images.contains { $0.range.contains(address) && $0.name?.hasSuffix(".xctest") == true }
    )
    #expect(all.images.contains { $0.name == "libswiftCore.so" })
    #expect(!all.functions.contains { $0.name == "Trace.stop()" })
    #expect(all.functions == all.functions.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// The linker merges functions that have the same code.
  @Test func anAddressBelongsToAllFunctionsThatBeginThere() throws {
    let found = try Self.lookUp(Self.small(second: 4096), [4096, 4111, 4127])
    #expect(found == [4096: "first second", 4111: "first second", 4127: "second"])
  }

  @Test(arguments: [
    (["$s1m5alphaySiSaySiGF"], "alpha(_:)"),
    (["$s1m5alphaySiSaySiGFTm"], "one of: alpha(_:), or another that was merged with it"),
    (["$s1m5alphaySiSaySiGF", "$s1m4betaySiSaySiGF"], "one of: alpha(_:), beta(_:)"),
    (["write", "__write"], "write"),
    (["shop_main", "main"], "main"),
    (["$s1myycfU_"], "closure #1 in main"),
    (["a", "b", "c", "d", "e", "f"], "one of: a, b, c, d and 2 more"),
  ])
  func mergedFunctionsAreNamedAsOneOfSeveral(symbols: [String], text: String) {
    #expect(FunctionNames.readable(symbols) == text)
  }

  @Test func damagedFilesDoNotCrashTheReader() throws {
    var random = SystemRandomNumberGenerator()
    let whole = Self.small()
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let value: UInt8 = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 0xFF
        bytes[.random(in: 6..<480, using: &random)] = value
      }
      bytes.removeLast(.random(in: 0..<512, using: &random))
      let found = try Self.lookUp(bytes, [0, 4096, 4112, .max]) ?? [:]
      #expect(found.count <= 4)
    }
  }
}
