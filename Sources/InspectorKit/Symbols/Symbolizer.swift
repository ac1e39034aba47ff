internal import FoundationEssentials
public import ReactiveTrace
internal import Runtime

/// Finds function, file and line of recorded return addresses, without the process they come from.
///
/// It needs the executable and libraries where they were when the trace was recorded, with the same build
/// identifiers; file and line also need debug information (`-g`). Where something is missing the frame
/// says so and shows `module+offset`, which can be looked up by hand. Slow at first use of a module
/// (it reads its debug information), fast afterwards. What is embedded in the trace is used as it is.
public struct Symbolizer: Sendable {
  private let images: [TraceImage]
  private let architecture: Architecture
  /// What the trace has itself, by address, where that is a function.
  private let embedded: [UInt64: [TraceSymbol]]

  /// A symbolizer for one trace.
  public init(_ snapshot: TraceSnapshot) {
    self.init(snapshot.images, snapshot.header.architecture, embedded: snapshot.symbols)
  }

  /// A symbolizer for the images of one trace, in any order.
  public init(
    _ images: [TraceImage],
    _ architecture: Architecture,
    embedded: [TraceSymbol] = []
  ) {
    self.embedded = Dictionary(grouping: embedded.filter { !$0.function.isEmpty }, by: \.address)
    self.images = images.filter { $0.endOfText > $0.base }.sorted { $0.base < $1.base }
    self.architecture = architecture
  }

  /// The functions at return addresses, in order: one for each address, and one more for each function
  /// that was inlined there, before the one it was inlined into.
  public func frames(_ addresses: [UInt64]) -> [SymbolizedFrame] {
    var problems: [UInt64: String?] = [:]
    var wanted: [UInt64] = []
    for address in addresses where embedded[address] == nil {
      guard let image = image(of: address) else { continue }
      let problem = problems[image.base] ?? Self.problem(with: image)
      problems[image.base] = problem
      if problem == nil { wanted.append(address) }
    }
    let found = symbols(wanted)
    return addresses.flatMap { address -> [SymbolizedFrame] in
      var frame = SymbolizedFrame(address: address)
      if let image = image(of: address) {
        frame.module = String(image.path.split(separator: "/").last ?? "?")
        frame.offset = address - image.base
        frame.problem = problems[image.base] ?? nil
      } else {
        frame.problem = "in no recorded module"
      }
      if let known = embedded[address] {
        return known.map { symbol in
          var named = SymbolizedFrame(symbol)
          named.module = frame.module
          named.offset = frame.offset
          return named
        }
      }
      guard let symbols = found?[address], !symbols.isEmpty else {
        if frame.problem == nil {
          frame.problem =
            found == nil ? Self.unreadable : "no symbols: it has none for this address"
        }
        return [frame]
      }
      return symbols.map { symbol in
        var named = frame
        named.function = symbol.function
        named.location = symbol.location
        named.isInlined = symbol.isInlined
        return named
      }
    }
  }

  private func image(of address: UInt64) -> TraceImage? {
    images.last { $0.base <= address }.flatMap { address < $0.endOfText ? $0 : nil }
  }

  /// Why a module cannot be used here; nil if it can.
  private static func problem(with image: TraceImage) -> String? {
    guard let identifier = BuildID.of(path: image.path) else {
      return "no symbols: '\(image.path)' is not there any more"
    }
    if image.buildID.isEmpty || identifier == image.buildID { return nil }
    return "no symbols: '\(image.path)' was built anew since (its build id differs)"
  }

  // MARK: The toolchain's module

  /// What is said where the toolchain's module does not take what is handed to it: its input is no
  /// documented contract.
  private static let unreadable =
    "no symbols: this rxtop and its Swift toolchain do not understand each other"

  private struct Symbol {
    var function: String
    var location: String?
    var isInlined: Bool
  }

  private struct Encoded: Encodable {
    var imageMap: String
    var backtrace: String
    var architecture: String
  }

  /// Symbols by address, innermost first; nil if nothing can be looked up.
  private func symbols(_ addresses: [UInt64]) -> [UInt64: [Symbol]]? {
    let unique = Array(Set(addresses))
    guard !unique.isEmpty else { return [:] }
    guard let (backtrace, map) = decode(unique),
      let symbolicated = backtrace.symbolicated(with: map)
    else { return nil }
    var found: [UInt64: [Symbol]] = [:]
    for frame in symbolicated.frames {
      guard let address = UInt64(frame.captured.originalProgramCounter), let symbol = frame.symbol
      else { continue }
      let source = symbol.sourceLocation
      let location = source.map { "\($0.path):\($0.line)" }
      let function = symbol.name.isEmpty ? symbol.rawName : symbol.name
      guard function != "<unknown>" else { continue }
      found[address, default: []].append(
        Symbol(
          function: function,
          location: source?.line ?? 0 > 0 ? location : nil,
          isInlined: frame.inlined
        )
      )
    }
    return found
  }

  /// The module's own types, with only the images that are needed.
  private func decode(_ addresses: [UInt64]) -> (Backtrace, ImageMap)? {
    let used = images.filter { image in
      addresses.contains { $0 >= image.base && $0 < image.endOfText }
    }
    let map = CompactBacktrace.base64(
      CompactBacktrace.imageMap(
        used.map { image in
          CompactBacktrace.Image(
            path: image.path,
            base: image.base,
            endOfText: image.endOfText,
            buildID: image.buildID
          )
        }
      )
    )
    let encoded = Encoded(
      imageMap: map,
      backtrace: CompactBacktrace.base64(CompactBacktrace.backtrace(addresses)),
      architecture: architecture == .arm64 ? "arm64" : "x86_64"
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
