import TraceModel

extension DetailView {
  /// The histograms of what the screen shows, as bars, with a line for each power of two.
  static func histograms(_ model: Model) -> [DocumentLine] {
    guard let histograms = model.histograms else { return [] }
    return histograms.flatMap { histogram -> [DocumentLine] in
      let most = histogram.buckets.map(\.count).max() ?? 1
      let room = max(8, min(40, model.size.columns - 34))
      var lines: [DocumentLine] = [
        .heading("\(histogram.title): \(Quantity.count(histogram.count)) measured")
      ]
      for bucket in merged(histogram) {
        let limit = "up to " + bucket.limit
        let padding = String(repeating: " ", count: max(1, 15 - CellWidth.of(limit)))
        // A count above zero always has a visible bar.
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

  /// The buckets of a histogram; adjacent buckets with the same label are merged.
  static func merged(_ histogram: Histogram) -> [(limit: String, count: UInt64)] {
    var buckets: [(limit: String, count: UInt64)] = []
    for bucket in histogram.buckets {
      let limit = Quantity.duration(bucket.limit)
      if buckets.last?.limit == limit {
        buckets[buckets.count - 1].count += bucket.count
      } else {
        buckets.append((limit, bucket.count))
      }
    }
    return buckets
  }

  /// Histograms of the ages of live subscriptions and of the lifetimes of ended ones, side by side.
  ///
  /// Live subscriptions that are much older than any ended subscription stand out at the bottom.
  static func lifetimes(_ row: SiteRow, _ model: Model) -> [DocumentLine] {
    let ages = model.inspection.ages(ofSite: row.id)
    let alive = Histogram.powers(of: ages)
    let ended = (row.lifetimes ?? []).map(UInt64.init)
    func count(_ powers: [UInt64], _ power: Int) -> UInt64 {
      power < powers.count ? powers[power] : 0
    }
    let used = alive.indices.filter { count(alive, $0) > 0 || count(ended, $0) > 0 }
    guard let first = used.first, let last = used.last else { return [] }
    let most = max(alive.max() ?? 0, ended.max() ?? 0, 1)
    let room = max(3, min(24, (model.size.columns - 33) / 2))
    let isKnown = row.lifetimes != nil
    let living = "Lifetimes: \(Quantity.count(ages.count)) alive so far"
    let others = Quantity.count(ended.reduce(0) { $0.saturatingAdding($1) })
    var lines: [DocumentLine] = [
      .heading(isKnown ? "\(living), \(others) that ended" : living),
      DocumentLine(
        padded("", 17) + padded("alive", room + 8)
          + (isKnown ? "ended" : "ended \(Quantity.unknown): known only at the newest state ($)"),
        role: .dim
      ),
    ]
    for power in first...last {
      let limit = Quantity.duration(.nanoseconds(Int64(1) << Int64(min(power + 1, 62))))
      var pieces: [(String, Role)] = [(padded("  up to \(limit)", 17), .dim)]
      for powers in isKnown ? [alive, ended] : [alive] {
        let count = count(powers, power)
        // A count above zero always has a visible bar.
        let part = Double(count) / Double(most) * Double(room)
        let length = count == 0 ? 0 : max(1, Int(part.rounded()))
        pieces.append((String(repeating: model.glyphs.bar, count: length), .site))
        let number = count == 0 ? model.glyphs.dash : " " + Quantity.count(count)
        pieces.append((padded(number, room + 8 - length), .text))
      }
      lines.append(DocumentLine(pieces))
    }
    return lines
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - CellWidth.of(text)))
  }
}
