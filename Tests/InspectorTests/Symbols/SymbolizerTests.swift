import Foundation
import Glibc
import Runtime
import Testing

@testable import TraceModel
import TracePlatform
import TraceReading

@Suite struct SymbolizerTests {
  #if arch(arm64)
  static let architecture = Architecture.arm64
  #else
  static let architecture = Architecture.x86_64
  #endif

  // MARK: Names, files and lines

  @inline(never)
  private func captureFromHere() throws -> (stack: RecordedStack, line: Int) {
    let line = #line + 1
    let stack = try RecordedStack.capture()
    return (stack, line)
  }

  @Test func namesFunctionFileAndLine() throws {
    let call = #line + 1
    let (stack, line) = try captureFromHere()
    let frames = Symbolizer(stack.images, Self.architecture).frames(stack.addresses)
    let here = try #require(frames.first { $0.function?.contains("captureFromHere") == true })
    #expect(here.location?.hasSuffix("SymbolizerTests.swift:\(line)") == true)
    #expect(here.problem == nil)
    let caller = frames.first { $0.function?.contains("namesFunctionFileAndLine") == true }
    #expect(caller?.location?.hasSuffix("SymbolizerTests.swift:\(call)") == true)
  }

  /// A call may be the last instruction of a function; the return address is then the first address
  /// of the next function.
  @Test func anAddressIsLookedUpAsAReturnAddress() throws {
    let symbol = try #require(dlsym(nil, "swift_retain"))
    let start = UInt64(UInt(bitPattern: symbol))
    let frames = Symbolizer(RecordedStack.loadedImages(), Self.architecture)
      .frames([start, start + 1])
    #expect(frames.last?.address == start + 1)
    #expect(frames.last?.function?.contains("swift_retain") == true)
    #expect(frames.first?.address == start)
    #expect(frames.first?.function != frames.last?.function)
  }

  @Test func everyAddressIsAnsweredInOrder() throws {
    let (stack, _) = try captureFromHere()
    let twice = stack.addresses + stack.addresses.reversed() + [1]
    let frames = Symbolizer(stack.images, Self.architecture).frames(twice)
    #expect(frames.filter { !$0.isInlined }.map(\.address) == twice)
    #expect(frames.last?.text == "0x1 (no symbols: the address is in no recorded library)")
  }

