import TraceReading

extension TraceSnapshot {
  /// Replaces the chains with stacks in which a helper is called by one of these functions: by the
  /// first function in chain 1, by the second in chain 2, and so on.
  ///
  /// The symbols are replaced with those of the helper and of these functions.
  mutating func addCallers(_ functions: [String]) {
    header.stackMode = .callers
    chains = [TraceChain()]
    symbols = [.of(0x1000, "Help.track(_:)", "/app/Help.swift", 9)]
    for (number, function) in functions.enumerated() {
      let address = 0x2000 + UInt64(number)
      var chain = TraceChain()
      chain.frames = [0x1000, address]
      chains.append(chain)
      let file = "/app/\(function.prefix { $0 != "." }).swift"
      symbols.append(.of(address, function, file, UInt32(number + 1)))
    }
  }
}

extension TraceSymbol {
  fileprivate static func of(
    _ address: UInt64,
    _ function: String,
    _ file: String,
    _ line: UInt32
  ) -> TraceSymbol {
    var symbol = TraceSymbol()
    (symbol.address, symbol.function, symbol.file, symbol.line) = (address, function, file, line)
    return symbol
  }
}
