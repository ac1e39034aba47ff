import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct AlarmInternalTests {
  @Test func isArmedOnceForManyDeadlines() {
    var alarm = Alarm()
    #expect(alarm.set(to: .seconds(2), at: .zero) == .seconds(2))
    #expect(alarm.set(to: .seconds(5), at: .seconds(1)) == nil)
  }

  @Test func firesEarlyUntilTheLastDeadline() {
    var alarm = Alarm()
    _ = alarm.set(to: .seconds(2), at: .zero)
    _ = alarm.set(to: .seconds(5), at: .seconds(1))
    #expect(alarm.fire(at: .seconds(2)) == .early(.seconds(3)))
    #expect(alarm.set(to: .seconds(6), at: .seconds(3)) == nil)
    #expect(alarm.fire(at: .seconds(5)) == .early(.seconds(1)))
    #expect(alarm.fire(at: .seconds(6)) == .due)
    #expect(alarm.deadline == nil)
  }

  @Test func isArmedAgainAfterItHasFired() {
    var alarm = Alarm()
    _ = alarm.set(to: .seconds(2), at: .zero)
    alarm.unset()
    #expect(alarm.fire(at: .seconds(2)) == .idle)
    #expect(alarm.set(to: .seconds(1), at: .seconds(3)) == .zero)
    #expect(alarm.fire(at: .seconds(3)) == .due)
  }
}
