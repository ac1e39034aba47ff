import Foundation
import GraphLayout

/// Runs Graphviz to find out where it places the nodes.
enum Graphviz {
  /// The centres of the nodes of each graph, scaled to whole numbers.
  static func centers(of graphs: [LayoutGraph]) throws -> [[(x: Int, y: Int)]] {
    var text = ""
    for graph in graphs {
      text += "digraph {\nrankdir=LR\n"
      for node in graph.nodes.indices { text += "n\(node)\n" }
      for edge in graph.edges { text += "n\(edge.from) -> n\(edge.to)\n" }
      text += "}\n"
    }
    let folder = FileManager.default.temporaryDirectory
    let input = folder.appendingPathComponent("layout-bench-\(getpid()).dot")
    let output = folder.appendingPathComponent("layout-bench-\(getpid()).plain")
    defer {
      try? FileManager.default.removeItem(at: input)
      try? FileManager.default.removeItem(at: output)
    }
    try text.write(to: input, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["dot", "-Tplain", input.path]
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let sink = try FileHandle(forWritingTo: output)
    process.standardOutput = sink
    try process.run()
    process.waitUntilExit()
    try sink.close()
    var result: [[(x: Int, y: Int)]] = []
    for line in try String(contentsOf: output, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "graph" {
        let count = result.count < graphs.count ? graphs[result.count].nodes.count : 0
        result.append([(x: Int, y: Int)](repeating: (0, 0), count: count))
      } else if words[0] == "node", let node = Int(words[1].dropFirst()),
        let x = Double(words[2]), let y = Double(words[3])
      {
        result[result.count - 1][node] = (Int((x * 10_000).rounded()), Int((y * 10_000).rounded()))
      }
    }
    return result
  }
}
