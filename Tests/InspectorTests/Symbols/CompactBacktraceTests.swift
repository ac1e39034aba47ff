import Foundation
import ReactiveTrace
import Runtime
import Testing
@testable import TraceModel

/// The toolchain's encoding of its own types, which is not documented.
@Suite struct CompactBacktraceTests {
  private struct Shape: Decodable {
    var imageMap: String
    var backtrace: String
    var architecture: String
  }

  @Test func anImageMapIsReadAsTheToolchainWroteIt() throws {
    let map = ImageMap.capture()
    let written = try JSONDecoder().decode(String.self, from: JSONEncoder().encode(map))
    // Only the first character is compared, which has six bits of the header. Foundation cannot
    // decode more, because the toolchain leaves out the padding.
    #expect(written.first == CompactBacktrace.base64(CompactBacktrace.imageMap([])).first)
    let images = map.map { image in
      CompactBacktrace.Image(
        path: image.path ?? "",
        base: UInt64(image.baseAddress) ?? 0,
        endOfText: UInt64(image.endOfText) ?? 0,
        buildID: image.uniqueID ?? []
      )
    }
    let ours = CompactBacktrace.base64(CompactBacktrace.imageMap(images, platform: map.platform))
    let read = try JSONDecoder().decode(ImageMap.self, from: JSONEncoder().encode(ours))
    #expect(read == map)
  }

  @Test func aBacktraceHasTheShapeThatTheToolchainReads() throws {
    let captured = try Backtrace.capture(images: ImageMap.capture())
    let shape = try JSONDecoder().decode(Shape.self, from: JSONEncoder().encode(captured))
    #expect(shape.architecture == captured.architecture)
    // The toolchain leaves out the padding, without which Foundation decodes nothing.
    let padding = String(repeating: "=", count: (4 - shape.backtrace.count % 4) % 4)
    #expect(
      Data(base64Encoded: shape.backtrace + padding)?.first == CompactBacktrace.backtrace([]).first
    )
  }

  @Test(
    arguments: [
      [], [0], [1], [0x7F], [0x80], [0xFF], [0x8000], [0x55AA_1234_5678], [0xFFFF_FFFF],
      [0x7FFF_FFFF_FFFF_FFFF], [.max], [1, .max, 0x80, 0],
    ] as [[UInt64]]
  )
  func addressesAreReadBackUnchanged(addresses: [UInt64]) throws {
    let object = [
      "architecture": "x86_64",
      "backtrace": CompactBacktrace.base64(CompactBacktrace.backtrace(addresses)),
      "imageMap": CompactBacktrace.base64(CompactBacktrace.imageMap([])),
    ]
    let backtrace = try JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(object))
    let read = backtrace.frames.compactMap { frame -> UInt64? in
      guard case .returnAddress(let address) = frame else { return nil }
      return UInt64(address)
    }
    #expect(read == addresses)
  }

  @Test func base64MatchesFoundation() {
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(CompactBacktrace.base64(bytes) == Data(bytes).base64EncodedString())
    }
  }

  @Test(arguments: [0, 1, 62, 63, 64, 126, 127, 4000])
  func longPathsAreReadBackUnchanged(length: Int) throws {
    let image = CompactBacktrace.Image(
      path: String(repeating: "/ä", count: length),
      base: 0x1000,
      endOfText: 0x2000,
      buildID: Array(repeating: 7, count: length)
    )
    let text = CompactBacktrace.base64(CompactBacktrace.imageMap([image]))
    let map = try JSONDecoder().decode(ImageMap.self, from: JSONEncoder().encode(text))
    #expect(map.count == 1)
    #expect((map.first?.path ?? "") == image.path)
    #expect((map.first?.uniqueID ?? []) == image.buildID)
  }
}
