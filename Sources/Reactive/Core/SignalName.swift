import TraceFormat

extension Signal: CustomStringConvertible {
  /// The signal as it was put together, as `username.distinctUntilChanged().take(3).filter(…)`.
  ///
  /// Spelled as in code, and where everything is a number, a duration, a scheduler or another signal, so that it
  /// compiles: `range(from: 3, count: 2).multicast(capacity: 1)`. `…` stands for what is left out, which is closures and
  /// values, however many.
  ///
  /// Built anew at each call, by walking the tree: nothing is paid before somebody asks. At most about
  /// 400 characters; what is deeper shows as `…`, and a signal used twice is spelled out once.
  public var description: String {
    var writer = NameWriter(LivingSignals())
    return writer.name(of: self)
  }

  /// The same signal under a name of its own, for logs and traces (128 bytes of it are recorded).
  ///
  /// Where nobody else has this signal, as in `source.map { … }.named("prices")`, it is the one that has the name from
  /// then on, and a trace has no other. Where somebody does, as in `let named = signal.named("prices")` while `signal` goes
  /// on being used, that one stays without a name, and the trace has both, each with its own subscriptions.
  ///
  /// - Parameter name: Replaces everything that ``description`` would say about what lies upstream.
  /// - Returns: A signal that behaves exactly as this one.
  public consuming func named(_ name: String) -> Signal {
    var unnamed = consume self
    let isOnlyOne = isKnownUniquelyReferenced(&unnamed)
    return Signal(naming: unnamed, name, isOnlyOne: isOnlyOne)
  }
}

/// The signals of this process.
private struct LivingSignals: SignalTree {
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
