extension TraceOptions {
  /// A part of the source code that has its own level: a module, a file or a line.
  public struct Place: Sendable, Hashable {
    /// How much is recorded about the operators and subscriptions there, whatever the overall level
    /// is.
    ///
    /// ``/TraceFormat/TraceLevel/off`` is treated as ``/TraceFormat/TraceLevel/graph``: lifetimes
    /// are recorded everywhere.
    public var level: TraceLevel
    /// The module; nil for any.
    public var module: String?
    /// The name of the file, without directories; nil for any.
    public var file: String?
    /// The line of the call; nil for any.
    public var line: UInt32?

    /// Creates a place: a module, a file (of any module, or of `module`), or a line of a file.
    public init(
      _ level: TraceLevel,
      module: String? = nil,
      file: String? = nil,
      line: UInt32? = nil
    ) {
      self.level = level
      self.module = module
      self.file = file
      self.line = line
    }

    /// How specific the place is: a line is more specific than a file, a file more than a module.
    fileprivate var rank: Int {
      (line == nil ? 0 : 4) + (file == nil ? 0 : 2) + (module == nil ? 0 : 1)
    }

    /// The level at which its operators and subscriptions are recorded.
    var recordedLevel: TraceLevel { max(level, .graph) }

    fileprivate func contains(module: Substring?, file: Substring, line: UInt32) -> Bool {
      (self.module.map { $0[...] == module } ?? true) && (self.file.map { $0[...] == file } ?? true)
        && (self.line.map { $0 == line } ?? true)
    }
  }

  /// The level of the most specific place that contains a line, or of the last one if several are
  /// equally specific.
  ///
  /// - Parameters:
  ///   - fileID: In the form of `#fileID`: `Module/File.swift`.
  ///   - line: The line.
  /// - Returns: nil if no place contains the line.
  func placeLevel(fileID: String, line: UInt32) -> TraceLevel? {
    let slash = fileID.firstIndex(of: "/")
    let module = slash.map { fileID[..<$0] }
    let file = slash.map { fileID[fileID.index(after: $0)...] } ?? fileID[...]
    var best: Place?
    for place in places where place.contains(module: module, file: file, line: line) {
      if best.map({ place.rank >= $0.rank }) ?? true { best = place }
    }
    return best?.recordedLevel
  }

  /// The highest level of all places; off if there are none.
  var highestPlaceLevel: TraceLevel { places.map(\.recordedLevel).max() ?? .off }

  /// The places in the syntax of `RXTRACE`: `events:Shop,graph:Shop/Noise.swift`.
  var placesText: String {
    places.map { place in
      let names = [place.module, place.file].compactMap { $0 }.joined(separator: "/")
      return "\(place.recordedLevel):\(names)\(place.line.map { ":\($0)" } ?? "")"
    }
    .joined(separator: ",")
  }
}
