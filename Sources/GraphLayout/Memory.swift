extension GraphLayout {
  /// The information about a layout that the next layout needs to keep nodes where they are.
  package struct Memory: Sendable {
    /// The position of a node in the previous layout.
    struct PreviousPlace: Sendable {
      /// The layer within the part of the graph.
      var layer: Int
      /// The row on which lines reach the node.
      var row: Int
      /// The number of the part that contained the node, in the order in which parts were placed.
      var part: Int
    }

    /// A layer through which a net passed.
    ///
    /// A net is a line with branches, which edges with the same left node share.
    struct Passage: Hashable, Sendable {
      /// The node at which the net starts.
      var start: UInt64
      /// Whether the edges of the net are drawn against the flow, that is, to the left.
      var isReversed: Bool
      /// The number of layers between the node and the passage.
      var step: Int
    }

    /// An edge, given by the identifiers of its nodes.
    struct Connection: Hashable, Sendable {
      /// The node at the start.
      var from: UInt64
      /// The node at the end.
      var to: UInt64
    }

    /// The place of each node.
    var places: [UInt64: PreviousPlace] = [:]
    /// The row of each passage.
    var passages: [Passage: Int] = [:]
    /// The edges that were drawn against the flow.
    var reversed: Set<Connection> = []

    /// Creates an empty memory, which means that there is no previous layout.
    package init() {}
  }
}
