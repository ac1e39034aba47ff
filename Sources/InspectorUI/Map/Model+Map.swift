import GraphLayout
import TraceModel

extension Model {
  /// Performs a command on the map; returns nil for a command that is not specific to the map.
  mutating func performOnMap(_ command: Command) -> [Effect]? {
    guard place.screen == .map, let picture, !picture.map.nodes.isEmpty else { return nil }
    switch command {
    case .move(let rows): moveOnMap(picture, down: rows)
    case .scroll(let halfPages): scrollMap(picture, halfPages)
    case .first: select(picture.order.first, picture)
    case .last: select(picture.order.last, picture)
    case .stepRight: followFlow(picture, isForward: true)
    case .stepLeft: followFlow(picture, isForward: false)
    case .open: openNode(picture)
    case .back:
      guard place.map.focus != nil else { return nil }
      place.map.focus = nil
    case .unfold: unfold(picture)
    case .focus: focus(picture)
    case .showEnded:
      place.map.showsEnded.toggle()
      if isRunning, isFollowing {
        showNote(
          "While the program runs, what it did in the last ten seconds is drawn in any case."
        )
      }
    case .zoomIn: zoomMap(picture, isOut: false)
    case .zoomOut: zoomMap(picture, isOut: true)
    case .zoomAll:
      // Without a previous picture, the map uses boxes again if they fit.
      self.picture = nil
      place.map.style = nil
      place.map.folding = MapFolding()
    case .nextMatch: findNode(forward: true)
    case .previousMatch: findNode(forward: false)
    default: return nil
    }
    return []
  }

  /// Updates the picture, and keeps the selected node visible.
  mutating func refreshMap() {
    picture = MapView.picture(self, after: picture)
    guard let picture else { return }
    if picture.place(of: place.map.selected) == nil {
      // The selected node may have been folded or unfolded, so a node that contains one of its
      // lines is selected instead.
      let sites = selectedSites
      let successor = picture.map.nodes.firstIndex { node in
        node.sites.contains(where: sites.contains)
      }
      place.map.selected = (successor ?? picture.first).map { picture.map.nodes[$0].id }
    }
    if let node = picture.place(of: place.map.selected) {
      selectedSites = Set(picture.map.nodes[node].sites)
      show(node, picture)
    }
  }

  // MARK: Moving

  private mutating func select(_ node: Int?, _ picture: MapPicture) {
    guard let node else { return }
    place.map.selected = picture.map.nodes[node].id
    show(node, picture)
  }

  /// Scrolls just far enough to show all of a node.
  private mutating func show(_ node: Int, _ picture: MapPicture) {
    let cells = picture.cells(of: node)
    let height = listHeight
    let width = size.columns
    var state = place.map
    if cells.rows.lowerBound < state.top { state.top = cells.rows.lowerBound }
    if cells.rows.upperBound > state.top + height { state.top = cells.rows.upperBound - height }
    if cells.columns.lowerBound < state.left { state.left = cells.columns.lowerBound }
    if cells.columns.upperBound > state.left + width {
      state.left = cells.columns.upperBound - width
    }
    state.top = max(0, min(state.top, picture.layout.rows - height))
    state.left = max(0, min(state.left, picture.layout.columns - width))
    place.map = state
  }

  /// Moves up or down to the nearest node, and prefers a node straight above or below.
  private mutating func moveOnMap(_ picture: MapPicture, down rows: Int) {
    guard let selected = picture.place(of: place.map.selected) else {
      return select(picture.first, picture)
    }
    var current = selected
    for _ in 0..<abs(rows) {
      let cells = picture.cells(of: current)
      let middle = (cells.columns.lowerBound + cells.columns.upperBound) / 2
      let next = picture.map.nodes.indices.filter { node in
        let other = picture.cells(of: node)
        return rows > 0
          ? other.rows.lowerBound >= cells.rows.upperBound
          : other.rows.upperBound <= cells.rows.lowerBound
      }.min { one, other in
        distance(one, current, middle, picture) < distance(other, current, middle, picture)
      }
      guard let next else { break }
      current = next
    }
    select(current, picture)
  }

