extension Signal: CustomStringConvertible {
  /// The signal as it was put together, as `username.distinctUntilChanged().take(3).filter(…)`.
  ///
  /// Built anew at each call, by walking the tree: nothing is paid before somebody asks. At most about
  /// 400 characters; what is deeper shows as `…`, and a signal used twice is spelled out once.
  public var description: String {
    var writer = NameWriter()
    return writer.name(of: self, depth: 0)
  }

  /// The same signal under a name of its own, for logs and traces (128 bytes of it are recorded).
  ///
  /// - Parameter name: Replaces everything that ``description`` would say about what lies upstream.
  /// - Returns: A signal that behaves exactly as this one.
  public func named(_ name: String) -> Signal {
    Signal(direct: node.site, upstreams, argument: node.argument, name: name) {
      [self] _, scope, trace, next, kind in
      start(self, scope, trace, next, kind)
    }
  }
}

/// Builds the name of a signal from its tree, within bounds.
struct NameWriter {
  private static let longest = 400
  private static let deepest = 40
  private var budget = NameWriter.longest
  private var seen: Set<ObjectIdentifier> = []

  mutating func name(of signal: any AnySignal, depth: Int) -> String {
    let node = signal.node
    if let name = node.name { return spend(name) }
    guard depth < Self.deepest, budget > 0 else { return "…" }
    let operation = "\(node.site.name)"
    let upstreams = signal.upstreams.all
    if !upstreams.isEmpty, !seen.insert(ObjectIdentifier(signal)).inserted {
      return spend("↗\(operation)")
    }
    guard let first = upstreams.first else { return spend(call(operation, [argument(node)])) }
    let receiver = name(of: first, depth: depth + 1)
    var others: [String] = []
    for upstream in upstreams.dropFirst() {
      others.append(name(of: upstream, depth: depth + 1))
      if budget <= 0 { break }
    }
    let own = argument(node)
    if !own.isEmpty, others.isEmpty || own != "…" { others.append(own) }
    return receiver + spend("." + call(operation, others))
  }

  /// `take(until:)` and `[x]` give `take(until: x)`; `map` and `[…]` give `map(…)`.
  private func call(_ operation: String, _ arguments: [String]) -> String {
    let arguments = arguments.filter { !$0.isEmpty }.joined(separator: ", ")
    guard operation.hasSuffix(":)") else { return "\(operation)(\(arguments))" }
    return "\(operation.dropLast()) \(arguments))"
  }

  private func argument(_ node: SignalNode) -> String {
    switch node.argument {
    case .none, .merged, .following: ""
    case .closure, .joining, .descending: "…"
    case .integer(let number): "\(number)"
    case .duration(let duration): "\(duration)"
    case .text(let text): text
    case .name: ""
    }
  }

  private mutating func spend(_ text: String) -> String {
    defer { budget -= text.count }
    return text.count <= budget ? text : String(text.prefix(max(0, budget))) + "…"
  }
}
