import Testing
@testable import TraceModel

@Suite struct QuantityTests {
  @Test(
    arguments: [
      (nil, "?"), (0, "0"), (9_999, "9999"), (12_045, "12 045"), (123_456, "123k"),
      (1_250_000, "1.3M"), (999_600_000, "1.0G"), (.max, "18447P"),
    ] as [(UInt64?, String)]
  )
  func countsFitSixColumns(value: UInt64?, expected: String) {
    #expect(Quantity.count(value) == expected)
    #expect(expected.count <= 6)
  }

  @Test(
    arguments: [
      (.zero, "0 s"), (.nanoseconds(400), "0 s"), (.microseconds(87), "87 µs"),
      (.microseconds(3_210), "3.2 ms"), (.milliseconds(999), "999 ms"),
      (.microseconds(999_700), "1.0 s"),
      (.milliseconds(9_960), "10 s"), (.milliseconds(59_900), "59 s"), (.seconds(245), "4m 05s"),
      (.seconds(7_860), "2h 11m"), (.seconds(273_600), "3d 04h"), (.seconds(10_000_000), "115d"),
    ] as [(Duration, String)]
  )
  func durationsFitSevenColumns(value: Duration, expected: String) {
    #expect(Quantity.duration(value) == expected)
    #expect(expected.count <= 7)
  }

  @Test func bytesFitSixColumns() {
    let sizes = [0, 999, 1_000, 640_000, 1_675_264, 98_770_944, 999_700_000].map(Quantity.bytes)
    #expect(sizes == ["0.0 B", "999 B", "1.0 kB", "640 kB", "1.7 MB", "99 MB", "1.0 GB"])
    #expect(sizes.allSatisfy { $0.count <= 6 })
  }

  @Test(
    arguments: [
      ("12 345", 12_345), ("1.2k", 1_200), ("87µs", 87_000), ("4m 05s", 245e9), ("50%", 0.5),
      ("0.5 %", 0.005), ("many", nil), ("", nil),
    ] as [(String, Double?)]
  )
  func numbersAreReadAsScreensPrintThem(text: String, expected: Double?) {
    #expect(Quantity.number(text) == expected)
  }

  @Test func figuresOfDamagedTracesAreShownAndDoNotTrap() {
    for value in [1e30, -1e30, Double.greatestFiniteMagnitude] {
      #expect(!Quantity.rate(value).isEmpty && !Quantity.percent(value).isEmpty)
    }
  }

  @Test func ratesAndMomentsAreShort() {
    #expect(
      Quantity.rate(0.01) == "0" && Quantity.rate(0.34) == "0.3" && Quantity.rate(412) == "412"
    )
    #expect(
      Quantity.rate(4_123) == "4.1k" && Quantity.rate(nil) == "?" && Quantity.rate(.nan) == "?"
    )
    #expect(Quantity.moment(.milliseconds(1_005)) == "1.005 s")
    #expect(Quantity.moment(.milliseconds(245_123)) == "4:05.123")
    #expect(Quantity.moment(.seconds(7_864)) == "2:11:04.000")
  }
}
