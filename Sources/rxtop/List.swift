internal import ArgumentParser
internal import InspectorKit
internal import ReactiveTrace

/// The subcommand `ls`.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the traces of running and past programs.",
    discussion: """
      Looks into RXTRACE_DIR, XDG_RUNTIME_DIR/rxtrace, /dev/shm/rxtrace-UID and /tmp/rxtrace-UID. \
      Running programs come first, then the latest recordings.
      """
  )

  @OptionGroup var look: LookOptions

  func run() throws {
    let text = TraceList.text(
      TraceDirectory.list(),
      now: Output.now,
      width: Output.isTerminal(1) ? Output.columns : 160,
      glyphs: look.glyphs
    )
    Output.write(text)
  }
}
