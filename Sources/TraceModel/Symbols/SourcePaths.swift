package import TraceReading

/// Finds the paths of source files in debug information, because the compiler names a file only as
/// `Module/File.swift`.
package struct SourcePaths {
  private let snapshot: TraceSnapshot
  /// The maximum number of return addresses that are looked up: debug information is slow to read.
  private static let limit = 4096

  package init(_ snapshot: TraceSnapshot) { self.snapshot = snapshot }

  package func paths(of file: String, line: UInt32, _ symbolizer: Symbolizer) -> [String] {
    guard let name = file.split(separator: "/").last else { return [] }
    // The backtraces of subscriptions and timers made on that line pass through it; other
    // backtraces may pass through its file.
    for chains in [chains(from: file, line), Set(snapshot.chains.indices)] {
      let addresses = Set(chains.flatMap { snapshot.chains[$0].frames }).sorted()
      var found: [(path: String, isLine: Bool)] = []
      for frame in symbolizer.frames(Array(addresses.prefix(Self.limit))) {
        guard let location = frame.location, let colon = location.lastIndex(of: ":") else {
          continue
        }
        let path = String(location[..<colon])
        guard path.split(separator: "/").last == name else { continue }
        let isLine = location[location.index(after: colon)...] == "\(line)"
        found.append((path, isLine))
      }
      let exact = Set(found.filter(\.isLine).map(\.path))
      let paths = exact.isEmpty ? Set(found.map(\.path)) : exact
      if !paths.isEmpty { return Self.ordered(paths, file) }
    }
    return []
  }

  /// The rows of the chains (asynchronous backtraces) of subscriptions and timers made on a line.
  private func chains(from file: String, _ line: UInt32) -> Set<Int> {
    let rows = snapshot.sites.indices.filter {
      snapshot.sites[$0].file == file && snapshot.sites[$0].line == line
    }
    let sites = Set(rows.map { UInt32($0) })
    var wanted: Set<UInt32> = []
    for slot in snapshot.slots
    where slot.kind != .none && slot.kind != .signal && sites.contains(slot.site) {
      wanted.insert(slot.chain)
    }
    for record in snapshot.records {
      if let new = record.subscribing, sites.contains(new.site) { wanted.insert(new.chain) }
      if let new = record.timerArming, sites.contains(new.site) { wanted.insert(new.chain) }
    }
    return Set(wanted.map { Int($0) }.filter(snapshot.chains.indices.contains))
  }

  /// The paths, those in a folder named like the module first.
  private static func ordered(_ paths: Set<String>, _ file: String) -> [String] {
    let module = file.split(separator: "/").first
    func rank(_ path: String) -> Int {
      path.split(separator: "/").dropLast().contains { $0 == module } ? 0 : 1
    }
    return paths.sorted { (rank($0), $0) < (rank($1), $1) }
  }
}
