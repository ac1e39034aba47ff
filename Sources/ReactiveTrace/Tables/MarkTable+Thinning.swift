import CReactiveTraceShims
import TracePlatform

/// Decides which marks are kept: in each series, the marks at equal distances, and the newest.
///
/// A mark is an instant for which the table contains the live count of every site.
///
/// The process may be killed at any point of this code, and a reader may read at any time. So
/// whenever a row is being written, its information is also in another row.
extension MarkTable {
  /// A series consists of marks that are compared with each other, and therefore thinned together:
  /// all marks set by the recorder, or those of the program whose names differ only in digits.
  struct Series: BitwiseCopyable {
    /// A hash of the name without digits.
    var key: UInt64
    /// The distance from one kept mark to the next, minus 1.
    var skipped: UInt32
    /// The position of the newest mark in the series; 0 if there is none.
    var last: UInt32

    static var automatic: Int { 0 }
    /// The series shared by all marks for whose names no separate series was left.
    static var shared: Int { 1 }
    static var firstNamed: Int { 2 }

    /// The maximum number of named series of a table.
    ///
    /// It is small enough that the longest series has at least four rows when the table is full.
    static func mostNamed(_ capacity: Int) -> Int { capacity / 8 }

    var stride: UInt32 { skipped &+ 1 }

    /// The position of a new mark, counted from 1.
    ///
    /// A mark set by the recorder gets the next position that is kept.
    mutating func next(_ kind: MarkKind) -> UInt32 {
      let isFirst = last == 0
      last =
        kind == .program || isFirst ? last &+ 1 : ((last &- 1) / stride &+ 1) &* stride &+ 1
      return last
    }
  }

  /// What is known about the mark in a row.
  struct Place: BitwiseCopyable {
    var series: UInt8
    /// The position of the mark in its series, counted from 1.
    var ordinal: UInt32
    /// The number of sites whose counts the mark contains.
    var siteCount: Int
  }

  // MARK: Names

  /// The series of a mark of the program.
  func series(of name: String) -> Int {
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 where !Self.isDigit(byte) {
      key = (key ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let named = Series.firstNamed..<Series.firstNamed + state.pointee.named
    if let known = named.first(where: { series[$0].key == key }) { return known }
    guard named.count < Series.mostNamed(region.capacity) else { return Series.shared }
    state.pointee.named += 1
    series[named.upperBound].key = key
    return named.upperBound
  }

  /// The number of a mark's name.
  ///
  /// Names may take a quarter of the heap of strings. After that, a mark is named without its
  /// digits, so that each series has only one name, and a mark of the shared series has no name.
  func intern(_ name: String, in number: Int, _ strings: StringTable) -> UInt32 {
    let used = strings.region.used
    defer { state.pointee.nameBytes += strings.region.used - used }
    if state.pointee.nameBytes < strings.region.capacity / 4 { return strings.intern(name) }
    if number == Series.shared { return 0 }
    let limit = Layout.StringHeap.limit
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limit) { bytes in
      var count = 0
      for byte in name.utf8 where !Self.isDigit(byte) && count < limit {
        bytes[count] = byte
        count += 1
      }
      return strings.intern(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
      )
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  // MARK: Thinning

  /// Whether the mark in a row is one of those at equal distances.
  func isKept(_ row: Int) -> Bool {
    let place = places[row]
    return (place.ordinal &- 1) % series[Int(place.series)].stride == 0
  }

  /// Doubles the distance between the marks of the series with the most rows.
  func thin() {
    let rows = 0..<region.used
    let all = 0..<Series.firstNamed + state.pointee.named
    let sizes = all.map { number in rows.count { Int(places[$0].series) == number } }
    guard let most = sizes.max(), let longest = sizes.firstIndex(of: most) else { return }
    series[longest].skipped = series[longest].stride &* 2 &- 1
    if longest == Series.automatic { state.pointee.interval *= 2 }
    let newest = rows.last { Int(places[$0].series) == longest }
    giveUp { Int(places[$0].series) == longest && $0 != newest && !isKept($0) }
  }

  /// Removes the marks for which `isGivenUp` returns true; the last row must not be one of them.
  func giveUp(_ isGivenUp: (Int) -> Bool) {
    let used = region.used
    // Each change of a row is correct by itself, and is made before the removed row is overwritten.
    for row in 0..<used where isGivenUp(row) { lowerCounts(of: row + 1, to: row) }
    var kept = 0
    for row in 0..<used where !isGivenUp(row) {
      if row != kept { copy(row, to: kept) }
      kept += 1
    }
    region.used = kept
  }

  /// Lowers the minimum counts of the later mark to those of the earlier one, so that they also
  /// cover the time before the earlier mark, which can then be removed.
  private func lowerCounts(of later: Int, to earlier: Int) {
    let siteCount = places[later].siteCount
    let known = places[earlier].siteCount
    for number in 0..<siteCount {
      // A site that did not exist at the earlier mark had no subscription then.
      let before =
        number < known ? Layout.MarkCount.minimumLive.relaxed(at: countRow(earlier, number)) : 0
      Layout.MarkCount.minimumLive.lower(to: before, at: countRow(later, number))
    }
    let since = Layout.Mark.since.relaxed(at: region.entry(earlier))
    Layout.Mark.since.setRelease(since, at: region.entry(later))
  }

  /// Copies a row over another one, whose mark was removed or has already been copied elsewhere.
  private func copy(_ from: Int, to: Int) {
    let source = region.entry(from)
    let target = region.entry(to)
    open(target)
    for offset in stride(from: Layout.Mark.sequence.end, to: Layout.Mark.byteCount, by: 8) {
      rxt_store_relaxed_u64(target + offset, rxt_load_relaxed_u64(source + offset))
    }
    for number in 0..<places[from].siteCount {
      let word = rxt_load_relaxed_u64(countRow(from, number))
      rxt_store_relaxed_u64(countRow(to, number), word)
    }
    close(target)
    places[to] = places[from]
  }
}
