/// A function of the program on a stack, and the place in it.
public struct Caller: Sendable, Hashable {
  /// Demangled, unfiltered: `Tile.open(_:)`.
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

  /// For tables, as lines of code are there: `Tile.open(_:)@Tile.swift:41`.
  public var label: String { "\(function)@\(location)" }

  /// The function without the closures in it that lead there.
  fileprivate var base: Substring {
    var name = function[...]
    while name.hasPrefix("closure #") || name.hasPrefix("implicit closure #"),
      let place = name.range(ofFirst: " in ")
    {
      name = name[place.upperBound...]
    }
    return name
  }

  /// The function of a frame; nil where that is not the program's, or nothing tells that it is.
  fileprivate init?(_ frame: SymbolizedFrame) {
    guard var function = frame.function, let location = frame.location, frame.owner == .program
    else { return nil }
    for prefix in ["specialized ", "static "] where function.hasPrefix(prefix) {
      function.removeFirst(prefix.count)
    }
    // What stands in no function has a name of the compiler's, or none.
    if function.hasSuffix(" in ") { function += "top-level code" }
    if function == "async_Main" || function.hasPrefix("async_MainT") { function = "top-level code" }
    let file = location.split(separator: "/").last.map(String.init) ?? location
    self.init(function: function.replacingStatic, location: file)
  }
}

/// How the program came to subscribe: the functions of its own on the stack of a subscription.
public struct CallPath: Sendable, Hashable {
  /// The function that the subscription stands in; nil where it is not known.
  public private(set) var subscriber: Caller?
  /// Those that called it, the nearest first, without what a function calls of itself.
  public private(set) var callers: [Caller] = []
  /// Why nothing is known; nil where something is, or nothing was recorded.
  public private(set) var problem: String?

  /// Who called the function that the subscription stands in: whose subscription it is, where that is a helper.
  public var caller: Caller? { callers.first }

  /// One of which nothing is known.
  init() {}

  /// - Parameters:
  ///   - frames: All of the stack, innermost first.
  ///   - file: The file of the subscription's site, as the compiler names it.
  ///   - line: Its line.
  init(_ frames: [SymbolizedFrame], file: String, line: UInt32) {
    let own = frames.compactMap(Caller.init)
    guard !own.isEmpty else {
      problem =
        frames.lazy.compactMap(\.problem).first
        ?? (frames.isEmpty ? nil : "no debug information tells who called")
      return
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    // A helper may pass the place of its caller on, so that the site is not where the innermost function stands.
    var place =
      own.firstIndex { $0.location == "\(name):\(line)" }
      ?? own.firstIndex { $0.location.hasPrefix("\(name):") } ?? 0
    subscriber = own[place]
    // What calls a closure is part of the function that the closure stands in, if that is still running.
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
  /// Without the word `static` in the name of what a closure stands in.
  fileprivate var replacingStatic: String {
    guard let place = self[...].range(ofFirst: " in static ") else { return self }
    return self[..<place.lowerBound] + " in " + self[place.upperBound...]
  }
}

extension Substring {
  /// Where `text` first stands.
  fileprivate func range(ofFirst text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
