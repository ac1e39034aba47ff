import TraceModel

extension Model {
  /// Handles a key while no text is being typed.
  mutating func press(_ key: Key) -> [Effect] {
    if key == .escape, stopSearching() { return [] }
    eventFind = nil
    guard let command = KeyTable.command(for: key) else {
      showNote("\(key.name) does nothing here; ? shows the keys.")
      return []
    }
    return perform(command)
  }

  /// Performs a command that was requested with a key, the mouse, or `:`.
  mutating func perform(_ command: Command) -> [Effect] {
    if let effects = performOnMap(command) { return effects }
    switch command {
    case .show(.events):
      guard let event = detailedEvent else {
        show(.events)
        break
      }
      path.append(Place(.events))
      showNote("Events at #\(event); $ goes to the newest state.")
      return go(to: .event(event))
    case .show(let screen): show(screen)
    case .nextScreen: showNeighbour(1)
    case .previousScreen: showNeighbour(-1)
    case .move(let rows): move(to: place.list.index + rows)
    case .scroll(let halfPages): move(to: place.list.index + halfPages * max(1, listHeight / 2))
    case .first: move(to: 0)
    case .last: move(to: listCount - 1)
    case .stepRight where place.screen == .marbles: moveCursor(1)
    case .stepLeft where place.screen == .marbles: moveCursor(-1)
    case .open where place.screen == .marbles: return openCell()
    case .open, .stepRight: open()
    case .back, .stepLeft: if path.count > 1 { path.removeLast() }
    case .historyBack: travelHistory(forward: false)
    case .historyForward: travelHistory(forward: true)
    case .quit:
      guard path.count > 1 else { return [.quit] }
      path.removeLast()
    case .quitNow: return [.quit]
    case .search: prompt = Prompt(kind: .search, text: "", before: search)
    case .filter: prompt = Prompt(kind: .filter, text: filter.text, before: filter.text)
    case .palette: prompt = Prompt(kind: .command, text: "", before: "")
    case .sortBy: prompt = Prompt(kind: .command, text: "sort ", before: "")
    case .goToTime: prompt = Prompt(kind: .command, text: "goto ", before: "")
    case .nextMatch: findMatch(forward: true)
    case .previousMatch: findMatch(forward: false)
    case .sortRight: sort(by: 1)
    case .sortLeft: sort(by: -1)
    case .invert: invertSort()
    case .freeze: freeze()
    case .tag: tag()
    case .tagAlike: tagAlike()
    case .untag:
      tags = []
      showNote("No row is tagged any more.")
    case .zoomIn: zoom(by: -1)
    case .zoomOut: zoom(by: 1)
    case .zoomAll: zoomAll()
    case .lanes:
      guard place.screen == .graph else {
        showNote("Lanes are another form of Graph; r shows that.")
        return []
      }
      place.hasLanes.toggle()
      place.list = ListState()
    case .unfold:
      guard place.screen == .detail else {
        showNote("z unfolds nodes on Map and backtraces on Detail; M and d show these.")
        return []
      }
      place.isUnfolded.toggle()
    case .focus, .showEnded:
      showNote("Only Map can show a part of the program, or what has ended; M shows that.")
    case .followCause: followCause()
    case .compareFromHere: return compareFromHere()
    case .preview:
      settings.preview.toggle()
      let state = settings.preview ? "shown below lists and the map" : "hidden; K shows them again"
      showNote("Details of the selected row are \(state).")
    case .edit: return edit()
    case .writeConfig: return [.saveSettings(currentSettings)]
    case .save: return [.save(ANSIText(palette: nil).render(frame()))]
    case .redraw: return [.redraw]
    default: return travel(command)
    }
    return []
  }

  /// The number of rows of a table, or of lines of a text.
  var listCount: Int { place.screen.table == nil ? document.count : rows.count }

  /// The identifiers of the rows.
  var rowIDs: RowIDs {
    place.screen.table == nil ? RowIDs(document.indices.map(RowID.line)) : rows.rowIDs
  }

  mutating func move(to index: Int) {
    let ids = rowIDs
    let old = place.list
    place.list.select(index, in: ids, height: listHeight)
    place.list.isPinned = place.screen == .events && place.list.index == ids.count - 1
    // Help has no selection, so each key scrolls the text.
    if place.screen == .help, !ids.isEmpty {
      let top = max(0, min(old.top + index - old.index, ids.count - listHeight))
      place.list.top = top
      place.list.index = min(max(top, place.list.index), top + listHeight - 1)
    }
  }

