/// One line of a neighbourhood tree as data; views choose the glyphs.
public struct TreeLine: Sendable, Equatable {
  /// The frame before the text at each level, outermost first.
  public var rails: [Rail]
  /// The content after the frame.
  public var content: Content
  /// The scheduler to which events change between the node of this line and that of its parent, as
  /// recorded; nil if they stay on the same one.
  public var hop: String?
  /// Which side of the chosen node it is on.
  public var side: Side

  /// A piece of the frame of a tree.
  public enum Rail: Sendable, Equatable {
    /// A blank: the branch at this level is finished.
    case blank
    /// A line that continues: `│`.
    case through
    /// A branch with others after it: `├─`.
    case branch
    /// The last branch: `└─`.
    case last
  }

  /// The content of a line.
  public enum Content: Sendable, Equatable {
    /// A node, printed for the first time.
    case node(TreeNode)
    /// A node printed before: `↗ see #12`.
    case reference(TreeNode)
    /// A node that leads back to itself: `↻`.
    case cycle(TreeNode)
    /// Nodes that are not shown: `… +954 of 3 sites`.
    case folded(count: Int, sites: Int)
    /// Levels that are not shown: `⋯ 14 levels up`.
    case levels(Int)
  }

  /// The position of a line relative to the chosen node.
  public enum Side: Sendable, Equatable {
    case upstream
    case chosen
    case downstream
  }
}

/// The site, signal or subscription that a line of a tree represents.
public enum TreeNode: Sendable, Hashable {
  case site(UInt32)
  case signal(EntityKey)
  case subscription(EntityKey)
}
