extension GraphLayout {
  /// The options of a layout.
  package struct Options: Sendable, Hashable {
    /// The number of empty rows between two nodes of one layer.
    ///
    /// Zero suits nodes that are lines of text, and one suits nodes with a frame. No gap is kept
    /// between a node and a line that passes it.
    package var gap: Int
    /// The minimum and the maximum number of columns between two layers.
    ///
    /// The maximum is exceeded if the lines between two layers need more columns, because two lines
    /// must never overlap along their length.
    package var channel: ClosedRange<Int>
    /// Whether nodes move apart so that lines run straight.
    ///
    /// If false, each layer is packed tightly.
    package var straightens: Bool
    /// The number of empty rows between two parts that are not connected.
    package var partGap: Int

    /// Creates options; the defaults suit nodes that are single lines of text.
    package init(
      gap: Int = 0,
      channel: ClosedRange<Int> = 4...12,
      straightens: Bool = true,
      partGap: Int = 1
    ) {
      self.gap = gap
      self.channel = channel
      self.straightens = straightens
      self.partGap = partGap
    }
  }
}
