import Testing
import TraceModel
import TraceReading

@Suite struct InputRoleTests {
  /// Subscriptions to these signals, in the order of their creation.
  private static func upstreams(_ signals: [UInt32]) -> [TraceSlot] {
    signals.map { signal in
      var slot = TraceSlot()
      slot.signal = signal
      return slot
    }
  }

  private static func site(_ traits: SiteTraits) -> TraceSite {
    var site = TraceSite()
    site.traits = traits
    return site
  }

  /// A signal made from signals 1 and 2.
  private static let signal: TraceSlot = {
    var signal = TraceSlot()
    signal.kind = .signal
    signal.link = TraceID(rawValue: 1)
    signal.moreUpstreams = [TraceID(rawValue: 2)]
    return signal
  }()

  @Test(arguments: [
    (SiteTraits.flattens, [InputRole.inner, .inner, .source]),
    (.partners, [.partner(1), .inner, .partner(0)]), (.triggers, [.trigger, .inner, .source]),
    (.sampled, [.sampled, .inner, .source]),
  ])
  func rolesFollowTheOrderOfTheSignals(traits: SiteTraits, roles: [InputRole]) {
    let found = InputRole.roles(
      of: Self.upstreams([2, 7, 1]),
      at: Self.site(traits),
      in: Self.signal
    )
    #expect(found == roles)
  }

  @Test func withoutTheSignalRolesFollowTheOrderOfSubscriptions() {
    let upstreams = Self.upstreams([2, 7])
    let roles = { InputRole.roles(of: upstreams, at: Self.site($0), in: nil) }
    #expect(roles(.flattens) == [.source, .inner])
    #expect(roles(.partners) == [.partner(0), .partner(1)])
    // Without the signal it is not known which of the two is the trigger.
    #expect(roles(.triggers) == [.source, .inner])
  }
}
