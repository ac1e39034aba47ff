extension DetailView {
  /// Histograms as bars, one line for each power of two.
  static func histograms(_ model: Model) -> [DocumentLine] {
    guard let histograms = model.histograms else { return [] }
    return histograms.flatMap { histogram -> [DocumentLine] in
      let most = histogram.buckets.map(\.count).max() ?? 1
      let room = max(8, min(40, model.size.columns - 34))
      var lines: [DocumentLine] = [
        .heading("\(histogram.title): \(Quantity.count(histogram.count)) measured")
      ]
      for bucket in histogram.buckets {
        let limit = "up to " + Quantity.duration(bucket.limit)
        let padding = String(repeating: " ", count: max(1, 15 - CellWidth.of(limit)))
        // Something is never drawn as nothing.
        let length =
          bucket.count == 0
          ? 0 : max(1, Int((Double(bucket.count) / Double(max(1, most)) * Double(room)).rounded()))
        lines.append(
          DocumentLine([
            ("  " + limit + padding, .dim),
            (String(repeating: model.glyphs.bar, count: length), .site),
            (" " + Quantity.count(bucket.count), .text),
          ])
        )
      }
      return lines
    }
  }
}
