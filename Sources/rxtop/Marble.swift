internal import ArgumentParser
internal import InspectorUI
internal import ReactiveTrace
internal import TraceFindings
import TraceModel

/// The subcommand `marble`.
struct Marble: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "marble",
    abstract: "Print when things happened as marbles, for a report or a test.",
    discussion: """
      A lane is a subscription or timer, live or ended, by its number (--nodes 12,15), or each one of a line of code \
      (--nodes Feed.swift:81); without --nodes, there is a lane for each line of code. Times are as on the screen: \
      12.5s, 1:12.258, #8203, a mark's name, end.

      With --test, each lane is a line of marbles as ReactiveTesting reads it: - is one frame \
      (--frame sets its length), letters are values in order, | is completion, # a failure. This turns \
      a failing stretch of a recording into a test.
      """
  )

  @Argument(
    help: ArgumentHelp("The PID of a traced process, or a trace file.", valueName: "pid|file")
  )
  var target: String

  @Option(help: ArgumentHelp("Which lanes, separated by commas.", valueName: "nodes"))
  var nodes = ""

  @Option(help: ArgumentHelp("Where the stretch begins.", valueName: "when"))
  var from: String?

  @Option(help: ArgumentHelp("Where it ends.", valueName: "when"))
  var to: String?

  @Option(help: ArgumentHelp("Width of the output, in columns.", valueName: "columns"))
  var width: Int?

  @Flag(help: "Print strings for tests with ReactiveTesting.")
  var test = false

  @Option(help: ArgumentHelp("With --test: how long a frame is.", valueName: "duration"))
  var frame = "10ms"

  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if let width, !(40...1000).contains(width) {
      throw ValidationError("'--width \(width)' is not a width; use 40 to 1000 columns")
    }
  }

  func run() throws {
    var source = try TraceSource(path: try Target.path(target))
    let inspection = try source.inspection(at: .end)
    let columns = width ?? (Output.isTerminal(1) ? Output.columns : 120)
    let request: MarbleText
    do throws(MarbleTextError) {
      request = try MarbleText(
        nodes: nodes,
        from: from,
        to: to,
        columns: columns,
        glyphs: display.glyphs,
        inspection: inspection,
        entity: source.entity(serial:)
      )
    } catch {
      throw Failure(.usage, error.description)
    }
    if test {
      guard let length = MarbleText.length(frame), length > .zero else {
        throw Failure(.usage, "'\(frame)' is not a frame length; use 10ms, 1s or the like")
      }
      let moments = try source.query(.moments(request.query))
      guard case .moments(let lanes) = moments else { return }
      do throws(MarbleTextError) {
        Output.write(try request.testText(lanes, frame: length))
      } catch {
        throw Failure(.usage, error.description)
      }
      return
    }
    guard case .marbles(let chart) = try source.query(.marbles(request.query)) else { return }
    Output.write(request.text(chart))
  }
}