  /// The distance between two nodes, in which a column counts as much as four rows, so that a node
  /// straight above or below is preferred to one beside it.
  private func distance(_ node: Int, _ from: Int, _ middle: Int, _ picture: MapPicture) -> Int {
    let (cells, start) = (picture.cells(of: node), picture.cells(of: from))
    let across =
      cells.columns.contains(middle)
      ? 0 : min(abs(cells.columns.lowerBound - middle), abs(cells.columns.upperBound - middle))
    return abs(cells.rows.lowerBound - start.rows.lowerBound) + across * 4
  }

  private mutating func scrollMap(_ picture: MapPicture, _ halfPages: Int) {
    let rows = halfPages * max(1, listHeight / 2)
    guard let selected = picture.place(of: place.map.selected) else { return }
    let target = picture.cells(of: selected).rows.lowerBound + rows
    let layer = picture.layout.places[selected].layer
    let nearest = picture.map.nodes.indices.filter { picture.layout.places[$0].layer == layer }
      .min {
        abs(picture.cells(of: $0).rows.lowerBound - target)
          < abs(picture.cells(of: $1).rows.lowerBound - target)
      }
    select(nearest, picture)
  }

  /// Moves downstream or upstream from the selected node, along the connection with the most live
  /// subscriptions; without a connection, to the next node beside it.
  private mutating func followFlow(_ picture: MapPicture, isForward: Bool) {
    guard let selected = picture.place(of: place.map.selected) else { return }
    let next = picture.map.edges
      .filter { (isForward ? $0.from : $0.to) == selected && $0.from != $0.to }
      .max { $0.live < $1.live }
    guard let next else {
      if let beside = node(beside: selected, picture, isRight: isForward) {
        return select(beside, picture)
      }
      showNote(
        isForward ? "It feeds nothing else that is alive." : "Nothing that is alive feeds it."
      )
      return
    }
    select(isForward ? next.to : next.from, picture)
  }

  /// The nearest unconnected node to the right or left in the same rows, if this one is
  /// unconnected, too.
  private func node(beside selected: Int, _ picture: MapPicture, isRight: Bool) -> Int? {
    let connected = Set(
      picture.map.edges.filter { $0.from != $0.to }.flatMap { [$0.from, $0.to] }
    )
    guard !connected.contains(selected) else { return nil }
    let cells = picture.cells(of: selected)
    func distance(_ node: Int) -> Int {
      let other = picture.cells(of: node)
      return isRight
        ? other.columns.lowerBound - cells.columns.upperBound
        : cells.columns.lowerBound - other.columns.upperBound
    }
    return picture.map.nodes.indices.filter { node in
      !connected.contains(node) && picture.cells(of: node).rows.overlaps(cells.rows)
        && distance(node) >= 0
    }
    .min { distance($0) < distance($1) }
  }

  // MARK: Folding and focus

  private mutating func openNode(_ picture: MapPicture) {
    guard let selected = picture.place(of: place.map.selected) else { return }
    let node = picture.map.nodes[selected]
    guard !node.isFolded, let row = inspection.site(node.sites[0]) else {
      return unfold(picture)
    }
    if let target = SitesView.target(of: row, in: inspection) { path.append(target) }
  }

  /// Zooms out from boxes to lines of text, then to one node per file, and then to one per module,
  /// or zooms in again.
  private mutating func zoomMap(_ picture: MapPicture, isOut: Bool) {
    let level = picture.map.level
    if level == .lines, picture.style == (isOut ? .boxes : .lines) {
      place.map.style = isOut ? .lines : .boxes
      return
    }
    guard let next = MapFolding.Level(rawValue: level.rawValue + (isOut ? 1 : -1)) else {
      showNote(
        isOut
          ? "A node is a module already; = shows more."
          : "A node is a line of code already; Enter shows what lives there."
      )
      return
    }
    guard next != .modules || modules.count > 1 else {
      showNote("All of it is in one module; = shows more.")
      return
    }
    place.map.folding.level = next
    place.map.folding.unfolded = []
    place.map.style = next == .lines ? .lines : nil
  }

