internal import ArgumentParser
internal import Glibc
import InspectorUI
internal import ReactiveTrace
internal import TraceModel
internal import TraceReading

/// The subcommand `pack`.
struct Pack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Put the functions, files and lines of all backtraces into a trace.",
    discussion: """
      A trace has addresses; what they mean is looked up in the program's executable and libraries, \
      which must be unchanged and in the same place. A packed trace no longer needs them: it can be read \
      on another machine, and after the program was rebuilt. It is also smaller: the file of a program \
      that was killed has empty stretches, which take space when it is copied, and which packing \
      removes. The program must have ended; with -o, it is enough that it has stopped recording.
      """
  )

  @Argument(help: "The trace file.")
  var file: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write instead; it must not exist yet.", valueName: "file")
  )
  var output: String?

  func run() throws {
    if let output {
      try Files.requireNew(
        output,
        "name a new file, or leave out -o to pack the trace in its place"
      )
    }
    do {
      let reader = try TraceReader(path: file)
      let snapshot = try reader.snapshot()
      // A running program may resume a stopped recording in the file that it has open, so that file
      // must not be replaced.
      if snapshot.isProcessAlive, snapshot.header.state != .stopped || output == nil {
        throw Failure(
          .unreadable,
          "'\(displayName(file))' may still be recorded into by process "
            + "\(snapshot.header.processID); "
            + "pack it after that process has ended, or with -o after it has called Trace.stop()"
        )
      }
      let packing = SymbolPacking(snapshot)
      try SymbolEmbedding.write(packing.symbols, of: reader, to: output ?? file)
      report(packing, to: output ?? file)
    } catch let error as TraceError {
      throw Failure(.unreadable, error.description)
    }
  }

  private func report(_ packing: SymbolPacking, to path: String) {
    Output.write(
      "'\(displayName(path))' names the functions at \(packing.namedCount) of "
        + "\(packing.addressCount) return addresses"
        + (packing.newCount < packing.namedCount ? ", \(packing.newCount) of them new\n" : "\n")
    )
    for problem in packing.problems {
      Output.write(
        "  \(problem.count) without a name: \(displayName(problem.reason, columns: 1000))\n"
      )
    }
  }
}
