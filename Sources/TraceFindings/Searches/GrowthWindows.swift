import TraceModel
import TraceReading

/// The windows of a recording whose live counts are compared.
///
/// Windows begin and end at marks, which are instants with the live count of every site.
///
/// If the program declared rounds, by at least ``minimumRounds`` marks of one name, each round is a
/// window. Digits in names are ignored, so that `round 1` and `round 2` belong together. Otherwise
/// each window contains the same number of automatic marks. What is before the first of these marks
/// is dropped as a warm-up.
///
/// If the recorder has discarded some of the rounds' marks to save space, a window spans as many
/// rounds as lie between two marks that were kept, and the remainder after the last such window is
/// ignored.
struct GrowthWindows {
  let isDeclared: Bool
  /// Rows of the marks at which windows end.
  let ends: [Int]
  /// The number of declared rounds in a window; 1 for other windows.
  let rounds: Int
  /// The row of the newest mark of the rounds, if it does not complete a window.
  private let rest: Int?
  private let marks: [TraceMark]
  /// The row of the mark at which the first window begins, after the warm-up.
  private let start: Int
  /// The number of windows that fit into the time since the newest mark.
  ///
  /// Subscribing sets automatic marks, so nothing was subscribed to in that time.
  private let quiet: Int

  static let minimumRounds = 5
  /// The numbers of windows into which automatic marks are divided.
  ///
  /// Many windows are tried first, because they can give more certainty, and then fewer, because
  /// growth in steps that are far apart does not appear in each of many windows.
  private static let windowCounts = [8, 6]

  /// Every way to divide a recording into windows.
  ///
  /// The result is empty if there is nothing to compare, or if marks are missing in between,
  /// because everything could have ended in a window without marks.
  ///
  /// - Parameters:
  ///   - marks: All marks of the recording.
  ///   - now: The instant, in ticks, up to which windows without marks are counted.
  /// - Returns: The divisions, the more certain ones first.
  static func all(_ marks: [TraceMark], now: UInt64) -> [GrowthWindows] {
    guard isGapless(marks) else { return [] }
    if let rounds = declared(marks) { return [rounds] }
    let automatic = marks.indices.filter { marks[$0].kind == .automatic }
    let divisions = windowCounts.map { count in
      let step = max(1, automatic.count / count)
      let rows = stride(from: automatic.count - 1, through: 0, by: -step).map { automatic[$0] }
      return GrowthWindows(isDeclared: false, marks, rows.reversed(), now: now)
    }
    return divisions.filter { $0.steps >= 3 }
  }

  /// Whether the program has declared rounds by which its growth can be judged.
  static func areDeclared(_ marks: [TraceMark]) -> Bool { declared(marks) != nil }

  private init(
    isDeclared: Bool,
    _ marks: [TraceMark],
    _ rows: [Int],
    rounds: Int = 1,
    rest: Int? = nil,
    now: UInt64 = 0
  ) {
    self.isDeclared = isDeclared
    self.rounds = rounds
    self.rest = rest
    self.marks = marks
    start = rows.first ?? 0
    ends = Array(rows.dropFirst())
    let widths = zip(rows, rows.dropFirst()).map { marks[$1].ticks &- marks[$0].ticks }.sorted()
    let width = widths.isEmpty ? 0 : widths[widths.count / 2]
    let last = rows.last.map { marks[$0].ticks } ?? 0
    quiet =
      isDeclared || width == 0 || now <= last ? 0 : Int(clamping: min((now - last) / width, 8))
  }

  /// The number of pairs of adjacent windows that can be compared.
  var steps: Int { ends.count - 1 + quiet }

  /// The rows, in the table of marks, of all marks that are compared.
  var marked: [Int] {
    guard let last = ends.last, start < last else { return ends.map { marks[$0].index } }
    return (start...last).map { marks[$0].index }
  }

  func name(_ window: Int) -> String { marks[ends[window]].name }
  func ticks(_ window: Int) -> UInt64 { marks[ends[window]].ticks }

  /// Says how the heap has changed from the end of the first window to the end of the last; nil if
  /// its size is not recorded.
  var memory: String? {
    guard let first = ends.first, let last = ends.last, first < last,
      let heap = marks[last].memoryChange(since: marks[first]).heap
    else { return nil }
    let change = Quantity.memory(heap.magnitude)
    // A smaller change may come from pages and pools of the allocator, or from memory that other
    // threads hold at that moment.
    if heap.magnitude < 4096 { return "The heap in use did not change with it." }
    return heap > 0
      ? "The heap in use rose by \(change) meanwhile."
      : "The heap in use did not rise with it: it is \(change) smaller."
  }

