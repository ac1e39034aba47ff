/// The callers for which the accused subscriptions of a finding were made.
public struct FindingCallers: Sendable, Equatable {
  /// The subscriptions made for one caller.
  public struct Share: Sendable, Equatable {
    /// The caller.
    public var caller: Caller
    /// How many accused subscriptions were made for it.
    public var accused: Int
    /// How many other live subscriptions the same lines of code made for it.
    public var others: Int
    /// How many other subscriptions that the same lines of code made for it have ended, as far as
    /// records show.
    public var ended: Int
    /// The oldest accused subscription; nil if there is none.
    public var oldest: EntityKey?

    /// The share of a caller.
    public init(caller: Caller, accused: Int, others: Int, ended: Int, oldest: EntityKey?) {
      self.caller = caller
      self.accused = accused
      self.others = others
      self.ended = ended
      self.oldest = oldest
    }

    /// The number of all known subscriptions that were made for it.
    var total: Int { accused + others + ended }
  }

  /// A share for each caller; the caller with the most accused subscriptions comes first.
  public var shares: [Share]
  /// The number of accused subscriptions whose caller is not known.
  public var unknown: Int
  /// Whether all ended subscriptions are counted, because no record is missing.
  public var isWhole: Bool
  /// Whether the accused line itself subscribes for the callers, so that a caller may be to blame.
  public var isOfLine: Bool
  /// The functions that subscribe on behalf of all of the callers, the innermost first.
  public var helpers: [Caller]

  /// The shares of a finding, in any order.
  public init(
    _ shares: [Share],
    unknown: Int = 0,
    isWhole: Bool = true,
    isOfLine: Bool = true,
    helpers: [Caller] = []
  ) {
    self.shares = shares.sorted { left, right in
      if left.accused != right.accused { return left.accused > right.accused }
      if left.total != right.total { return left.total > right.total }
      return left.caller.text < right.caller.text
    }
    self.unknown = unknown
    self.isWhole = isWhole
    self.isOfLine = isOfLine
    self.helpers = helpers
  }

  /// The number of accused subscriptions.
  public var accused: Int { shares.reduce(unknown) { $0 + $1.accused } }

  /// The caller to blame: at least nine in ten of the accused subscriptions were made for it, and
  /// some subscriptions made for other callers are not accused.
  public var blamed: Share? {
    guard isOfLine, let first = shares.first, first.accused > 0, first.accused * 10 >= accused * 9,
      shares.dropFirst().contains(where: { $0.others + $0.ended > 0 })
    else { return nil }
    return first
  }

  /// A sentence about the subscriptions made for the caller to blame and for other callers; without
  /// a caller to blame, the same as ``list``.
  public var sentence: String {
    guard let blamed else { return list }
    let (count, all) = (blamed.accused, accused)
    let what =
      count < all
      ? "\(count) of the \(all) accused were"
      : all == 1 ? "The accused one was" : "All \(all) accused were"
    var text = "\(what) made for \(blamed.caller.text)"
    if !helpers.isEmpty {
      let names = helpers.map(\.text)
      text += " by the helper\(names.count == 1 ? "" : "s") \(names.joined(separator: " and "))"
    }
    let rest = shares.dropFirst()
    let made = rest.reduce(0) { $0 + $1.total }
    let bad = rest.reduce(0) { $0 + $1.accused }
    let others = "\(isWhole ? "" : "at least ")\(made) \(made == 1 ? "was" : "were")"
    let which = bad == 0 ? "none" : "\(bad)"
    return text + "; \(others) made for other callers, and \(which) of those "
      + "\(bad > 1 ? "are" : "is") accused."
  }

  /// The callers with their figures, as evidence:
  /// `Tile.open(_:) at Tile.swift:41 (117 of 120, 3 others have ended)`.
  public var list: String {
    let all = accused
    let shown = shares.prefix(Self.shown).map { share in
      if all == 1, share.total == 1 { return share.caller.text }
      let others = share.others == 0 ? "" : ", \(share.others) more live"
      return "\(share.caller.text) (\(share.accused) of \(all)\(others)\(ended(share)))"
    }
    let more = shares.count - shown.count
    let callers = shares.count == 1 ? "1 caller" : "\(shares.count) callers"
    return "made for \(callers): " + shown.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
      + (unknown > 0 ? "; for \(unknown) the caller is not known" : "")
  }

  private func ended(_ share: Share) -> String {
    if share.ended == 0 { return isWhole && share.others == 0 ? ", all that it made" : "" }
    let count = isWhole ? "\(share.ended)" : "at least \(share.ended)"
    return share.ended == 1 ? ", \(count) other has ended" : ", \(count) others have ended"
  }

  /// The maximum number of callers that are listed.
  private static let shown = 4
}
