import Testing
import TraceModel

@Suite struct BacktraceFoldingTests {
  @Test func theProgramsOwnFunctionsComeFirstAndOthersAreCounted() {
    let lines = [
      "Signal.probe(_:) at /home/me/Sources/Reactive/Core/Signal.swift:51 [inlined]",
      "closure #1 in Pane.open() at /home/me/app/Pane.swift:70 [inlined]",
      "thunk for @escaping @callee_guaranteed () -> ()",
      "_dispatch_call_block_and_release in libdispatch.so",
      "libc.so.6+0x891f5",
      "… asynchronously invoked (Timer) from:",
      "Pane.start() at /home/me/app/Pane.swift:7",
      "main at main.swift:1",
      "… asynchronously invoked (Thread) from:",
      "Thread.start() in libFoundation.so",
      "static Thread.detachNewThread(_:) in libFoundation.so",
      "… older parts were not kept",
    ]
    #expect(
      AsyncBacktraceText.folded(lines) == [
        "closure #1 in Pane.open() at /home/me/app/Pane.swift:70 [inlined]",
        "(4 more of Reactive, Swift, Dispatch and the system)",
        "… asynchronously invoked (Timer) from:",
        "Pane.start() at /home/me/app/Pane.swift:7",
        "main at main.swift:1",
        "… asynchronously invoked (Thread) from:",
        "Thread.start() in libFoundation.so",
        "(1 more of Foundation)",
        "… older parts were not kept",
      ]
    )
    #expect(AsyncBacktraceText.folded([]).isEmpty)
  }

  @Test func aFunctionOfTheLibraryDoesNotStandForTheProgram() {
    let library = [
      "Signal.rootBegan(_:_:isImmediate:) at /x/Sources/Reactive/Tracing/Subscribe+Traced.swift:71",
      "partial apply for closure #1 in Action.execute(_:file:line:column:)",
    ]
    let link = "… asynchronously invoked (on ui) from:"
    #expect(
      AsyncBacktraceText.folded(library + [link, "Desk.use() at Desk.swift:49"]) == [
        "(2 of Reactive and the compiler)", link, "Desk.use() at Desk.swift:49",
      ]
    )
    // Without any function of the program, the innermost one is better than none.
    let place = [library[0], "__libc_start_call_main in libc.so.6"]
    #expect(AsyncBacktraceText.folded(place) == [library[0], "(1 more of the system)"])
  }

  @Test func aRecursiveFunctionIsListedOnce() {
    let lines = [
      "descend(_:) at a.swift:1", "descend(_:) at a.swift:2", "descend(_:) at a.swift:2",
      "partial apply for closure #1 in start()", "start() at a.swift:9",
    ]
    #expect(
      AsyncBacktraceText.folded(lines) == [
        "descend(_:) at a.swift:1", "descend(_:) at a.swift:2, 2 times", "start() at a.swift:9",
        "(1 more of the compiler)",
      ]
    )
  }

  @Test func withoutLineNumbersAllFunctionsOfTheProgramStay() {
    #expect(AsyncBacktraceText.folded(["f()", "app+0x3"]) == ["f()", "app+0x3"])
  }

  @Test(
    arguments: [
      ("Task<>.init(name:priority:operation:) at /<compiler-generated>", FrameOwner.swift),
      ("specialized thunk for @escaping () -> () at /<compiler-generated>", .swift),
      ("run_carrier at /x/Sources/CReactiveTraceShims/rxt_hops_dispatch.c:80", .reactive),
      (
        "RedirectingEventLoop.execute(_:) at /x/Sources/ReactiveNIO/Hops/RedirectingEventLoop.swift:70",
        .reactive
      ),
      ("EventLoop.submit<A>(_:) at /x/swift-nio/Sources/NIOCore/EventLoop.swift:1027", .nio),
      ("closure #1 in Feed.load() at Feed.swift:3", .program),
      ("load in libfeed.so", .program),
      ("app+0x1f3c (no symbols: 'app' is not there any more)", .program),
      ("swift_retain in libswiftCore.so", .swift), ("lib_FoundationICU.so+0x10", .foundation),
      // In these frames, the libraries are linked statically into the program.
      ("swift::runJobInEstablishedExecutorContext(swift::Job*)", .swift),
      ("completeTaskWithClosure(swift::AsyncContext*, swift::SwiftError*)", .swift),
      ("swift_job_run", .swift), ("_dispatch_worker_thread", .dispatch),
      ("__CFRunLoopRun", .foundation), ("dispatchMail(_:)", .program), ("CFOLoop.run()", .program),
    ]
  )
  func theOwnerOfAFunctionFollowsFromItsNameAndFile(line: String, owner: FrameOwner) {
    #expect(FrameOwner(ofLine: line) == owner)
  }
}
