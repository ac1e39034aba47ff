public import TraceReading

/// Embeds the results of a symbolizer in a trace, so that reading the trace does not need the
/// program.
public struct SymbolPacking: Sendable {
  /// The symbols to embed: those already in the trace, and new ones.
  public let symbols: [TraceSymbol]
  /// The number of return addresses on the stacks of the trace.
  public let addressCount: Int
  /// How many of these addresses have a known function now.
  public let namedCount: Int
  /// How many of these addresses had no known function before and have one now.
  public let newCount: Int
  /// Why the function is not known for the other addresses: each reason once, with the number of
  /// addresses.
  public let problems: [(reason: String, count: Int)]

  /// Looks up every address on the stacks of a trace.
  ///
  /// - Parameters:
  ///   - snapshot: The trace.
  ///   - symbolizer: A symbolizer of the same program that already knows some of the addresses; nil
  ///     for none.
  /// - Complexity: About 0.1 ms for each address, and the time to read the debug information.
  public init(_ snapshot: TraceSnapshot, _ symbolizer: Symbolizer? = nil) {
    let symbolizer = symbolizer ?? Symbolizer(snapshot)
    let addresses = Self.addresses(of: snapshot)
    let frames = symbolizer.frames(addresses)
    let before = Set(snapshot.symbols.filter { !$0.function.isEmpty }.map(\.address))
    symbols = frames.map(TraceSymbol.init)
    let named = Set(frames.filter { $0.function != nil }.map(\.address))
    addressCount = addresses.count
    namedCount = named.count
    newCount = named.subtracting(before).count
    var reasons: [String: Int] = [:]
    for frame in frames where frame.function == nil {
      reasons[frame.problem ?? "", default: 0] += 1
    }
    problems = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  /// The return addresses on the stacks of a trace, each once.
  package static func addresses(of snapshot: TraceSnapshot) -> [UInt64] {
    Set(snapshot.chains.flatMap(\.frames) + snapshot.crashStack).sorted()
  }
}

extension TraceSymbol {
  init(_ frame: SymbolizedFrame) {
    self.init()
    address = frame.address
    function = frame.function ?? ""
    isInlined = frame.isInlined
    note = frame.problem ?? ""
    guard let location = frame.location, let colon = location.lastIndex(of: ":") else { return }
    file = String(location[..<colon])
    line = UInt32(location[location.index(after: colon)...]) ?? 0
  }
}

extension SymbolizedFrame {
  init(_ symbol: TraceSymbol) {
    self.init(address: symbol.address)
    function = symbol.function.isEmpty ? nil : symbol.function
    location = symbol.file.isEmpty || symbol.line == 0 ? nil : "\(symbol.file):\(symbol.line)"
    isInlined = symbol.isInlined
    problem = symbol.note.isEmpty ? nil : symbol.note
  }
}
