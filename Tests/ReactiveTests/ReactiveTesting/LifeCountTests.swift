import ReactiveTesting
import Testing

@Suite struct LifeCountTests {
  @Test func countsTokensThatAreAlive() {
    let lives = LifeCount()
    let one = lives.token()
    do {
      let other = lives.token()
      other.touch()
      #expect(lives.count == 2)
    }
    #expect(lives.count == 1)
    withExtendedLifetime(one) {}
  }
}
