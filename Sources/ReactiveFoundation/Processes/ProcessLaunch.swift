public import Foundation
public import Reactive
import ReactiveTrace

/// A program, which is run once for each subscription.
///
/// ```swift
/// ProcessLaunch("git", ["log", "--oneline"]).result().subscribe { print($0.text) }
/// ```
///
/// Unlike `Foundation.Process`, it can be run repeatedly, and each process belongs to a
/// subscription: disposal ends the process. (The program runs in the working directory of this
/// process; `env --chdir` runs a program in another directory.)
public struct ProcessLaunch: Sendable, Hashable, CustomStringConvertible {
  /// The program: a path, or a name that is searched for in `PATH`.
  public var program: String
  /// The program's arguments, without its name.
  public var arguments: [String]
  /// The program's environment; nil for the environment of this process.
  public var environment: [String: String]?
  /// What the program reads from its standard input.
  public var input: ProcessInput

  /// Describes a program to run.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is searched for in `PATH`.
  ///   - arguments: The program's arguments, without its name.
  ///   - environment: The program's environment; nil for the environment of this process.
  ///   - input: What the program reads from its standard input; by default nothing, as from an
  ///     empty file.
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

  /// Describes a program that reads the given bytes from its standard input.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is searched for in `PATH`.
  ///   - arguments: The program's arguments, without its name.
  ///   - environment: The program's environment; nil for the environment of this process.
  ///   - input: What the program reads; nil for ``ProcessInput/empty``, which is neither closed nor
  ///     inherited.
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

  /// A cold signal that runs the program, and sends its output as it arrives.
  ///
  /// ```
  /// output()   -[out]--[error]-[out]-|     or # where its status is not 0
  /// ```
  ///
  /// The signal completes when the process has ended with status 0 and both of its outputs have
  /// reached their end (a child process that outlives it may keep them open). The next piece of an
  /// output is read when the subscriber has handled the previous one; meanwhile a process that has
  /// filled the pipe waits. Disposal sends `SIGTERM`, and `SIGKILL` if that has not ended the
  /// process within the grace period; no zombie is left in either case.
  ///
  /// - Parameters:
  ///   - grace: How long the process may take to end after `SIGTERM`.
  /// - Returns: A signal that fails with what the process has written to its standard error (the
  ///   last 64 KiB). It sends on threads of the global queue.
  public func output(
    grace: Duration = .seconds(5),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<ProcessOutput, ProcessFailure> {
    let site = Site("output", file, line, column)
    return .source(site, argument: program, on: SystemCallbacks.descriptors) { inlet in
      ProcessRun(self, inlet, grace).start()
    }
  }

  /// A cold signal that runs the program, and sends all its output when it has ended with status 0.
  ///
  /// - Parameters:
  ///   - grace: How long the process may take to end after `SIGTERM`.
  /// - Returns: A signal of one value; see ``output(grace:file:line:column:)``.
  public func result(
    grace: Duration = .seconds(5),
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

/// The standard input of a process.
public enum ProcessInput: Hashable, Sendable {
  /// Nothing: the first read is at the end of the file (`/dev/null`).
  case empty
  /// These bytes, then the end; through a pipe, as fast as the process reads.
  case data(Data)
  /// The standard input of this process, if it is open. Both processes read from the same file, so
  /// each byte goes to only one of them.
  case inherited
  /// No open file: reading fails with `EBADF`, and the first file that the program opens gets
  /// descriptor 0. Few programs are prepared for that.
  case closed
}

/// A piece of a process's output.
public enum ProcessOutput: Hashable, Sendable {
  /// Data that the process wrote to its standard output.
  case output(Data)
  /// Data that the process wrote to its standard error.
  case error(Data)
}

/// The whole output of a process.
public struct ProcessResult: Hashable, Sendable {
  /// The data that the process wrote to its standard output.
  public var output: Data
  /// The data that the process wrote to its standard error.
  public var errorOutput: Data

  /// The standard output as text; bytes that are not valid UTF-8 become U+FFFD.
  public var text: String { String(decoding: output, as: UTF8.self) }
}

/// Why a process could not be started, or how it ended other than with status 0.
public struct ProcessFailure: Error, Hashable, CustomStringConvertible {
  /// What became of the process.
  public enum Reason: Hashable, Sendable {
    /// The process could not be started.
    case notStarted(SystemFailure)
    /// The process returned a status other than 0.
    case status(Int32)
    /// A signal ended the process.
    case signal(Int32)
    /// Another part of the program has waited for the process, so its status is not known here.
    case lost
  }

  /// The launch that failed.
  public let launch: ProcessLaunch
  /// What became of the process.
  public let reason: Reason
  /// The end of what the process wrote to its standard error, 64 KiB at most.
  public let errorOutput: Data

  /// One sentence: what was run, how it ended, and the last line of its error output.
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
