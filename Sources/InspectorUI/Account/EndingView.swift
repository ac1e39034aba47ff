import TraceModel
internal import TraceReading

/// Shows what ended a subscription, the work in which it ended, and the subscriptions that ended
/// with it.
enum EndingView {
  static func lines(_ ending: EndingAccount, _ model: Model) -> [DocumentLine] {
    let width = model.size.columns
    let ago = Quantity.duration(max(.zero, model.inspection.instant.time - ending.time))
    var lines: [DocumentLine] = [
      .heading("How it ended, at \(Quantity.moment(ending.time)), \(ago) before this moment")
    ]
    lines += DocumentLine.paragraph(
      displayName(ending.answer, columns: 1000),
      width: width,
      role: .strong
    )
    let frames = model.backtraces[ending.chain] ?? []
    if let place = AsyncBacktraceText.ownPlaces(in: frames).first {
      lines.append(.field("in the code", displayName(place, columns: 200), role: .site))
    }
    if let by = ending.by {
      lines.append(.field("by", by.label, role: .site, target: place(of: by)))
    }
    if let trigger = ending.trigger {
      lines.append(
        .field("at", "event #\(trigger)", target: Place(.detail, scope: .record(trigger)))
      )
    }
    for (place, step) in ending.steps.prefix(EndingAccount.limit).enumerated() {
      lines.append(
        .field(
          place == 0 ? "step by step" : "",
          displayName(step.text, columns: 200),
          target: Place(.detail, scope: .subscription(step.key))
        )
      )
    }
    if let hop = ending.hop {
      lines.append(
        .field(
          "in",
          displayName(ending.hopText, columns: 120),
          target: Place(.detail, scope: .record(hop))
        )
      )
    } else {
      lines.append(.field("in", unknownWork(model), role: .dim))
    }
    if let scheduling = ending.scheduling {
      lines.append(
        .field(
          "scheduled",
          "with event #\(scheduling)",
          target: Place(.detail, scope: .record(scheduling))
        )
      )
    }
    lines += list("ended above", ending.upstream, ending.upstreamCount)
    lines += list("ended below", ending.downstream, ending.downstreamCount)
    if ending.upstreamCount == 0 {
      lines.append(.field("ended above", "nothing in the same turn", role: .dim))
    }
    for unknown in ending.unknown {
      lines += DocumentLine.paragraph(
        "Not known: \(displayName(unknown, columns: 400)).",
        width: width,
        role: .dim
      )
    }
    return lines
  }

  /// A text that explains why the work in which the subscription ended is not named.
  private static func unknownWork(_ model: Model) -> String {
    model.inspection.program.highestLevel >= .events
      ? "a call by the program's own code, not by a scheduler"
      : "not recorded: that needs level 'events' (RXTRACE=1)"
  }

  private static func list(_ title: String, _ lives: [AccountedLife], _ count: Int)
    -> [DocumentLine]
  {
    lives.enumerated().map { place, life in
      DocumentLine.field(
        place == 0 ? title : "",
        life.label + (place == 0 && count > 1 ? ", the first of \(count)" : ""),
        target: Place(.detail, scope: .subscription(life.key))
      )
    }
  }

  static func place(of life: AccountedLife) -> Place {
    let scope: Scope =
      switch life.kind {
      case .owner: .owner(life.key)
      case .timer: .timer(life.key)
      case .signal: .signal(life.key)
      case .subscription, .none: .subscription(life.key)
      }
    return Place(.detail, scope: scope)
  }

  /// The latest ends of subscriptions of a line of code, each with what ended it.
  static func list(_ endings: [EventRow], _ model: Model) -> [DocumentLine] {
    guard !endings.isEmpty else { return [] }
    return [.heading("Latest ends")]
      + endings.reversed().map { row in
        DocumentLine(
          [
            ("  " + (row.subject?.label ?? "#?").padding(to: 8), .text),
            (Quantity.moment(row.time) + "  ", .dim),
            (displayName(row.text, columns: 200), .gone),
          ],
          target: row.subject.map { Place(.detail, scope: .subscription($0)) }
        )
      }
  }
}

extension String {
  /// The text, followed by as many blanks as the width needs, and at least one.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - CellWidth.of(self)))
  }
}
