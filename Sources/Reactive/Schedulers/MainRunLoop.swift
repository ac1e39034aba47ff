internal import Glibc

/// Foundation's run loop of the main thread, in programs that link Foundation.
///
/// This module does not use Foundation, so the functions are looked up by name, as Swift's own
/// runtime does. They are not found in a program that links Foundation statically without exporting
/// them.
enum MainRunLoop {
  private typealias Perform =
    @convention(c) (
      _ runLoop: OpaquePointer, _ mode: OpaquePointer,
      _ body: @escaping @convention(block) () -> Void
    ) -> Void
  private typealias WakeUp = @convention(c) (_ runLoop: OpaquePointer) -> Void

  /// `@unchecked Sendable`: the pointers are constant, and any thread may call the functions.
  private struct Functions: @unchecked Sendable {
    let runLoop: OpaquePointer
    let commonModes: OpaquePointer
    let perform: Perform
    let wakeUp: WakeUp
  }

  private static let functions: Functions? = {
    typealias GetMain = @convention(c) () -> OpaquePointer?
    guard let getMain = dlsym(nil, "CFRunLoopGetMain"),
      let runLoop = unsafeBitCast(getMain, to: GetMain.self)(),
      let modes = dlsym(nil, "kCFRunLoopCommonModes"),
      let commonModes = modes.load(as: OpaquePointer?.self),
      let perform = dlsym(nil, "CFRunLoopPerformBlock"),
      let wakeUp = dlsym(nil, "CFRunLoopWakeUp")
    else { return nil }
    return Functions(
      runLoop: runLoop,
      commonModes: commonModes,
      perform: unsafeBitCast(perform, to: Perform.self),
      wakeUp: unsafeBitCast(wakeUp, to: WakeUp.self)
    )
  }()

  /// Runs `body` in the next iteration of the run loop, if the program has the run loop and runs
  /// it.
  static func perform(_ body: @escaping @Sendable () -> Void) {
    guard let functions else { return }
    functions.perform(functions.runLoop, functions.commonModes, body)
    functions.wakeUp(functions.runLoop)
  }
}