  // MARK: Screens

  mutating func show(_ screen: Screen) {
    let focus = selectedScope
    guard screen != place.screen || place.scope != .all || screen == .help else { return }
    switch screen {
    case .help:
      if place.screen == .help {
        place.isUnfolded.toggle()
        place.list = ListState()
      } else {
        path.append(Place(.help))
      }
    case .detail:
      if place.screen == .help || place.screen == .detail { return }
      guard let focus = (focus ?? place.scope).detailed else {
        showNote("There is no row to show in detail.")
        return
      }
      path.append(Place(.detail, scope: focus))
    case .graph:
      if place.screen == .graph || place.screen == .help { return }
      path.append(Place(.graph, scope: focus ?? place.scope))
    case .marbles where place.screen == .subscriptions || place.screen == .detail:
      // Marbles is restricted to the selected subject, or else to the subject of the current
      // screen.
      let scope = focus ?? place.scope
      guard scope == .all || Self.canBeTagged(scope) else {
        showNote("Marbles show lines, signals, subscriptions and timers; select one of these.")
        return
      }
      path.append(Place(.marbles, scope: scope))
    default:
      remembered[path[0].screen] = path[0]
      path = [remembered[screen] ?? Place(screen)]
      if screen == .events, remembered[screen] == nil { place.list.isPinned = true }
      // On Queues, the queue of the previously selected subject is selected.
      if screen == .queues, let queue = focus.flatMap(queue(of:)) {
        place.list.selected = .queue(queue)
      }
    }
  }

  private mutating func showNeighbour(_ step: Int) {
    let bar = Screen.inBar
    let index = bar.firstIndex(of: place.screen) ?? (step > 0 ? -1 : 0)
    show(bar[(index + step + bar.count) % bar.count])
  }

  /// The subject of the selected row.
  var selectedScope: Scope? {
    if place.screen == .map { return mapScope }
    guard let table = place.screen.table else {
      return document.indices.contains(place.list.index)
        ? document[place.list.index].target?.scope ?? place.scope : place.scope
    }
    return rows.place(at: place.list.index).flatMap { table.subject(self, at: $0) }
  }

  mutating func open() {
    if let table = place.screen.table {
      guard let row = rows.place(at: place.list.index) else {
        showNote("There is no row to open.")
        return
      }
      guard let target = table.target(self, at: row) else {
        showNote("This row opens nothing; d shows what is known of it.")
        return
      }
      path.append(target)
    } else if document.indices.contains(place.list.index),
      let target = document[place.list.index].target
    {
      if target.screen == .graph, place.screen == .graph {
        place = target
      } else {
        path.append(target)
      }
    } else if place.screen == .detail {
      showNote(
        "Nothing opens from this line; lines with \(glyphs.breadcrumb) open, and n goes to the next of them."
      )
    }
  }

  // MARK: Order

  private mutating func sort(by step: Int) {
    guard let table = place.screen.table else { return }
    let columns = table.sortable(self)
    guard !columns.isEmpty else {
      showNote("\(place.screen.title) has one order only.")
      return
    }
    let current = table.order(self).flatMap { order in
      columns.firstIndex { $0.title == order.column }
    }
    let next = current.map { ($0 + step + columns.count) % columns.count } ?? 0
    place.sort = SortOrder(column: columns[next].title, ascending: !columns[next].isDescendingFirst)
    showNote("Sorted by \(columns[next].name).")
  }

  private mutating func freeze() {
    guard place.screen.table != nil else {
      showNote("Only rows of tables have an order to keep.")
      return
    }
    if place.screen == .events {
      place.list.isPinned.toggle()
      showNote(
        place.list.isPinned
          ? "The selection follows the latest event." : "The selection stays at this event."
      )
      return
    }
    place.isFrozen.toggle()
    showNote(
      place.isFrozen
        ? "Rows keep their order; press F again to stop." : "Rows are sorted again at each refresh."
    )
  }

  private mutating func invertSort() {
    guard let table = place.screen.table, var order = table.order(self) else {
      showNote("\(place.screen.title) has one order only.")
      return
    }
    order.ascending.toggle()
    place.sort = order
  }
}
