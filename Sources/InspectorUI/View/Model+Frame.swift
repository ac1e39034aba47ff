import TraceModel

extension Model {
  /// Draws the current screen.
  ///
  /// - Complexity: O(cells), however many rows there are.
  public func frame() -> Frame {
    var frame = Frame(size: size, glyphs: glyphs)
    guard size.columns >= Size.minimum.columns, size.rows >= Size.minimum.rows else {
      ScreenFrame.drawTooSmall(&frame)
      return frame
    }
    let layout = layout
    ScreenFrame.drawTitle(self, &frame, row: layout.title)
    ScreenFrame.drawBar(self, &frame, row: layout.bar)
    if let row = layout.summary { ScreenFrame.drawSummary(self, &frame, row: row) }
    if place.screen == .map {
      MapView.draw(self, &frame, layout)
    } else if let table = place.screen.table {
      table.draw(self, &frame, layout)
      if place.screen == .findings { FindingsView.explain(self, &frame, layout) }
      if place.screen == .queues { QueuesView.explain(self, &frame, layout) }
      if [.sites, .signals, .subscriptions, .events].contains(place.screen) {
        ListPreview.draw(self, &frame, layout)
      }
    } else {
      DocumentScreens.draw(self, &frame, layout)
      if place.screen == .marbles { drawMarbles(&frame, layout) }
    }
    ScreenFrame.drawFooter(self, &frame, row: layout.footer)
    return frame
  }

  private func drawMarbles(_ frame: inout Frame, _ layout: ScreenLayout) {
    if let row = layout.headings {
      let label = marbles == nil ? "" : "time"
      frame.put(label, row: row, column: 0, role: .heading)
      // The axis must match the chart that is drawn, which may be slightly outdated.
      MarbleAxis.draw(
        marbles?.query ?? MarblesView.query(self),
        &frame,
        row: row,
        column: MarblesView.labelWidth(size.columns),
        glyphs
      )
    }
    MarblesView.explain(self, &frame, layout)
  }
}
