import TraceModel

/// The screen Graph: everything upstream and downstream of the chosen node, as a tree.
enum GraphView {
  static func lines(_ model: Model) -> [DocumentLine] {
    guard let node = node(model) else {
      return DocumentLine.emptiness(
        [
          "No row is selected whose neighbours could be shown.",
          "Select one on Sites, Signals or Subscriptions and press r.",
        ],
        width: model.size.columns
      )
    }
    let tree = Neighbourhood.lines(of: node, in: model.inspection, columns: model.size.columns)
    guard !tree.isEmpty else {
      return DocumentLine.emptiness(
        [
          "Nothing is known about it at this moment of the recording.",
          "Press $ for the newest state, or [ to go back to the change before.",
        ],
        width: model.size.columns
      )
    }
    return tree.map { line($0, model) }
  }

  static func node(_ model: Model) -> TreeNode? {
    switch model.place.scope {
    case .site(let site): return .site(site)
    case .signal(let key): return .signal(key)
    case .subscription(let key): return .subscription(key)
    case .timer(let key):
      let timer = model.inspection.timer(key)
      return timer?.subscription.map(TreeNode.subscription) ?? timer.map { .site($0.site) }
    case .queue, .owner, .owners, .record: return nil
    case .all, .chain:
      return model.inspection.sites.first { ($0.live ?? 0) > 0 }.map { .site($0.id) }
    }
  }

  private static func line(_ line: TreeLine, _ model: Model) -> DocumentLine {
    let glyphs = model.glyphs
    let rails = line.rails.map { rail -> String in
      switch rail {
      case .blank: glyphs.blank
      case .through: glyphs.trunk
      case .branch: glyphs.branch
      case .last: glyphs.lastBranch
      }
    }.joined()
    var pieces: [(String, Role)] = [(rails, .dim)]
    switch line.content {
    case .node(let node):
      if line.side == .chosen { pieces.append(("\(glyphs.pointer) ", .key)) }
      pieces += text(node, model, isChosen: line.side == .chosen)
      if let hop = line.hop {
        pieces.append(("  \(glyphs.hop) \(displayName(hop, columns: 32))", .suspect))
      }
      var shown = DocumentLine(pieces, target: target(node, isChosen: line.side == .chosen))
      shown.isChosen = line.side == .chosen
      return shown
    case .reference(let node):
      pieces.append(("see ", .dim))
      pieces += text(node, model, isChosen: false).prefix(1)
      return DocumentLine(pieces, target: target(node, isChosen: false))
    case .cycle(let node):
      pieces.append(("\(glyphs.cut) back to ", .dim))
      pieces += text(node, model, isChosen: false).prefix(1)
      return DocumentLine(pieces, target: target(node, isChosen: false))
    case .folded(let count, let sites):
      let text =
        "\(glyphs.ellipsis) \(Quantity.count(count)) more of \(Quantity.of(sites, "site", "sites"))"
      pieces.append((text, .dim))
      return DocumentLine(pieces)
    case .levels(let count):
      pieces.append(("\(glyphs.ellipsis) \(Quantity.of(count, "level", "levels")) more", .dim))
      return DocumentLine(pieces)
    }
  }

  /// The screen that Enter on a node opens: Detail for the chosen node; for any other node, Graph
  /// with that node chosen.
  static func target(_ node: TreeNode, isChosen: Bool) -> Place {
    let scope: Scope =
      switch node {
      case .site(let site): .site(site)
      case .signal(let key): .signal(key)
      case .subscription(let key): .subscription(key)
      }
    return Place(isChosen ? .detail : .graph, scope: scope)
  }

  static func text(_ node: TreeNode, _ model: Model, isChosen: Bool) -> [(String, Role)] {
    let inspection = model.inspection
    let role: Role = isChosen ? .strong : .text
    switch node {
    case .site(let site):
      guard let row = inspection.site(site) else { return [("site \(site)", role)] }
      return [
        (row.label, role),
        ("  live \(Quantity.count(row.liveOfKind))", .dim),
        (row.rate.map { "  \(Quantity.rate($0))/s" } ?? "", .dim),
        (row.worst.map { "  \($0.label)" } ?? "", row.worst.map(\.role) ?? .text),
      ]
    case .signal(let key):
      guard let row = inspection.signal(key) else { return [("signal \(key.label)", role)] }
      return [
        ("\(row.label) \(key.label)", role),
        ("  \(Quantity.count(row.subscriptions)) subscribed", .dim),
        (hub(row.upstreams.count, "made from"), .suspect),
        (hub(row.downstreams.count, "feeds"), .suspect),
      ]
    case .subscription(let key):
      guard let row = inspection.subscription(key) else {
        return [("subscription \(key.label)", role)]
      }
      let isLive = row.state?.isLive != false
      let last = row.events == 0 ? nil : row.lastEventAge
      return [
        ("\(row.label) \(key.label)", isLive ? role : .gone),
        ("  \(row.stateWord)", isLive ? .good : .gone),
        ("  \(Quantity.of(row.events.map { Int(clamping: $0) }, "event", "events"))", .dim),
        (last.map { "  last \(Quantity.duration($0)) ago" } ?? "", .dim),
        (hub(row.upstreams.count, "fed by"), .suspect),
      ]
    }
  }

  /// A node with more connections than this is called a hub.
  static let hubSize = 32

  private static func hub(_ count: Int, _ what: String) -> String {
    count > hubSize ? "  HUB \(what) \(Quantity.count(count))" : ""
  }
}