  @Test func namesLookedUpInAdvanceAreTheSame() throws {
    let (stack, _) = try captureFromHere()
    let knowing = Symbolizer(stack.images, Self.architecture).knowing(stack.addresses)
    #expect(
      knowing.frames(stack.addresses)
        == Symbolizer(stack.images, Self.architecture).frames(stack.addresses)
    )
  }

  /// If the debug information cannot be read, names come from the table of symbols.
  @Test func theSymbolTableHasTheSameFunctions() throws {
    let (stack, _) = try captureFromHere()
    let own = stack.images[try #require(stack.own)]
    let file = try #require(ElfSymbols(path: own.path))
    defer { file.close() }
    let names = file.functions(at: stack.addresses, loadedAt: own.base)
    let frames = Symbolizer(stack.images, Self.architecture).frames(stack.addresses)
      .filter { !$0.isInlined }
    let here = try #require(frames.first { $0.function?.contains("captureFromHere") == true })
    #expect(names[here.address]?.contains("captureFromHere") == true)
    for frame in frames where frame.function?.hasPrefix("one of") == true {
      #expect(names[frame.address] == frame.function)
    }
  }

  @Test func theOrderOfImagesDoesNotMatter() throws {
    let (stack, _) = try captureFromHere()
    let forwards = Symbolizer(stack.images, Self.architecture).frames(stack.addresses)
    let backwards = Symbolizer(stack.images.reversed(), Self.architecture).frames(stack.addresses)
    #expect(forwards == backwards)
  }

  // MARK: Missing symbols

  @Test func theFileOfAnotherBuildIsNotUsedForSymbols() throws {
    var (stack, _) = try captureFromHere()
    let own = try #require(stack.own)
    try #require(!stack.images[own].buildID.isEmpty)
    stack.images[own].buildID[0] ^= 1
    let other = UInt64(UInt(bitPattern: try #require(dlsym(nil, "swift_retain")))) + 1
    let frames = Symbolizer(stack.images, Self.architecture).frames([stack.addresses[0], other])
    let frame = try #require(frames.first)
    #expect(frame.function == nil)
    #expect(frame.problem?.contains("its build id differs") == true)
    let offset = String(stack.addresses[0] - stack.images[own].base, radix: 16)
    #expect(frame.text.contains(".xctest+0x\(offset) (no symbols: "))
    // The other image still has its symbols.
    #expect(frames.last?.function?.contains("swift_retain") == true)
  }

  @Test func aMissingFileIsReported() throws {
    var (stack, _) = try captureFromHere()
    let own = try #require(stack.own)
    stack.images[own].path = "/nowhere/app"
    let frame = try #require(
      Symbolizer(stack.images, Self.architecture).frames([stack.addresses[0]]).first
    )
    let offset = String(stack.addresses[0] - stack.images[own].base, radix: 16)
    #expect(frame.text == "app+0x\(offset) (no symbols: '/nowhere/app' is not there any more)")
  }

  @Test func anAddressWithoutASymbolIsReported() throws {
    let (stack, _) = try captureFromHere()
    let own = try #require(stack.own)
    // The first bytes of an image are its header, never a function.
    let frame = try #require(
      Symbolizer(stack.images, Self.architecture).frames([stack.images[own].base + 16]).first
    )
    #expect(frame.function == nil)
    #expect(frame.text.hasSuffix("+0x10 (no symbols: it has none for this address)"))
  }

  @Test func anEmptyRequestSucceeds() {
    #expect(Symbolizer([], Self.architecture).frames([]).isEmpty)
    let frame = Symbolizer([], Self.architecture).frames([.max]).first
    #expect(frame?.text == "0xffffffffffffffff (no symbols: the address is in no recorded library)")
    var image = TraceImage()
    image.base = 0
    image.endOfText = .max
    #expect(Symbolizer([image], Self.architecture).frames([0, 1, .max - 1]).count == 3)
  }

  // MARK: The build identifier

  @Test func theBuildIdentifierIsThatOfTheLoadedImage() throws {
    var compared = 0
    for image in RecordedStack.loadedImages() where image.path.hasPrefix("/") {
      guard !image.buildID.isEmpty, let identifier = BuildID.of(path: image.path) else { continue }
      #expect(identifier == image.buildID, "of \(image.path)")
      compared += 1
    }
    #expect(compared > 2)
  }

  @Test func aFileThatIsNotAnExecutableHasNoBuildIdentifier() {
    #expect(BuildID.of(path: #filePath) == nil)
    #expect(BuildID.of(path: "/") == nil)
    #expect(BuildID.of(path: "/nowhere") == nil)
    #expect(BuildID.of(path: "/dev/null") == nil)
    let pipe = NSTemporaryDirectory() + "rxtop-test-\(getpid()).pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(BuildID.of(path: pipe) == nil)
  }

  @Test func noDamageOfAnExecutableIsATrap() throws {
    let stack = try RecordedStack.capture()
    let path = stack.images[try #require(stack.own)].path
    let file = try #require(FileHandle(forReadingAtPath: path))
    let head = [UInt8](try #require(try file.read(upToCount: 4096)))
    let copy = NSTemporaryDirectory() + "rxtop-test-\(getpid()).elf"
    defer { unlink(copy) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      var bytes = head
      // The magic number stays intact, so that the file is parsed at all.
      for _ in 0..<8 {
        bytes[.random(in: 6..<1000, using: &random)] = .random(in: 0...255, using: &random)
      }
      bytes.removeLast(.random(in: 0..<4096, using: &random))
      try Data(bytes).write(to: URL(fileURLWithPath: copy))
      // A build identifier that is found lies within the file.
      #expect((BuildID.of(path: copy) ?? []).count <= bytes.count)
    }
  }
}
