extension Signal: CustomStringConvertible {
  /// The signal as it was put together, as `username.distinctUntilChanged().take(3).filter(…)`.
  ///
  /// Spelled as in code, and where everything is a number, a duration, a scheduler or another signal, so that it
  /// compiles: `range(from: 3, count: 2).multicast(capacity: 1)`. `…` stands for what is left out, which is closures and
  /// values, however many.
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
    var inputs: [String] = []
    for upstream in upstreams {
      inputs.append(name(of: upstream, depth: depth + 1))
      if budget <= 0 { break }
    }
    return SignalSpelling(operation, inputs, argument(node)).text { spend($0) }
  }

  private func argument(_ node: SignalNode) -> SignalSpelling.Argument {
    switch node.argument {
    case .none, .merged, .name, .following: .inside([])
    case .closure, .joining, .descending: .inside(["…"])
    case .integer(let number): .inside([spelled(number)])
    case .duration(let duration): .inside([spelled(duration), "…"])
    case .text(let text): .inside([text])
    case .scheduler(let identity): .inside([spelled(identity)])
    case .written(let write): .inside([write()].filter { !$0.isEmpty })
    case .part(let part): .behind(part)
    case .list: .array
    }
  }

  private mutating func spend(_ text: String) -> String {
    defer { budget -= text.count }
    return text.count <= budget ? text : String(text.prefix(max(0, budget))) + "…"
  }
}
