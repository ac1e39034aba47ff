import Testing
import TracePlatform

/// Programs that are linked with `-static-stdlib`: what is known there is known by names.
@Suite struct StaticProgramTests {
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
}
