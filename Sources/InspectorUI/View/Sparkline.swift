/// Figures over time as signs of different height.
enum Sparkline {
  /// A sign for each figure, as high as its part of the greatest, and a dot where there was nothing.
  ///
  /// - Parameters:
  ///   - figures: From the earliest to the latest.
  ///   - glyphs: What the terminal can show.
  ///   - step: How many figures are one sign, which is as high as the greatest of them.
  /// - Returns: Nothing where all figures are zero.
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

  /// The same of counts.
  static func text(_ counts: [UInt32], _ glyphs: Glyphs, each step: Int = 1) -> String {
    text(counts.map(Double.init), glyphs, each: step)
  }
}
