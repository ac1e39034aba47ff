internal import FoundationEssentials
import TracePlatform
internal import TraceReading
internal import Runtime

/// Looks up functions with the toolchain's reader of debug information.
///
/// The toolchain's reader trusts its input: damaged debug information ends the process that runs
/// it. With ``SymbolHelper``, it runs in a helper process.
enum SymbolLookup {
  /// The addresses and images of a query.
  struct Question: Codable {
    /// The loaded executables and libraries, in the order of their addresses.
    var images: [CompactBacktrace.Image]
    var isARM64: Bool
    var addresses: [UInt64]
  }

  /// A function at an address.
  struct Symbol: Codable, Equatable {
    var address: UInt64
    var function: String
    var location: String?
    var isInlined: Bool
    /// Whether the compiler has merged several functions into this one.
    var isMerged = false
  }

  private struct Encoded: Encodable {
    var imageMap: String
    var backtrace: String
    var architecture: String
  }

  /// The functions, innermost first for each address; nil if nothing can be looked up.
  static func answer(_ question: Question) -> [Symbol]? {
    if question.addresses.isEmpty { return [] }
    guard let (backtrace, map) = decode(question),
      let symbolicated = backtrace.symbolicated(with: map)
    else { return nil }
    var found: [Symbol] = []
    for frame in symbolicated.frames {
      guard let address = UInt64(frame.captured.originalProgramCounter), let symbol = frame.symbol
      else { continue }
      let source = symbol.sourceLocation
      let function = symbol.name.isEmpty ? symbol.rawName : symbol.name
      guard function != "<unknown>" else { continue }
      let location = source.flatMap { $0.line > 0 ? "\($0.path):\($0.line)" : nil }
      found.append(
        Symbol(
          address: address,
          function: function,
          location: location,
          isInlined: frame.inlined,
          isMerged: FunctionNames.isMerged(symbol.rawName)
        )
      )
    }
    return found
  }

  /// The question in the types of the `Runtime` module.
  ///
  /// Their `Codable` representation is not a documented contract.
  private static func decode(_ question: Question) -> (Backtrace, ImageMap)? {
    let map = CompactBacktrace.base64(CompactBacktrace.imageMap(question.images))
    let encoded = Encoded(
      imageMap: map,
      backtrace: CompactBacktrace.base64(CompactBacktrace.backtrace(question.addresses)),
      architecture: question.isARM64 ? "arm64" : "x86_64"
    )
    let decoder = JSONDecoder()
    guard let json = try? JSONEncoder().encode(encoded),
      let mapJSON = try? JSONEncoder().encode(map),
      let backtrace = try? decoder.decode(Backtrace.self, from: json),
      let images = try? decoder.decode(ImageMap.self, from: mapJSON)
    else { return nil }
    return (backtrace, images)
  }
}
