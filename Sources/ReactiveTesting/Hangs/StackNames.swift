import TraceModel

/// The names of the functions on stacks of this process.
struct StackNames {
  private let frames: [UInt64: [SymbolizedFrame]]

  /// Looks up all addresses at once, because most of the time is spent reading the debug
  /// information.
  init(_ stacks: [[UInt64]], _ symbolizer: Symbolizer?) {
    let addresses = Set(stacks.joined()).sorted()
    frames = Dictionary(grouping: symbolizer?.frames(addresses) ?? [], by: \.address)
  }

  /// The program's own functions on a stack, innermost first; empty if there are none.
  func ownLines(of stack: [UInt64]) -> [String] {
    let lines = stack.flatMap { frames[$0] ?? [] }.map(\.shortText)
    let own = zip(lines, AsyncBacktraceText.owners(of: lines)).filter { $0.1 == .program }.map(\.0)
    return own.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
