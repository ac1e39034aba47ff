import NIOCore

/// The members of an event loop that request work.
enum EventLoopMember: Int, CaseIterable {
  case execute, submit, taskAt, taskIn, callbackAt, callbackIn
  // These members do the same, but may be called only on the thread of the loop.
  case isolatedExecute, isolatedSubmit, isolatedTaskAt, isolatedTaskIn
  case isolatedCallbackAt, isolatedCallbackIn

  /// Calls the member on a loop, with work that does nothing.
  func call(_ loop: any EventLoop) {
    lazy var isolated = loop.assumeIsolatedUnsafeUnchecked()
    let far = NIODeadline.distantFuture
    switch self {
    case .execute: loop.execute {}
    case .submit: _ = loop.submit {}
    case .taskAt: loop.scheduleTask(deadline: far) {}
    case .taskIn: loop.scheduleTask(in: .zero) {}
    case .callbackAt: _ = try? loop.scheduleCallback(at: far, handler: NoCallback())
    case .callbackIn: _ = try? loop.scheduleCallback(in: .zero, handler: NoCallback())
    case .isolatedExecute: isolated.execute {}
    case .isolatedSubmit: _ = isolated.submit {}
    case .isolatedTaskAt: isolated.scheduleTask(deadline: far) {}
    case .isolatedTaskIn: isolated.scheduleTask(in: .zero) {}
    case .isolatedCallbackAt: _ = try? isolated.scheduleCallback(at: far, handler: NoCallback())
    case .isolatedCallbackIn: _ = try? isolated.scheduleCallback(in: .zero, handler: NoCallback())
    }
  }

  private struct NoCallback: NIOScheduledCallbackHandler {
    func handleScheduledCallback(eventLoop: some EventLoop) {}
  }
}
