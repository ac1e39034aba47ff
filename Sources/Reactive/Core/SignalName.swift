import TraceFormat

extension Signal: CustomStringConvertible {
  /// How the signal was composed, such as `username.distinctUntilChanged().take(3).filter(…)`.
  ///
  /// The description is spelled as in code. If all arguments are numbers, durations, schedulers or
  /// other signals, the description compiles: `range(from: 3, count: 2).multicast(capacity: 1)`.
  /// `…` stands for omitted closures and values, however many.
  ///
  /// The description is built at each call by walking the upstream signals, and costs nothing until
  /// then. It has at most about 400 characters: deeper parts are shown as `…`, and a signal that is
  /// used twice is spelled out once.
  public var description: String {
    var writer = NameWriter(LiveSignals())
    return writer.name(of: self)
  }

  /// The same signal with its own name, for logs and traces (traces record 128 bytes of the name).
  ///
  /// If nothing else refers to this signal, as in `source.map { … }.named("prices")`, the named
  /// signal replaces it, and is the only one in a trace. Otherwise, as in `let named =
  /// signal.named("prices")` with `signal` still in use, `signal` stays without a name, and the
  /// trace has both signals, each with its own subscriptions.
  ///
  /// - Parameter name: Replaces everything that ``description`` would include of upstream signals.
  /// - Returns: A signal that behaves exactly like this one.
  public consuming func named(_ name: String) -> Signal {
    var unnamed = consume self
    let isOnlyOne = isKnownUniquelyReferenced(&unnamed)
    return Signal(naming: unnamed, name, isOnlyOne: isOnlyOne)
  }
}

/// The signals of this process.
private struct LiveSignals: SignalTree {
  func identity(of signal: any AnySignal) -> ObjectIdentifier { ObjectIdentifier(signal) }
  func name(of signal: any AnySignal) -> String? { signal.node.name }
  func operation(of signal: any AnySignal) -> String { "\(signal.node.site.name)" }
  func inputs(of signal: any AnySignal) -> [(any AnySignal)?] { signal.upstreams.all }

  func argument(of signal: any AnySignal) -> SignalSpelling.Argument {
    switch signal.node.argument {
    case .none, .merged, .name, .following: .inside([])
    case .closure, .joining, .descending, .declared: .inside(["…"])
    case .integer(let number): .inside([spelled(number)])
    case .duration(let duration): .inside([spelled(duration), "…"])
    case .text(let text): .inside([text])
    case .scheduler(let identity): .inside([spelled(scheduler: identity.name)])
    case .written(let write): .inside([write()].filter { !$0.isEmpty })
    case .part(let part): .behind(part)
    case .list: .array
    }
  }
}
