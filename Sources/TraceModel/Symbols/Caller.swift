/// A function of the program on a stack, and the line in it that made the next call.
public struct Caller: Sendable, Hashable {
  /// The demangled name, not escaped for the terminal: `Tile.open(_:)`.
  public var function: String
  /// `Tile.swift:41`.
  public var location: String

  /// A function and a place in it.
  public init(function: String, location: String) {
    self.function = function
    self.location = location
  }

  /// For sentences: `Tile.open(_:) at Tile.swift:41`.
  public var text: String { "\(function) at \(location)" }

  /// For tables, in the form used for lines of code: `Tile.open(_:)@Tile.swift:41`.
  public var label: String { "\(function)@\(location)" }

  /// The name of the function; for a closure, that of the function that contains the closure.
  fileprivate var base: Substring {
    var name = function[...]
    while name.hasPrefix("closure #") || name.hasPrefix("implicit closure #"),
      let place = name.range(ofFirst: " in ")
    {
      name = name[place.upperBound...]
    }
    return name
  }

  /// The function of a frame; nil if it is not the program's, or that is not known.
  fileprivate init?(_ frame: SymbolizedFrame) {
    guard var function = frame.function, let location = frame.location, frame.owner == .program
    else { return nil }
    for prefix in ["partial apply for ", "specialized ", "static "] where function.hasPrefix(prefix)
    {
      function.removeFirst(prefix.count)
    }
    // Code outside any function has a compiler-made name, or none.
    if function.hasSuffix(" in ") { function += "top-level code" }
    if function == "async_Main" || function.hasPrefix("async_MainT") { function = "top-level code" }
    let file = location.split(separator: "/").last.map(String.init) ?? location
    self.init(function: function.replacingStatic, location: file)
  }
}

/// How the program came to subscribe: its own functions on the stack of a subscription.
public struct CallPath: Sendable, Hashable {
  /// The function that contains the call to `subscribe`; nil if it is unknown.
  public private(set) var subscriber: Caller?
  /// Its callers, the nearest first, without recursive calls.
  public private(set) var callers: [Caller] = []
  /// Why nothing is known about the path; nil if something is known, or if no stack was recorded.
  public private(set) var problem: String?

  /// The caller of the function that contains the call to `subscribe`: if that function is a
  /// helper, the subscription was made for this caller.
  public var caller: Caller? { callers.first }

  /// A path of which nothing is known.
  init() {}

  /// Creates the path of a subscription.
  ///
  /// - Parameters:
  ///   - frames: All frames of the stack, innermost first.
  ///   - file: The file of the subscription's site, as the compiler names it.
  ///   - line: The line of the site.
  init(_ frames: [SymbolizedFrame], file: String, line: UInt32) {
    let own = frames.compactMap(Caller.init)
    guard !own.isEmpty else {
      problem =
        frames.lazy.compactMap(\.problem).first
        ?? (frames.isEmpty
          ? nil : "the part of the stack that was recorded shows no line of the program")
      return
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    // A helper may forward the source location of its caller, so that the site is not in the
    // innermost function.
    var place =
      own.firstIndex { $0.location == "\(name):\(line)" }
      ?? own.firstIndex { $0.location.hasPrefix("\(name):") } ?? 0
    subscriber = own[place]
    // A closure counts as part of the function that contains it, if that function is still running:
    // its caller is then the caller of the function.
    let base = own[place].base
    if own[place].function != base {
      place = own[place...].firstIndex { $0.function == base } ?? place
    }
    var last = base
    for caller in own[(place + 1)...] where caller.base != last {
      last = caller.base
      callers.append(caller)
    }
  }
}

extension String {
  /// The name of a closure without the word `static` of the function that contains it.
  fileprivate var replacingStatic: String {
    guard let place = self[...].range(ofFirst: " in static ") else { return self }
    return self[..<place.lowerBound] + " in " + self[place.upperBound...]
  }
}

extension Substring {
  /// The first occurrence of `text`.
  fileprivate func range(ofFirst text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
