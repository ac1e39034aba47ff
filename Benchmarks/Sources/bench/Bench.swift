import ArgumentParser
import Glibc

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the library with a peer, in interleaved pairs of runs.",
    discussion: """
      The exit status is 1 if the two sides of a workload did not do the same work, and 0 otherwise, \
      whether or not a goal is reached.
      """
  )

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Run the workload of this name, or all whose names contain it; may be repeated.",
      valueName: "name"
    )
  )
  var filter: [String] = []

  @Option(
    help: ArgumentHelp("Pairs of runs of each workload; 15, or 5 with --quick.", valueName: "n")
  )
  var pairs: Int?

  @Flag(help: "An eighth of the work: to see that it runs.")
  var quick = false

  @Flag(
    help: "Record traced workloads in stream mode: into a file that grows by 16 bytes a record."
  )
  var stream = false

  @Flag(
    help: "Measure the processor time of the process, not the time that passes: for a busy machine."
  )
  var processorTime = false

  @Flag(help: "Print the checksums, too.")
  var verbose = false

  @Flag(help: "Print the names of the workloads.")
  var list = false

  @OptionGroup(title: "Memory")
  var memory: MemoryOptions

  @OptionGroup(title: "Tasks, dispatch and threads")
  var hops: HopOptions

  @OptionGroup(title: "Counting instructions")
  var instructions: InstructionOptions

  func validate() throws {
    if let pairs, pairs < 1 {
      throw ValidationError("--pairs must be a whole number from 1, found '\(pairs)'")
    }
    if getenv("RXTRACE") != nil {
      throw ValidationError("RXTRACE is set: traced figures are workloads of their own; unset it")
    }
  }

  func run() throws {
    if try memory.run(json: json) { return }
    let pairs = pairs ?? (quick ? 5 : 15)
    if try hops.run(filter: filter, pairs: pairs, isQuick: quick, json: json) { return }
    let all = Workload.all(Functions.pick(), Recording(isStreamed: stream))
    if try instructions.run(all) { return }
    let workloads = try selected(from: all)
    if list { return workloads.forEach { print($0.name) } }
    Stopwatch.countsProcessorTime = processorTime
    let report: any Report = json ? JSONReport(isVerbose: verbose) : TableReport(isVerbose: verbose)
    report.begin(pairs: pairs)
    for workload in workloads {
      report.add(try workload.compare(pairs: pairs, shrunkBy: quick ? 8 : 1))
      fflush(nil)
    }
  }

  private func selected(from all: [Workload]) throws -> [Workload] {
    if filter.isEmpty { return all }
    var names: Set<String> = []
    for name in filter {
      let exact = all.filter { $0.name == name }
      let found = exact.isEmpty ? all.filter { $0.name.contains(name) } : exact
      if found.isEmpty {
        throw ValidationError(
          "no workload's name contains '\(name)'; there are: "
            + all.map(\.name).joined(separator: ", ")
        )
      }
      names.formUnion(found.map(\.name))
    }
    return all.filter { names.contains($0.name) }
  }
}
