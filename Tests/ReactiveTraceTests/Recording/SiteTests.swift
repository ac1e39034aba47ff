import Glibc
import ReactiveTrace
import Testing
import TraceReading

@Suite struct SiteTests {
  @Test func distinguishesSitesByNameFileLineAndColumn() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      func number(_ name: StaticString, _ file: StaticString, _ line: UInt32, _ column: UInt32)
        -> UInt32
      {
        Tracer.site(name, traits: [], file: file, line: line, column: column)
      }
      let first = number("map", "A/B.swift", 1, 2)
      #expect(first != 0)
      let others = [
        number("filter", "A/B.swift", 1, 2), number("map", "A/C.swift", 1, 2),
        number("map", "A/B.swift", 2, 2), number("map", "A/B.swift", 1, 3),
      ]
      #expect(Set(others + [first]).count == 5)
      for _ in 0..<3 { #expect(number("map", "A/B.swift", 1, 2) == first) }
      let now = try Recording.snapshot()
      #expect(now.sites.count == 6)
      #expect(now.sites[Int(others[1])].file == "A/C.swift")
    }
  }

  @Test func countsSitesThatDoNotFit() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let sites = (0..<300).map { Recording.site("map", line: UInt32($0)) }
      #expect(sites.filter { $0 != 0 }.count == 255)
      // Subscriptions at sites that do not fit are still counted, in the row for unknown sites.
      let id = Tracer.subscribed(site: sites[299], signal: .none, downstream: .none)
      Tracer.next(id)
      let now = try Recording.snapshot()
      #expect(now.header.lost[.sites] == 45)
      #expect(now.sites[0].live == 1)
      #expect(now.slot(id)?.eventCount == 1)
    }
  }

  @Test func countsLifetimesByPowersOfTwo() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let short = Recording.subscription()
      Tracer.ended(short, .completed)
      let long = Recording.subscription()
      let start = MonotonicTime.nanoseconds
      while MonotonicTime.nanoseconds - start < 3_000_000 {}
      Tracer.ended(long, .completed)
      let lifetimes = try #require(try Recording.snapshot().site("map")).lifetimes
      #expect(lifetimes.reduce(0, +) == 2)
      // One lifetime was at least 2^21 nanoseconds, which is 2 milliseconds.
      #expect(lifetimes[21...].reduce(0, +) >= 1)
      #expect(lifetimes[..<40].reduce(0, +) == 2)
    }
  }

  @Test func storesTheRecordedStringsOnceAndCutsLongOnes() async {
    await #expect(processExitsWith: .success) {
      try Recording.start()
      let signal = Tracer.signalCreated(site: Recording.site("create"))
      Tracer.signalNamed(signal, "map")
      Tracer.signalNamed(signal, String(repeating: "ä", count: 100))
      Tracer.signalNamed(signal, "map")
      Tracer.signalNamed(signal, "")
      _ = Recording.site("map")
      let now = try Recording.snapshot()
      let names = now.records(.signalNamed).map { now.string($0.argument) }
      #expect(names == ["map", String(repeating: "ä", count: 64), "map", ""])
      #expect(now.strings.values.filter { $0 == "map" }.count == 1)
    }
  }

  @Test func countsStringsThatDoNotFit() async {
    await #expect(processExitsWith: .success) {
      try Recording.start(size: 256 << 10)
      let signal = Tracer.signalCreated(site: Recording.site("create"))
      // The heap of 64 KiB does not have room for all of these strings, which take 136 bytes each.
      for number in 0..<600 {
        Tracer.signalNamed(signal, "\(number) " + String(repeating: "x", count: 124))
      }
      let now = try Recording.snapshot()
      let unnamed = now.records(.signalNamed).filter { $0.argument == 0 }.count
      #expect(unnamed > 50)
      #expect(now.header.lost[.strings] == UInt64(unnamed))
      #expect(now.problems == [])
    }
  }
}

/// The monotonic clock.
enum MonotonicTime {
  static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
