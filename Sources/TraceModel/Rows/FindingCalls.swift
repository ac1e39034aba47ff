import Glibc

/// The stacks of the subscriptions that a finding is about; callers are looked up on first access.
///
/// `@unchecked Sendable`: the answer is only accessed with the mutex held.
package final class FindingCalls: @unchecked Sendable {
  /// The subscriptions made from one stack.
  package struct Count: Sendable {
    package var call: RecordedCall
    package var accused = 0
    package var others = 0
    package var ended = 0
    package var oldest: EntityKey?

    package init(_ call: RecordedCall) { self.call = call }
  }

  /// One way of grouping stacks to find the caller.
  package struct Question: Sendable {
    /// The counts, one for each stack.
    package var counts: [Count]
    /// The number of accused subscriptions without a stack.
    package var unknown: Int
    /// Whether the calls made subscriptions of the accused line itself.
    package var isOfLine: Bool

    package init(_ counts: [Count], unknown: Int, isOfLine: Bool) {
      (self.counts, self.unknown, self.isOfLine) = (counts, unknown, isOfLine)
    }
  }

  private let questions: [Question]
  private let isWhole: Bool
  private let paths: CallPaths
  /// The stacks of other findings, which will probably be needed, too.
  private let alongside: [[UInt64]]
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var answer: (callers: FindingCallers?, problem: String?)?

  /// Keeps the stacks without looking anything up.
  ///
  /// - Parameters:
  ///   - questions: The ways of grouping stacks, in order of preference. The result is that of the
  ///     first one that finds a caller to blame, or else that of the last.
  ///   - isWhole: Whether the counts include all ended subscriptions; if not, they are minimums.
  ///   - paths: Looks up callers.
  ///   - alongside: Stacks to look up in the same pass.
  package init(_ questions: [Question], isWhole: Bool, _ paths: CallPaths, alongside: [[UInt64]]) {
    self.questions = questions
    self.isWhole = isWhole
    self.paths = paths
    self.alongside = alongside
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The callers; nil if symbols show none of them.
  package var callers: FindingCallers? { answered.callers }

  /// Why symbols do not show the callers; nil if they do, or if there is no caller.
  package var problem: String? { answered.problem }

  private var answered: (callers: FindingCallers?, problem: String?) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let answer { return answer }
    var made: (callers: FindingCallers?, problem: String?) = (nil, nil)
    for question in questions {
      let entries = question.counts.map { Entry($0, paths.path(of: $0.call) { alongside }) }
      let callers = callers(entries, question)
      made = (callers, callers == nil ? entries.compactMap(\.path.problem).first : nil)
      if callers?.blamed != nil { break }
    }
    answer = made
    return made
  }

  // MARK: Looking up

  /// One count, with the callers that symbols show for its stack.
  private typealias Entry = (count: Count, path: CallPath)

  private func callers(_ entries: [Entry], _ question: Question) -> FindingCallers? {
    var depth = Self.fork(entries, from: 0) ?? 0
    var labels = entries.map { $0.path.callers.at(depth) }
    var callers = tally(entries, labels, question)
    // A helper (a function that subscribes on behalf of its callers) may be called by another
    // helper. The caller of the outer helper is to blame if the subscriptions that the inner helper
    // made for its other callers are healthy.
    while let blamed = callers.blamed {
      let inner = entries.indices.filter { labels[$0] == blamed.caller }
      guard let next = Self.fork(inner.map { entries[$0] }, from: depth + 1) else { break }
      var deeper = labels
      for index in inner { deeper[index] = entries[index].path.callers.at(next) }
      let tallied = tally(entries, deeper, question)
      guard let one = tallied.blamed else { break }
      let healthy = inner.filter { deeper[$0] != one.caller }
        .reduce(0) { $0 + entries[$1].count.others + entries[$1].count.ended }
      guard healthy >= max(2, one.accused / 10) else { break }
      (depth, labels, callers) = (next, deeper, tallied)
    }
    guard let first = callers.shares.first, first.accused > 0 else { return nil }
    if let place = labels.firstIndex(of: first.caller) {
      let path = entries[place].path
      callers.helpers = [path.subscriber].compactMap { $0 } + path.callers.prefix(depth)
    }
    return callers
  }

  private func tally(
    _ entries: [Entry],
    _ labels: [Caller?],
    _ question: Question
  ) -> FindingCallers {
    var shares: [Caller: FindingCallers.Share] = [:]
    var unknown = question.unknown
    for ((count, _), caller) in zip(entries, labels) {
      guard let caller else {
        unknown += count.accused
        continue
      }
      var share =
        shares[caller]
        ?? FindingCallers.Share(caller: caller, accused: 0, others: 0, ended: 0, oldest: nil)
      share.accused += count.accused
      share.others += count.others
      share.ended += count.ended
      share.oldest = [share.oldest, count.oldest].compactMap { $0 }.min()
      shares[caller] = share
    }
    return FindingCallers(
      Array(shares.values),
      unknown: unknown,
      isWhole: isWhole,
      isOfLine: question.isOfLine
    )
  }

  /// The depth, from the given one on, at which the callers begin to differ; nil if they do not.
  private static func fork(_ entries: [Entry], from depth: Int) -> Int? {
    let known = entries.map(\.path.callers).filter { !$0.isEmpty }
    guard let first = known.first, depth < first.count else { return nil }
    for depth in depth..<first.count {
      guard known.allSatisfy({ $0.indices.contains(depth) }) else { return nil }
      if known.contains(where: { $0[depth] != first[depth] }) { return depth }
    }
    return nil
  }
}

extension [Caller] {
  fileprivate func at(_ index: Int) -> Caller? { indices.contains(index) ? self[index] : nil }
}
