public import Foundation
public import Reactive
import ReactiveTrace

/// A program to run, as often as somebody subscribes.
///
/// ```swift
/// ProcessLaunch("git", ["log", "--oneline"]).result().subscribe { print($0.text) }
/// ```
///
/// In contrast to `Foundation.Process` it can be run again, and belongs to a subscription: when that is disposed
/// of, the process is ended. (Its folder is that of this process; `env --chdir` runs a program in another.)
public struct ProcessLaunch: Sendable, Hashable, CustomStringConvertible {
  /// The program: a path, or a name that is looked for in `PATH`.
  public var program: String
  /// What it is given.
  public var arguments: [String]
  /// Its environment; nil for that of this process.
  public var environment: [String: String]?
  /// What it reads from its standard input.
  public var input: ProcessInput

  /// Names a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked for in `PATH`.
  ///   - arguments: What it is given.
  ///   - environment: Its environment; nil for that of this process.
  ///   - input: What it reads from its standard input; by default nothing, as from an empty file.
  public init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    input: ProcessInput = .empty
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.input = input
  }

  /// Names a program that reads some bytes from its standard input.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked for in `PATH`.
  ///   - arguments: What it is given.
  ///   - environment: Its environment; nil for that of this process.
  ///   - input: What it reads; nil for ``ProcessInput/empty``: neither closed nor that of this process.
  public init(
    _ program: String,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    input: Data?
  ) {
    self.init(
      program,
      arguments,
      environment: environment,
      input: input.map { .data($0) } ?? .empty
    )
  }

  /// The program and its arguments.
  public var description: String { ([program] + arguments).joined(separator: " ") }

  /// A cold signal that runs the program, and sends what it writes as it comes.
  ///
  /// ```
  /// output()   -[out]--[error]-[out]-|     or # where its status is not 0
  /// ```
  ///
  /// Completes when the process has ended with status 0 and both of its outputs are at their end (a process that it
  /// leaves behind may keep them open). Each output is read on when its piece has been handled: a process
  /// whose output nobody takes waits. Disposal sends `SIGTERM`, and `SIGKILL` if that has not ended it
  /// within the grace; nothing is left of it in any case.
  ///
  /// - Parameters:
  ///   - grace: How long it may take to end after `SIGTERM`.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that fails with what the process has written to its standard error (the last 64 KiB). It
  ///   sends on threads of the global queue.
  public func output(
    grace: Duration = .seconds(5),
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<ProcessOutput, ProcessFailure> {
    let site = Site("output", file, line, column)
    return .source(site, argument: program, on: SystemCallbacks.descriptors) { inlet in
      ProcessRun(self, inlet, grace).start()
    }
  }

  /// A cold signal that runs the program, and sends all that it has written when it has ended.
  ///
  /// - Parameters:
  ///   - grace: How long it may take to end after `SIGTERM`.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of one value; see ``output(grace:file:line:column:)``.
  public func result(
    grace: Duration = .seconds(5),
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<ProcessResult, ProcessFailure> {
    output(grace: grace, file: file, line: line, column: column)
      .reduce(
        into: ProcessResult(output: Data(), errorOutput: Data()),
        { result, piece in
          switch piece {
          case .output(let data): result.output += data
          case .error(let data): result.errorOutput += data
          }
        },
        file: file,
        line: line,
        column: column
      )
  }
}

/// What a process finds at its standard input.
public enum ProcessInput: Hashable, Sendable {
  /// Nothing: it is at its end from the start, as an empty file is (`/dev/null`).
  case empty
  /// These bytes, then the end; through a pipe, as fast as the process reads.
  case data(Data)
  /// What this process has there, if it is open: both read from the same, so that each byte goes to one of them.
  case inherited
  /// No open file: reading fails with `EBADF`, and the first file that the program opens takes the place. Few programs are
  /// made for that.
  case closed
}

/// Something that a process has written.
public enum ProcessOutput: Hashable, Sendable {
  /// To its standard output.
  case output(Data)
  /// To its standard error.
  case error(Data)
}

/// All that a process has written.
public struct ProcessResult: Hashable, Sendable {
  /// To its standard output.
  public var output: Data
  /// To its standard error.
  public var errorOutput: Data

  /// The standard output as text; what is no UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: output, as: UTF8.self) }
}

/// Why a process did not end well.
public struct ProcessFailure: Error, Hashable, CustomStringConvertible {
  /// What became of the process.
  public enum Reason: Hashable, Sendable {
    /// It could not be started.
    case notStarted(SystemFailure)
    /// It returned a status other than 0.
    case status(Int32)
    /// A signal ended it.
    case signal(Int32)
    /// Somebody else has waited for it, and knows its status.
    case lost
  }

  /// What was to be run.
  public let launch: ProcessLaunch
  /// What became of it.
  public let reason: Reason
  /// The end of what it wrote to its standard error, 64 KiB at most.
  public let errorOutput: Data

  /// One sentence: what was run, how it ended, and the last line of what it said.
  public var description: String {
    let end =
      switch reason {
      case .notStarted(let failure): "could not be started: \(failure)"
      case .status(let status): "ended with status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      case .lost: "has ended, but its status was taken by another part of the program"
      }
    let lines = String(decoding: errorOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
    return "'\(launch)' \(end)" + (lines.last.map { ": \($0)" } ?? "")
  }
}