  private mutating func unfold(_ picture: MapPicture) {
    guard let selected = picture.place(of: place.map.selected) else { return }
    let node = picture.map.nodes[selected]
    if node.isFolded {
      place.map.folding.unfolded.insert(node.id)
      return
    }
    // If the selected line belongs to a chain, a file or a module that was unfolded, the smallest
    // of them is folded again.
    let site = node.sites[0]
    let before = place.map.folding
    for id in before.unfolded.sorted(by: { $0.rank < $1.rank }) {
      var folding = before
      folding.unfolded.remove(id)
      if MapView.map(self, folding).node(ofSite: site)?.id == id {
        place.map.folding = folding
        return
      }
    }
    showNote("Nothing is folded here.")
  }

  private mutating func focus(_ picture: MapPicture) {
    guard let selected = place.map.selected else { return }
    if place.map.focus == selected {
      place.map.focus = nil
      showNote("The whole program again.")
    } else {
      place.map.focus = selected
      showNote(
        "Only what reaches this node, or is reached from it; Esc shows the whole program again."
      )
    }
  }

  // MARK: Searching

  /// Selects the next or the previous node that matches the search, wrapping around at the end.
  mutating func findNode(forward: Bool, includingCurrent: Bool = false) {
    guard let picture, !search.isEmpty else {
      showNote("Nothing was searched for yet; / searches.")
      return
    }
    let order = picture.order
    let start = picture.place(of: place.map.selected).flatMap(order.firstIndex) ?? 0
    let first = includingCurrent ? 0 : 1
    for distance in first..<(max(first, order.count) + 1) where !order.isEmpty {
      let step = forward ? distance : -distance
      let node = order[((start + step) % order.count + order.count) % order.count]
      let account = picture.accounts[node]
      guard
        "\(account.name)@\(account.place)".foldedRange(of: search) != nil
          || account.givenNames.contains(where: { $0.foldedRange(of: search) != nil })
      else { continue }
      return select(node, picture)
    }
    let row = inspection.sites.first { row in
      "\(row.name)@\(row.location)".foldedRange(of: search) != nil
        || row.givenName?.foldedRange(of: search) != nil
    }
    guard let row else { return showNote("'\(search)' is on no node of the map.") }
    let why =
      picture.map.node(ofSite: row.id) == nil
      ? "it has nothing live, and no event passed it lately; s lists it"
      : "it is inside a node"
    showNote("\(row.label) has no node of its own: \(why).")
  }

  /// The line of code that the selected node represents; if the node represents several, the last
  /// of them.
  var mapScope: Scope? {
    guard let picture, let node = picture.place(of: place.map.selected) else { return nil }
    return picture.map.nodes[node].sites.last.map(Scope.site)
  }

  // MARK: Mouse

  /// Selects the node that was clicked, or opens it if it was already selected.
  mutating func pointOnMap(_ action: MouseAction, _ layout: ScreenLayout) -> [Effect] {
    guard let picture, layout.list.contains(action.row) else { return [] }
    let row = action.row - layout.list.lowerBound + place.map.top
    guard let node = picture.node(atRow: row, column: action.column + place.map.left) else {
      return []
    }
    let wasSelected = picture.map.nodes[node].id == place.map.selected
    select(node, picture)
    // If the scheduler changes at a node, the upper border of its box names the new one, and a
    // click on the border opens its queue.
    if wasSelected, picture.style == .boxes, row == picture.cells(of: node).rows.lowerBound,
      picture.map.edges.contains(where: { $0.isHop && $0.to == node }),
      let queue = mapScope.flatMap(queue(of:))
    {
      path.append(Place(.detail, scope: .queue(queue)))
      return []
    }
    return wasSelected || action.kind == .doublePress ? perform(.open) : []
  }
}
