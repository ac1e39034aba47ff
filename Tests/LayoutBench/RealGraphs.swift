import GraphLayout

/// Graphs that are typical of reactive programs.
enum RealGraphs {
  /// The graphs with their names.
  ///
  /// Each line of a text is a chain of nodes; a number in front repeats it, with 1, 2, 3 and so on
  /// in the place of `#`.
  static let all: [(name: String, graph: LayoutGraph)] = [
    (
      "publish to 28",
      """
      interval > publish
      28: publish > subscriber#
      """
    ),
    (
      "login form",
      """
      name > trim > latest > map > bind
      password > strength > latest
      map > enabled
      strength > hint
      """
    ),
    (
      "diamond",
      """
      source > left > merge > sink
      source > right > merge
      """
    ),
    (
      "flatMap",
      """
      query > debounce > flatMap > results > table
      5: request# > decode# > flatMap
      5: debounce > request#
      """
    ),
    (
      "two queues",
      """
      source > observeOn > heavy > observeMain > bind
      main > tick > observeMain
      background > heavy
      background > log
      """
    ),
    (
      "state with feedback",
      """
      actions > reduce > state > render
      state > effects > actions
      state > persist
      load > actions
      """
    ),
    (
      "search with history",
      """
      text > throttle > distinct > search > results > list
      distinct > history > suggestions > list
      results > count > title
      search > errors > alert
      search > busy > spinner
      """
    ),
    (
      "retry",
      """
      request > response > retryWhen > share > view
      retryWhen > delay > request
      share > cache > view
      response > errors > delay
      """
    ),
    (
      "zip of three",
      """
      a > zip > out
      b > map b > zip
      c > filter > map c > zip
      """
    ),
    (
      "form of eight fields",
      """
      8: field# > valid# > all
      all > button
      8: valid# > border#
      """
    ),
    (
      "prices",
      """
      6: feed# > parse# > merge
      merge > buffer > group > sum > chart
      merge > alarm > notify
      6: group > line#
      """
    ),
    (
      "routes",
      """
      url > route
      7: route > page# > screen
      session > route
      session > page3
      session > page5
      """
    ),
    (
      "player",
      """
      tap > toggle > playing > player > position > slider
      seek > player
      position > label
      playing > icon
      player > ended > next > playlist > player
      playlist > title
      """
    ),
    (
      "sensors",
      """
      4: sensor# > calibrate# > window# > fuse
      fuse > filter > control > motor
      control > telemetry
      4: calibrate# > telemetry
      """
    ),
    (
      "chat",
      """
      socket > decode > route
      route > messages > thread > view
      route > presence > roster > view
      route > typing > view
      input > send > outbox > socket
      outbox > thread
      """
    ),
    (
      "timers",
      """
      10: timer# > scan# > label#
      """
    ),
    (
      "takeUntil",
      """
      drag > takeUntil > move > view
      up > takeUntil
      down > drag
      down > highlight > view
      """
    ),
    (
      "cache in two levels",
      """
      key > memory > first > decode > image
      key > disk > first
      key > network > first
      network > store > disk
      network > fill > memory
      """
    ),
    (
      "shop",
      """
      products > filter > sort > page > grid
      query > filter
      order > sort
      scroll > page
      cart > total > badge
      grid > add > cart
      cart > checkout > payment > receipt
      account > checkout
      account > prices > total
      """
    ),
    (
      "combined settings",
      """
      6: setting# > changes
      changes > debounce > save > disk
      6: setting# > preview
      disk > loaded > setting1
      """
    ),
  ].map { ($0.0, graph($0.1)) }

  /// The graph that lines of such text describe.
  private static func graph(_ text: String) -> LayoutGraph {
    var numbers: [String: Int] = [:]
    var result = LayoutGraph()
    func number(_ name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = result.nodes.count
      result.nodes.append(
        LayoutGraph.Node(id: UInt64(result.nodes.count) + 1, width: name.count + 2)
      )
      return result.nodes.count - 1
    }
    for line in text.split(separator: "\n") {
      let halves = line.split(separator: ":")
      let count = halves.count > 1 ? Int(halves[0]) ?? 1 : 1
      for repetition in 1...count {
        let chain = halves[halves.count - 1].split(separator: ">").map { name in
          name.split(separator: " ").joined(separator: " ")
            .split(separator: "#", omittingEmptySubsequences: false)
            .joined(separator: String(repetition))
        }.map(number)
        for (from, to) in zip(chain, chain.dropFirst()) {
          result.edges.append(LayoutGraph.Edge(from: from, to: to))
        }
      }
    }
    return result
  }
}

/// Compares the crossings of these graphs with those of Graphviz.
func compareReal() throws {
  let reference = try Graphviz.centers(of: RealGraphs.all.map(\.graph))
  for (index, (name, graph)) in RealGraphs.all.enumerated() {
    let layout = GraphLayout(graph)
    let ours = straightCrossings(graph, layout: layout)
    let theirs = straightCrossings(graph, centers: reference[index])
    print(
      padded(index, 3),
      name + padded(ours.proper, 24 - name.count) + " (+\(ours.touching))"
        + padded(theirs.proper, 8) + " (+\(theirs.touching))"
        + "   lines \(layout.crossings), \(layout.columns) x \(layout.rows)"
    )
  }
}

/// Prints a drawing of one of these graphs.
func draw(_ number: Int) {
  let graph = RealGraphs.all[number % RealGraphs.all.count].graph
  let layout = GraphLayout(graph)
  let canvas = EdgeCanvas(layout)
  var lines = (0..<layout.rows).map { row in
    (0..<layout.columns).map { canvas[column: $0, row: row].character(ascii: false) }
  }
  for (index, (node, place)) in zip(graph.nodes, layout.places).enumerated() {
    let text = Array("[" + String(index)) + Array(repeating: " ", count: node.width)
    for column in 0..<node.width {
      lines[place.row][place.column + column] = column == node.width - 1 ? "]" : text[column]
    }
  }
  for line in lines { print(String(line)) }
}
