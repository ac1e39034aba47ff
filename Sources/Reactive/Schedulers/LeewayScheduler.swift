/// Forwards work to a scheduler, and gives delayed work a leeway.
final class LeewayScheduler: Scheduler {
  private let base: any Scheduler
  private let leeway: Duration

  init(_ base: some Scheduler, _ leeway: Duration) {
    self.base = base
    self.leeway = leeway
    base.identity.belongs(to: base)
  }

  var identity: SchedulerIdentity { base.identity }
  var now: Duration { base.now }

  func run(_ work: ScheduledWork) { base.run(work) }

  func run(_ work: ScheduledWork, after delay: Duration) {
    base.run(work, after: delay, leeway: leeway)
  }
}
