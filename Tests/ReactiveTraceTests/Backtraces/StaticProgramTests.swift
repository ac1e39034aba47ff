import CReactiveTraceShims
import Testing
import TracePlatform

/// In a program that is linked with `-static-stdlib`, only the name of a function shows which
/// library it belongs to.
@Suite struct StaticProgramTests {
  @Test(
    arguments: [
      ("swift_task_create", RXT_PART_RUNTIME), ("swift_retain", RXT_PART_SWIFT),
      ("_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE", RXT_PART_RUNTIME),
      ("_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE", RXT_PART_RUNTIME),
      ("_ZN6icu_7413UnicodeStringD2Ev", RXT_PART_FOUNDATION), ("_ZN3app4openEv", RXT_PART_PROGRAM),
      ("_dispatch_worker_thread", RXT_PART_DISPATCH), ("__CFRunLoopRun", RXT_PART_FOUNDATION),
      ("$s8Dispatch0A5QueueC5async7executeyAA0A8WorkItemC_tF", RXT_PART_OVERLAY),
      ("$s10Foundation7RunLoopC7performyyyyYbcF", RXT_PART_FOUNDATION),
      ("$s10Foundation13DateFormatterC8timeZone0A10Essentials04TimeE0VSgvM", RXT_PART_FOUNDATION),
      ("$sScisE8contains5whereS2b7ElementQzYaKXE_tYaKFTY6_", RXT_PART_SWIFT),
      ("$sIeg_IyB_TR", RXT_PART_SWIFT), ("main", RXT_PART_PROGRAM),
      ("$s4shop5OrderV4sendyyF", RXT_PART_PROGRAM), ("app_main", RXT_PART_PROGRAM),
    ]
  )
  func theNameOfAFunctionIdentifiesItsOwner(name: String, part: Int) {
    #expect(Int(rxt_part_named(name)) == part)
  }

  @Test(
    arguments: [
      "$sScS12ContinuationV4shopE4sendyyF", "$sSS4shopE3fooyyF", "$sSci4shopE3fooyyYaFTY0_",
      "$s10Foundation7RunLoopC4shopE5lateryyF",
    ]
  )
  func extensionsOfLibraryTypesBelongToTheProgram(name: String) {
    #expect(Int(rxt_part_named(name)) == RXT_PART_PROGRAM)
  }

  @Test func malformedNamesAreNotReadBeyondTheirEnd() {
    for name in ["", "$s", "$s999", "$sS9", "$ss4294967295abcE", "_Z", "___", "$sSa4shop"] {
      _ = rxt_part_named(name)
    }
  }

  @Test(
    arguments: [
      ("swift_job_run", true), ("_dispatch_worker_thread", true), ("__CFRunLoopRun", true),
      ("_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE", true),
      ("$s20FoundationEssentials4DataV5countSivg", true), ("swiftly", false), ("app_main", false),
      ("_ZN3app4openEv", false), ("$s4shop5OrderV4sendyyF", false),
    ]
  )
  func functionsOfTheLibrariesInAProgramsFileAreNotItsOwn(symbol: String, isMachinery: Bool) {
    #expect(ToolchainNames.contains(symbol) == isMachinery)
  }

  @Test func allHopsAreSeenInADynamicallyLinkedProgram() {
    #expect(rxt_hops_unseen() == nil)
  }
}
