import TraceModel
import TraceReading

/// What one kind of finding has to say about one site.
///
/// Each kind is a type of its own whose `check` looks for it.
protocol Accusation {
  var kind: FindingKind { get }
  /// How sure it is, as far as its own evidence goes.
  var level: FindingLevel { get }
  var site: UInt32 { get }
  /// The accused entity, where it is a single one.
  var subject: EntityKey? { get }
  /// A few words for a row of a table.
  var summary: String { get }
  /// One sentence with the figures.
  var sentence: String { get }
  /// What to do.
  var remedy: String { get }
  var evidence: Evidence { get }
  /// What lives, or lived on, of which its figures are; the rows of their sites tell the rest.
  var members: [TraceSlot] { get }
  /// Rows of the marks whose counts it compares.
  var marks: [Int] { get }
  /// Why the level is lower than it could be with all records; nil if it is not.
  var cap: String? { get }
  var rank: Rank { get }
  /// Operators upstream that go along with it.
  var descendants: Int { get }
  /// The operators above the site, nearest first, each with its place: part of the fingerprint.
  var upstreamChain: [String] { get }
  /// Whether figures in its words come from records, so that they are too low where some were lost.
  var restsOnRecords: Bool { get }
}

extension Accusation {
  var subject: EntityKey? { nil }
  var members: [TraceSlot] { [] }
  var marks: [Int] { [] }
  var cap: String? { nil }
  var descendants: Int { 0 }
  var upstreamChain: [String] { [] }
  var restsOnRecords: Bool { false }
}

/// What puts findings of one level in order: the first difference decides.
struct Rank {
  /// Live subscriptions more per round or window.
  var growth = 0.0
  var live: UInt64 = 0
  /// Useless events or wakeups per second.
  var rate = 0.0
  /// Seconds.
  var age = 0.0

  /// All in one number: greater is worse.
  var weight: Double {
    let growth = min(max(growth, 0), 1e4) * 1e11
    let live = Double(min(live, 9_999_999)) * 1e4
    let rate = min(max(rate, 0), 99).rounded() * 1e2
    return growth + live + rate + min(max(age, 0) / 86_400, 99)
  }
}

/// Numbers and nouns.
enum Words {
  /// `1 timer`, `3 timers`.
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `2`, `2.5`.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// `2, 4, 6`, of long lists both ends.
  static func list(_ values: [some BinaryInteger]) -> String {
    guard values.count > 16 else { return values.map { "\($0)" }.joined(separator: ", ") }
    let first = values.prefix(4).map { "\($0)" }
    let last = values.suffix(10).map { "\($0)" }
    return (first + ["…"] + last).joined(separator: ", ")
  }
}
