import TracePlatform
public import TraceReading

/// Finds function, file and line of recorded return addresses, without the process they come from.
///
/// It needs the executable and libraries where they were when the trace was recorded, with the same
/// build identifiers; file and line also need debug information (`-g`). If something is missing,
/// the frame says so and shows `module+offset`, which can be looked up by hand. The first use of a
/// module is slow, because its debug information is read. Each further call is slow, too: ask for
/// many addresses at once, or make a symbolizer that knows them (``knowing(_:)``). Symbols embedded
/// in the trace are used as they are.
///
/// Code that the compiler or the linker has merged from several functions is shown as `one of: f(),
/// g()`. If debug information is damaged, lines and inlined functions are missing, and possibly
/// names; see ``SymbolHelper``.
public struct Symbolizer: Sendable {
  private let images: [TraceImage]
  private let architecture: Architecture
  /// Functions embedded in the trace, by address.
  private let embedded: [UInt64: [TraceSymbol]]
  /// Results of earlier lookups.
  private var known: [UInt64: [SymbolizedFrame]] = [:]

  /// A symbolizer for one trace.
  public init(_ snapshot: TraceSnapshot) {
    self.init(snapshot.images, snapshot.header.architecture, embedded: snapshot.symbols)
  }

  /// A symbolizer for the images of one trace, in any order.
  public init(_ images: [TraceImage], _ architecture: Architecture, embedded: [TraceSymbol] = []) {
    self.embedded = Dictionary(grouping: embedded.filter { !$0.function.isEmpty }, by: \.address)
    self.images = images.filter { $0.endOfText > $0.base }.sorted { $0.base < $1.base }
    self.architecture = architecture
  }

  /// The functions at return addresses, in order: one for each address, and one more for each
  /// function that was inlined there, before the one it was inlined into.
  public func frames(_ addresses: [UInt64]) -> [SymbolizedFrame] {
    let unknown = Set(addresses).filter { known[$0] == nil }
    let found = unknown.isEmpty ? [:] : lookUp(unknown)
    return addresses.flatMap { known[$0] ?? found[$0] ?? [] }
  }

  /// A copy of the symbolizer that knows the given addresses, so that they need no further lookup.
  public func knowing(_ addresses: some Sequence<UInt64>) -> Symbolizer {
    var copy = self
    copy.known.merge(lookUp(Set(addresses).filter { known[$0] == nil })) { $1 }
    return copy
  }

  private func lookUp(_ addresses: Set<UInt64>) -> [UInt64: [SymbolizedFrame]] {
    var frames: [UInt64: [SymbolizedFrame]] = [:]
    var wanted: [UInt64: Wanted] = [:]
    for address in addresses {
      var frame = SymbolizedFrame(address: address)
      let image = image(of: address)
      if let image {
        frame.module = String(image.path.split(separator: "/").last ?? "?")
        frame.offset = address - image.base
      } else {
        frame.problem = "no symbols: the address is in no recorded library"
      }
      if let symbols = embedded[address] {
        frames[address] = symbols.map { symbol in
          var named = SymbolizedFrame(symbol)
          (named.module, named.offset) = (frame.module, frame.offset)
          return named
        }
        continue
      }
      frames[address] = [frame]
      if let image { wanted[image.base, default: (image, [])].addresses.append(address) }
    }
    lookUp(wanted.values.sorted { $0.image.base < $1.image.base }, &frames)
    return frames
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
    return "no symbols: '\(image.path)' was rebuilt since (its build id differs)"
  }

  // MARK: One module

  /// The message shown if the toolchain's module rejects its input, whose form is not a documented
  /// contract.
  private static let unreadable =
    "no symbols: this rxtop does not understand its Swift toolchain"

  /// Addresses in one image.
  private typealias Wanted = (image: TraceImage, addresses: [UInt64])
  /// The outer optional is nil if the helper ended before it answered; the inner one is nil if
  /// nothing can be looked up.
  private typealias Answer = [SymbolLookup.Symbol]??

  /// Fills in the names, or the reason why they are missing, in `frames`, which has one frame for
  /// each address.
  private func lookUp(_ wanted: [Wanted], _ frames: inout [UInt64: [SymbolizedFrame]]) {
    var usable: [Wanted] = []
    for one in wanted {
      if let problem = Self.problem(with: one.image) {
        for address in one.addresses { frames[address]?[0].problem = problem }
      } else {
        usable.append(one)
      }
    }
    guard !usable.isEmpty else { return }
    let all = ask(usable)
    for one in usable {
      // If one of several images is damaged, each is looked up separately.
      let answer = all == nil && usable.count > 1 ? ask([one]) : all
      name(one, answer, &frames)
    }
  }

  private func ask(_ wanted: [Wanted]) -> Answer {
    let question = SymbolLookup.Question(
      images: wanted.map { one in
        CompactBacktrace.Image(
          path: one.image.path,
          base: one.image.base,
          endOfText: one.image.endOfText,
          buildID: one.image.buildID
        )
      },
      isARM64: architecture == .arm64,
      addresses: wanted.flatMap(\.addresses)
    )
    return SymbolHelper.isUsed ? SymbolHelper.ask(question) : .some(SymbolLookup.answer(question))
  }

  private func name(
    _ wanted: Wanted,
    _ answer: Answer,
    _ frames: inout [UInt64: [SymbolizedFrame]]
  ) {
    let names = Self.names(at: wanted.addresses, in: wanted.image)
    var symbols: [UInt64: [SymbolLookup.Symbol]] = [:]
    if let some = answer, let found = some { symbols = Dictionary(grouping: found, by: \.address) }
    for address in wanted.addresses {
      guard let frame = frames[address]?.first else { continue }
      if let found = symbols[address] {
        frames[address] = found.map { symbol in
          var named = frame
          named.function = symbol.isInlined ? symbol.function : Self.name(symbol, names[address])
          (named.location, named.isInlined) = (symbol.location, symbol.isInlined)
          return named
        }
        continue
      }
      frames[address]?[0].function = names[address]
      frames[address]?[0].problem =
        switch answer {
        case .none: "no lines: the debug information of '\(wanted.image.path)' is damaged"
        case .some(.none): Self.unreadable
        case .some(.some):
          names[address] == nil ? "no symbols: it has none for this address" : nil
        }
    }
  }

  /// The name to show for a symbol.
  ///
  /// Code that several functions share is never shown with only one of their names.
  private static func name(_ symbol: SymbolLookup.Symbol, _ name: String?) -> String {
    if let name, name.hasPrefix("one of: ") { return name }
    guard symbol.isMerged || symbol.function.hasPrefix("merged ") else { return symbol.function }
    let one =
      symbol.function.hasPrefix("merged ") ? symbol.function.dropFirst(7) : symbol.function[...]
    return FunctionNames.readable(oneOf: [String(one)], andOthers: true)
  }

  /// Names from the symbol table, read by this module's own code.
  private static func names(at addresses: [UInt64], in image: TraceImage) -> [UInt64: String] {
    guard let file = ElfSymbols(path: image.path) else { return [:] }
    defer { file.close() }
    return file.functions(at: addresses, loadedAt: image.base)
  }
}
