/// A tree of signals, in the traced process or from a trace, from which the names of signals are
/// composed.
package protocol SignalTree {
  /// A signal.
  associatedtype Node
  /// Distinguishes signals.
  associatedtype Identity: Hashable

  func identity(of node: Node) -> Identity
  /// The name that replaces the operator and everything upstream: the one that the program gave the
  /// signal, or a placeholder for an unknown signal; nil if the operator is to be spelled out.
  func name(of node: Node) -> String?
  func operation(of node: Node) -> String
  /// The signals the operator was applied to; nil for an unknown one.
  func inputs(of node: Node) -> [Node?]
  func argument(of node: Node) -> SignalSpelling.Argument
}

/// Builds the name of a signal from its tree, within bounds.
///
/// A name has at most about 400 characters. Operators at a depth of more than 40 are shown as `…`.
/// A signal that is used twice is spelled out once, and then shown as `↗` and its operator.
package struct NameWriter<Tree: SignalTree> {
  private let tree: Tree
  private let deepest = 40
  private var budget = 400
  private var seen: Set<Tree.Identity> = []

  package init(_ tree: Tree) { self.tree = tree }

  package mutating func name(of node: Tree.Node, depth: Int = 0) -> String {
    if let name = tree.name(of: node) { return spend(name) }
    guard depth < deepest, budget > 0 else { return "…" }
    let operation = tree.operation(of: node)
    let upstreams = tree.inputs(of: node)
    if !upstreams.isEmpty, !seen.insert(tree.identity(of: node)).inserted {
      return spend("↗\(operation)")
    }
    var inputs: [String] = []
    for upstream in upstreams {
      inputs.append(upstream.map { name(of: $0, depth: depth + 1) } ?? spend("?"))
      if budget <= 0 { break }
    }
    return SignalSpelling(operation, inputs, tree.argument(of: node)).text { spend($0) }
  }

  private mutating func spend(_ text: String) -> String {
    defer { budget -= text.count }
    return text.count <= budget ? text : String(text.prefix(max(0, budget))) + "…"
  }
}