  /// The live count of a site at the end of each window.
  func levels(_ site: UInt32) -> [Int] { ends.map { Self.value(marks[$0].live, site) } }

  /// Whether fewer subscriptions of a site than `level` were live at the newest mark; false if that
  /// mark completes a window.
  func hasDrained(_ site: UInt32, below level: Int) -> Bool {
    rest.map { Self.value(marks[$0].live, site) < level } ?? false
  }

  /// The smallest live count in each window: unlike the counts at the ends, it is not affected by
  /// bursts that drain.
  ///
  /// - Parameters:
  ///   - site: A line of code.
  ///   - live: The number live now: in windows after the newest mark, the count has not been
  ///     smaller.
  /// - Returns: A number for each window.
  func minimums(_ site: UInt32, live: UInt64) -> [Int] {
    var minimums: [Int] = []
    var before = start
    for end in ends {
      let row = (before + 1...end).map { Self.value(marks[$0].minimumLive, site) }.min()
      minimums.append(row ?? 0)
      before = end
    }
    return minimums + [Int](repeating: Int(clamping: live), count: quiet)
  }

  private static func value(_ counts: [UInt32], _ site: UInt32) -> Int {
    Int(site) < counts.count ? Int(counts[Int(site)]) : 0
  }

  private static func isGapless(_ marks: [TraceMark]) -> Bool {
    guard let first = marks.first, first.index == 0 else { return marks.isEmpty }
    return zip(marks, marks.dropFirst()).allSatisfy { before, mark in
      mark.since != 0 ? mark.since <= before.ticks : mark.index <= before.index + 1
    }
  }

  /// The rounds that the program declared; nil if there are too few of them.
  private static func declared(_ marks: [TraceMark]) -> GrowthWindows? {
    var byName: [String: [Int]] = [:]
    for (row, mark) in marks.enumerated() where mark.kind == .program && !mark.name.isEmpty {
      byName[mark.name.filter { !$0.isNumber }, default: []].append(row)
    }
    // The number of marks that were set, including those that the recorder discarded.
    func made(_ rows: [Int]) -> Int {
      max(rows.count, Int(clamping: marks[rows[rows.count - 1]].ordinal))
    }
    let most = byName.values.max { (made($0), $0[0]) < (made($1), $1[0]) }
    guard var rows = most, made(rows) >= minimumRounds else { return nil }
    let places = rows.map { Int(marks[$0].ordinal) }
    let steps = zip(places, places.dropFirst()).map { $1 - $0 }
    guard let last = steps.last, let stretch = steps.max(), stretch > 1, places[0] > 0 else {
      return GrowthWindows(isDeclared: true, marks, rows)
    }
    let rest = last < stretch ? rows.removeLast() : nil
    return GrowthWindows(isDeclared: true, marks, rows, rounds: stretch, rest: rest)
  }
}

/// How a count changes from window to window.
struct Trend {
  /// By how much the count rose in each step; negative if it fell.
  let steps: [Int]
  /// The number of final steps in all of which the count rose.
  let run: Int
  /// The median of the slopes between all pairs of smallest counts (Theil–Sen), per window.
  let slope: Double

  /// - Parameters:
  ///   - minimums: The smallest count of each window.
  ///   - levels: The count at the end of each window, if it has to rise as well.
  init(minimums: [Int], levels: [Int]?) {
    let minimumSteps = zip(minimums, minimums.dropFirst()).map { $1 - $0 }
    let levelSteps = levels.map { levels in zip(levels, levels.dropFirst()).map { $1 - $0 } }
    steps = levelSteps ?? minimumSteps
    var run = zip(steps, minimumSteps).reversed().prefix { $0 > 0 && $1 > 0 }.count
    // What a round adds at its end raises only the smallest count of the next round.
    let before = steps.count - run - 1
    if levels != nil, before >= 0, steps[before] > 0, minimumSteps[before] >= 0 { run += 1 }
    self.run = run
    var slopes: [Double] = []
    for left in minimums.indices {
      for right in minimums.indices where right > left {
        slopes.append(Double(minimums[right] - minimums[left]) / Double(right - left))
      }
    }
    slope = Self.median(slopes)
  }

  var rises: Int { steps.count { $0 > 0 } }
  var falls: Int { steps.count { $0 < 0 } }

  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
