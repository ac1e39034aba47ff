import CReactiveTraceShims
import TraceFormat
import TracePlatform

/// The number of live recorded entities in this process.
///
/// ```swift
/// if let live = LiveCounts.now() { gauge.record(live.subscriptions) }
/// ```
public struct LiveCounts: Sendable, Hashable {
  /// Signals that have not been released.
  public var signals: UInt64
  /// Subscriptions that have not ended, including those of operators.
  public var subscriptions: UInt64
  /// Subscriptions that the program has made itself.
  public var rootSubscriptions: UInt64
  /// Timers that are armed.
  public var timers: UInt64

  /// The counters of the recorder; nil if no recording has ever begun in this process.
  ///
  /// Entities that were made while nothing was recorded are not counted. The program continues
  /// meanwhile, so the counts of different lines of code are from slightly different moments. Takes
  /// no lock and does not read the file.
  ///
  /// - Complexity: O(*n*) in the number of lines of code with operators; a few microseconds.
  public static func now() -> LiveCounts? { Recorder.current.map { $0.pointee.liveCounts } }
}

extension Recorder {
  fileprivate var liveCounts: LiveCounts {
    var counts = LiveCounts(signals: 0, subscriptions: 0, rootSubscriptions: 0, timers: 0)
    for number in 0..<sites.region.used {
      let site = sites.region.entry(number)
      let live = UInt64(sites.liveSubscriptions(UInt32(number)))
      counts.subscriptions += live
      let traits = SiteTraits(rawValue: Layout.Site.traits.relaxed(at: site))
      if traits.contains(.root) { counts.rootSubscriptions += live }
      counts.signals &+= MarkTable.difference(
        Layout.Site.signalsCreated,
        Layout.Site.signalsReleased,
        site
      )
      counts.timers &+= MarkTable.difference(Layout.Site.timersArmed, Layout.Site.timersEnded, site)
    }
    return counts
  }
}
