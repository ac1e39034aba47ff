import GraphLayout
import TraceModel

/// Vertical borders between schedulers, for maps in which all nodes of a layer have the same
/// scheduler.
struct MapLanes {
  /// The number of rows that the names of the schedulers need below the map.
  static let rows = 2

  /// The columns between two borders, and the name of their scheduler.
  private var bands: [(columns: Range<Int>, name: String)] = []

  /// Returns nil if nodes are folded by file or module, if there is only one scheduler, if nodes of
  /// a layer have different schedulers, or if the layers overlap.
  init?(_ picture: MapPicture) {
    guard picture.map.nodes.allSatisfy({ $0.id.rank <= 1 }) else { return nil }
    var layers: [Int: (columns: Range<Int>, name: String?)] = [:]
    for (node, place) in picture.layout.places.enumerated() {
      let cells = picture.cells(of: node).columns
      let name = picture.accounts[node].scheduler
      guard let layer = layers[place.layer] else {
        layers[place.layer] = (cells, name)
        continue
      }
      if let known = layer.name, let name, known != name { return nil }
      let start = min(layer.columns.lowerBound, cells.lowerBound)
      let end = max(layer.columns.upperBound, cells.upperBound)
      layers[place.layer] = (start..<end, layer.name ?? name)
    }
    var end = -1
    for (_, layer) in layers.sorted(by: { $0.key < $1.key }) {
      // A border needs a column between two layers, so the layers must not overlap.
      guard layer.columns.lowerBound > end else { return nil }
      if let name = layer.name, name != bands.last?.name {
        bands.append(((bands.isEmpty ? 0 : end + 1)..<layer.columns.upperBound, name))
      }
      end = layer.columns.upperBound
      guard let last = bands.indices.last else { continue }
      bands[last].columns = bands[last].columns.lowerBound..<end
    }
    guard bands.count > 1 else { return nil }
  }

  func draw(_ view: inout Frame, _ picture: MapPicture, _ state: MapState, _ glyphs: Glyphs) {
    let height = picture.layout.rows + Self.rows
    let rows = state.top..<min(height, state.top + view.size.rows)
    for band in bands.dropLast() {
      let column = band.columns.upperBound - state.left
      guard (0..<view.size.columns).contains(column) else { continue }
      for row in rows {
        let isFree = view[row - state.top, column].text.map { $0 == " " } ?? true
        view.put(
          isFree ? glyphs.box.lane : glyphs.box.crossedLane,
          row: row - state.top,
          column: column,
          role: isFree ? .dim : .suspect
        )
      }
    }
    guard rows.contains(height - 1) else { return }
    for band in bands {
      let width = band.columns.count - 2
      guard width > 3 else { continue }
      let name = Fitting.head("on \(displayName(band.name, columns: 40))", width, glyphs)
      let column = band.columns.lowerBound + 1 + (width - CellWidth.of(name)) / 2 - state.left
      guard column >= 0 else { continue }
      view.put(name, row: height - 1 - state.top, column: column, role: .strong)
    }
  }
}
