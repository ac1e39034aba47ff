/// The graph to lay out: nodes with sizes in terminal cells and edges between them.
///
/// The graph may have any shape: cycles, edges from a node to itself, duplicate edges and parts
/// that are not connected. An edge that names a node that does not exist is not drawn.
package struct LayoutGraph: Sendable, Hashable {
  /// A box of cells.
  package struct Node: Sendable, Hashable {
    /// A unique identifier, by which the node is recognised in the next layout.
    package var id: UInt64
    /// The number of columns; less than one counts as one.
    package var width: Int
    /// The number of rows; less than one counts as one.
    package var height: Int

    /// Creates a node of a given size.
    package init(id: UInt64, width: Int, height: Int = 1) {
      self.id = id
      self.width = width
      self.height = height
    }
  }

  /// A directed connection between two nodes.
  package struct Edge: Sendable, Hashable {
    /// The index of the node at the start.
    package var from: Int
    /// The index of the node at the end.
    package var to: Int

    /// Creates an edge between two nodes given by their indices.
    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The nodes; edges refer to them by index.
  package var nodes: [Node]
  /// The edges; the layout has one route for each, in the same order.
  package var edges: [Edge]

  /// Creates a graph.
  package init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}
