import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct ExecutionCoreInternalTests {
  @Test func aValueOfEnabledIfAfterTheEndDoesNotEnableTheAction() {
    let time = TestScheduler()
    let core = ExecutionCore<Int, Never>(
      Site("Action", #fileID, #line, #column),
      time,
      allowsConcurrent: false
    )
    let isAllowed = Subject<Bool, Never>()
    let owned = CompositeDisposable(owner: nil)
    core.follow(isAllowed.signal, owned)
    isAllowed.send(false)
    core.end()
    isAllowed.send(true)
    #expect(!core.state.withLock { $0.status.isEnabled })
    owned.dispose()
    time.run()
  }
}
