extension RecordSpec {
  /// The row of a short record: its name, the fields and what it stands for.
  static func row(_ kind: ShortRecordKind) -> RecordSpec {
    switch kind {
    case .signalAppended:
      RecordSpec(
        kind.longForm,
        "signal-appended",
        ("signal", .entity),
        ("siteAndArgument", .number),
        short: kind,
        "Stands for a `signal-created` whose upstream is the signal of the record directly before it: the site is in bits 0–19 of the argument, the row of the signal's argument in bits 20–31. Since version 1.8."
      )
    case .sourceCreated:
      RecordSpec(
        kind.longForm,
        "source-created",
        ("signal", .entity),
        ("siteAndArgument", .number),
        short: kind,
        "Stands for a `signal-created` without an upstream, with site and argument as in `signal-appended`. Since version 1.8."
      )
    case .stagesSubscribed:
      RecordSpec(
        kind.longForm,
        "stages-subscribed",
        ("subscription", .entity),
        ("site", .site),
        more: [("downstreamAndScheduler", .number), ("signalAndChain", .number)],
        short: kind,
        isBatch: true,
        "Stands for a `subscribed`: the downstream is in bits 0–31 of the first value, the scheduler in bits 32–47; the signal is in the lower half of the second "
          + "value, the chain in the upper. More continuations MAY follow: further subscriptions. Since version 1.8."
      )
    case .endedByOperator:
      RecordSpec(
        kind.longForm,
        "ended-by-operator",
        ("subscription", .entity),
        ("downstream", .entity),
        begins: .subscribed,
        short: kind,
        "Stands for an `operator-tear-down` with this `downstream`, and an `ended` with the reason `cancelled`. "
          + "`by` is the downstream, or the subscription itself if that is 0. Since version 1.8."
      )
    case .endedByDownstream:
      RecordSpec(
        kind.longForm,
        "ended-by-downstream",
        ("subscription", .entity),
        ("downstream", .entity),
        begins: .subscribed,
        short: kind,
        "Stands for a `downstream-tear-down` with this `downstream`, which is also `by`, and an `ended` with the reason `cancelled`. Since version 1.8."
      )
    case .operatorTearDown:
      RecordSpec(
        kind.longForm,
        "operator-tear-down",
        ("by", .entity),
        ("downstream", .entity),
        short: kind,
        "Stands for a `tear-down` with the cause `operator` and the chain 0. Since version 1.8."
      )
    case .downstreamTearDown:
      RecordSpec(
        kind.longForm,
        "downstream-tear-down",
        ("by", .entity),
        ("downstream", .entity),
        short: kind,
        "Stands for a `tear-down` with the cause `downstream` and the chain 0. Since version 1.8."
      )
    case .eventTearDown:
      RecordSpec(
        kind.longForm,
        "event-tear-down",
        ("by", .entity),
        ("downstream", .entity),
        short: kind,
        "Stands for a `tear-down` with the cause `event` and the chain 0. Since version 1.8."
      )
    }
  }
}
