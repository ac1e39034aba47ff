import Dispatch
import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

/// Unchecked because `UserDefaults` is thread-safe.
private struct SharedTestDefaults: @unchecked Sendable {
  let object: UserDefaults
}

@Suite(.serialized) struct UserDefaultsTests {
  /// The defaults of a separate suite, which are emptied first.
  static func defaults(_ name: String = #function) throws -> UserDefaults {
    let suite = "reactive.tests.\(name)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.removePersistentDomain(forName: suite)
    return defaults
  }

  @Test func sendsTheCurrentValueThenEachChange() throws {
    let defaults = try Self.defaults()
    let seen = defaults.reactive.values(forKey: "size", as: Int.self).recorded()
    #expect(seen.values == [nil])
    for size in [1, 1, 2, nil] { defaults.reactive.set(size, forKey: "size") }
    defaults.reactive.set("no number", forKey: "other")
    #expect(seen.values == [nil, 1, 2, nil])
    #expect(!seen.hasEnded)
  }

  @Test func propertyListTypesAreReadBack() throws {
    let defaults = try Self.defaults()
    defaults.reactive.set("text", forKey: "text")
    defaults.reactive.set(1.5, forKey: "number")
    defaults.reactive.set(["a", "b"], forKey: "list")
    #expect(defaults.reactive.values(forKey: "text", as: String.self).recorded().values == ["text"])
    #expect(defaults.reactive.values(forKey: "number", as: Double.self).recorded().values == [1.5])
    #expect(
      defaults.reactive.values(forKey: "list", as: [String].self).recorded().values == [["a", "b"]]
    )
    #expect(defaults.reactive.values(forKey: "text", as: Int.self).recorded().values == [nil])
  }

  @Test func numbersOfAnyTypeAreReadBackIfTheyFit() throws {
    let defaults = try Self.defaults()
    func read<Value: Sendable & Equatable>(_ type: Value.Type) -> Value? {
      defaults.reactive.values(forKey: "n", as: type).recorded().values.first ?? nil
    }
    defaults.reactive.set(Int64(5), forKey: "n")
    #expect(read(Int64.self) == 5 && read(UInt8.self) == 5 && read(Int.self) == 5)
    #expect(read(Double.self) == 5 && read(String.self) == nil)
    defaults.reactive.set(300, forKey: "n")
    #expect(read(UInt8.self) == nil && read(UInt16.self) == 300)
    // Foundation itself stops the program for a number of this type.
    defaults.reactive.set(CGFloat(0.5), forKey: "n")
    #expect(read(CGFloat.self) == 0.5 && read(Float.self) == 0.5 && read(Int.self) == nil)
  }

  @Test func afterDisposalNothingIsSentOrHeld() throws {
    let defaults = try Self.defaults()
    let lives = LifeCount()
    let seen = Recorder<Int?, Never>()
    let subscription = defaults.reactive.values(forKey: "size", as: Int.self)
      .doNext { [token = lives.token()] _ in token.touch() }.subscribe { seen.next($0) }
    subscription.dispose()
    defaults.reactive.set(3, forKey: "size")
    #expect(seen.values == [nil])
    #expect(lives.count == 0)
  }

  @Test func theLastValueSentIsTheOneStored() throws {
    let defaults = SharedTestDefaults(object: try Self.defaults())
    let seen = defaults.object.reactive.values(forKey: "size", as: Int.self).recorded()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<200 { defaults.object.reactive.set(thread * 1000 + number, forKey: "size") }
    }
    let last = defaults.object.object(forKey: "size") as? Int
    #expect(last != nil && seen.values.last == last)
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let defaults = try Self.defaults("trace")
      let trace = try TracedBridge.record({
        (defaults.reactive.values(forKey: "size", as: Int.self), #line)
      }) { inbox in
        defaults.reactive.set(1, forKey: "size")
        #expect(inbox.values == [nil, 1])
      }
      try trace.expect("values(forKey:)", hopsOn: nil)
    }
  }
}
