internal import ArgumentParser

/// The subcommand `agent-guide`.
struct AgentGuide: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent-guide",
    abstract:
      "Print how a coding agent finds a fault with rxtop: what to run, in which order, and what it prints.",
    discussion: """
      Markdown, of the same version as this rxtop: give it to an agent with the program, or keep it beside the sources.
      """
  )

  func run() { Output.write(Self.text) }

  /// The guide; `Tests/RxtopTests/AgentGuideTests.swift` tests the commands in it.
  static let text = """
    # Finding a fault with rxtop \(Rxtop.version)

    rxtop tells from a recording of a Swift program that uses Reactive which subscription leaks, which value never
    arrives, what runs on the wrong queue and where an error came from. Work in this order. With \
    --json, a command prints JSON
    on standard output; if it fails, it prints one sentence on standard error.

    ## 1. Record

        RXTRACE=events,file=/tmp/run.rxtrace PROGRAM ARGUMENTS

    Build the program with debug information, and let it do what goes wrong; if something grows, \
    repeat that six times
    or more. It may be killed; the recording stays. A test records itself with \
    `@Test(.traced(timeLimit: .seconds(10)))`
    (product ReactiveTesting). An earlier recording of that name is replaced: give another name for each run.

    ## 2. Ask what is wrong

        rxtop explain /tmp/run.rxtrace finding --source-root . --json

    | Key | Meaning |
    |---|---|
    | `schema` | `{"name": "rxtop-answers", "version": 1}`; refuse another version |
    | `isComplete`, `missing` | read these first: where `isComplete` is false, what is missing may be why nothing is found, and no finding is proved |
    | `notes` | what else limits the answer, such as a level that records no events |
    | `findings` | worst first, each with the keys below; empty where nothing was found |
    | `level` | `LEAK` and `VIOLATION` are proved by records; `SUSPECT` is likely; `INFO` is often intended |
    | `kind` | `rxtop check --help` lists all kinds in a few words each |
    | `file`, `line`, `column` | the accused line, from the source root on; null where the whole program is accused |
    | `code` | the operator there |
    | `reasoning` | sentences: what is wrong, which caller is to blame, why it is not sure, and the evidence in figures |
    | `caller` | `file`, `line` and `text` of the call to blame, where `line` subscribes for several callers and only one of them shows the fault; null otherwise |
    | `edit` | what to change, worded for the accused line |
    | `related` | further lines that support it: callers with their share, and records |
    | `flow` | the program's functions that led there, the outermost first, also over queues, timers and tasks; empty where their files are not below the source root |
    | `fingerprint` | the same in another build, also when lines have moved |

    The accused line is where the fault shows. Where `caller` is not null, make the change of `edit` for that call alone, at its line or
    where it passes something in: the helper also serves callers without the fault. In a statement \
    of several lines, the line is
    that of the operator or the call. The best pattern for a change is code elsewhere in the \
    program that does the same
    correctly: `sites` shows such lines.

    ## 3. Where nothing is found, ask why

        rxtop explain /tmp/run.rxtrace subscription File.swift:LINE --json   # why nothing arrives there
        rxtop explain /tmp/run.rxtrace error --json                          # where the last error came from
        rxtop explain /tmp/run.rxtrace crash --json                          # what was under way when it died
        rxtop --once --screen sites /tmp/run.rxtrace                         # lines of code with \
    figures; then the findings, and what was ruled out
        rxtop --once --screen map /tmp/run.rxtrace                           # the program as a \
    text drawing
        rxtop export sqlite /tmp/run.rxtrace -o /tmp/run.db                  # anything else, in SQL: sqlite3 /tmp/run.db .schema

    In these explanations, `steps` lead from what was asked for to the answer, the one with `isCulprit` is what it is
    about, `answer` is the sentence, and `unknown` says what the recording cannot tell.

    A fault that only the meaning of values shows (a wrong number, a wrong order that is allowed) is not found: read the
    code at the lines that `sites` and `map` name.

    ## 4. Change, record again, and compare

        rxtop diff /tmp/before.rxtrace /tmp/after.rxtrace --json
        rxtop check /tmp/after.rxtrace --fail-on suspect

    `check` ends with 0 where nothing is found at that level or above, 1 with findings, 2 for a wrong command line, 3 where the
    recording cannot be read, and 4 where nothing was found but the recording is too incomplete to be sure. The fault is fixed if its
    `fingerprint` is gone from a complete recording of the same use.

    """
}
