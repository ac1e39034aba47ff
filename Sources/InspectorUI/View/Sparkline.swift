/// Shows figures over time as bars of different heights.
enum Sparkline {
  /// A bar for each figure, whose height is relative to the greatest figure, or a dot for zero.
  ///
  /// - Parameters:
  ///   - figures: The figures from the earliest to the latest.
  ///   - glyphs: The characters that the terminal can show.
  ///   - step: The number of figures that are combined into one bar, which shows the greatest of
  ///     them.
  /// - Returns: The bars; empty if all figures are zero.
  static func text(_ figures: [Double], _ glyphs: Glyphs, each step: Int = 1) -> String {
    let most = figures.max() ?? 0
    guard most > 0, most < 1e300 else { return "" }
    let bars = glyphs.marbles.densities
    return stride(from: 0, to: figures.count, by: step).map { place in
      let figure = figures[place..<min(figures.count, place + step)].max() ?? 0
      guard figure > 0 else { return glyphs.marbles.quiet }
      return bars[Int(figure * Double(bars.count - 1) / most)]
    }.joined()
  }

  /// A bar for each count, like ``text(_:_:each:)`` for figures.
  static func text(_ counts: [UInt32], _ glyphs: Glyphs, each step: Int = 1) -> String {
    text(counts.map(Double.init), glyphs, each: step)
  }
}
