/// A row of the symbol table whose names are still numbers.
struct SymbolRow {
  private var raw = TraceSymbol()
  private let function: UInt32
  private let file: UInt32
  private let note: UInt32

  private init(_ row: TableReader.Row) {
    raw.address = Layout.Symbol.address.load(from: row)
    raw.line = Layout.Symbol.line.load(from: row)
    raw.isInlined = Layout.Symbol.isInlined.load(from: row) == 1
    function = Layout.Symbol.function.load(from: row)
    file = Layout.Symbol.file.load(from: row)
    note = Layout.Symbol.note.load(from: row)
  }

  /// All rows of a file in order; empty if it has none.
  static func all(in tables: TableReader, _ log: inout ProblemLog) -> [SymbolRow] {
    var rows: [SymbolRow] = []
    tables.forEachRow(of: .symbols, &log) { _, _, row in rows.append(SymbolRow(row)) }
    return rows
  }

  func symbol(_ index: Int, at place: Int, _ names: inout NameLookup) -> TraceSymbol {
    var symbol = raw
    symbol.function = names.text(function, in: "symbol", index, at: place)
    symbol.file = names.text(file, in: "symbol", index, at: place)
    symbol.note = names.text(note, in: "symbol", index, at: place)
    return symbol
  }
}
