import TraceModel

extension Model {
  /// The modules of all recorded lines of code, in alphabetical order.
  var modules: [String] { Set(inspection.sites.map(\.module)).sorted() }

  /// Opens Detail for the queue that is called `name`, or else for the only queue whose name
  /// contains `name`; if there are several such queues, lists them.
  mutating func openQueue(_ name: String) {
    let queues = inspection.schedulers.filter {
      displayName($0.name).lowercased().contains(name.lowercased())
    }
    let exact = queues.filter { displayName($0.name).lowercased() == name.lowercased() }
    if !name.isEmpty, let queue = exact.first ?? (queues.count == 1 ? queues.first : nil) {
      path.append(Place(.detail, scope: .queue(queue.id)))
      return
    }
    guard !queues.isEmpty else {
      let names = inspection.schedulers.map { displayName($0.name, columns: 40) }
      showNote(
        "No queue has '\(displayName(name, columns: 40))' in its name; "
          + (names.isEmpty
            ? "none has been used yet." : "there are \(names.joined(separator: ", "))."),
        isProblem: true
      )
      return
    }
    show(.queues)
    filter = RowFilter(name)
  }

  /// Shows the lines of one module only, or of all modules if the name is empty.
  ///
  /// On Map, each of the other modules is folded into one node.
  mutating func showModule(_ name: String) {
    let module = modules.first { $0.lowercased() == name.lowercased() }
    guard name.isEmpty || module != nil else {
      let names = modules.map { displayName($0, columns: 30) }
      showNote(
        "No line is in a module '\(displayName(name, columns: 30))'; there are \(names.joined(separator: ", ")).",
        isProblem: true
      )
      return
    }
    if place.screen == .map {
      place.map.folding.module = module
    } else if let table = place.screen.table, table.hasColumn("module") {
      filter = RowFilter(module.map { "module=\($0)" } ?? "")
    } else {
      showNote("\(place.screen.title) has no modules; Map, Sites, Signals and Subscriptions do.")
      return
    }
    showNote(
      module.map { "Only lines of \(displayName($0, columns: 40))." } ?? "All modules again."
    )
  }
}
