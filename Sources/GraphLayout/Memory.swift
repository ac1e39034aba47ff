extension GraphLayout {
  /// The information about the previous layout that a layout needs to keep nodes where they are.
  package struct Memory: Sendable {
    /// A place in the previous layout.
    struct PreviousPlace: Sendable {
      /// The layer within its part.
      var layer: Int
      /// The row of the lines of the node.
      var row: Int
      /// The number of the part that contained the node, in the order in which parts were placed.
      var part: Int
    }

    /// A layer that a line passed.
    struct Passage: Hashable, Sendable {
      /// The node at which the line starts.
      var start: UInt64
      /// Whether the line runs against the flow.
      var isReversed: Bool
      /// The number of layers between the node and the passage.
      var step: Int
    }

    /// An edge, by the identities of its nodes.
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
    /// The edges drawn against the flow.
    var reversed: Set<Connection> = []

    /// Creates an empty memory, after which a layout is made as if there were no previous one.
    package init() {}
  }
}
