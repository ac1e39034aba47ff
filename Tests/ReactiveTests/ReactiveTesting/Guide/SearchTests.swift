import Reactive
import ReactiveTesting
import Testing

@Test func searchesOnceForEachBurst() {
  let time = TestScheduler(frame: .milliseconds(100))
  let results = time.hot("-a-b------b-|", where: ["a": "s", "b": "swift"])
    .debounce(.milliseconds(300), on: time)
    .distinctUntilChanged()
    .recorded(at: time)
  time.run()
  expectMarbles(results, "------b-----|", where: ["b": "swift"])
}
