internal import Glibc

/// The entry point of libFuzzer.
public enum Fuzzer {
  /// A function that libFuzzer calls with the bytes of each input and their number; the function
  /// returns 0.
  public typealias Target = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

  /// Passes control of the process to libFuzzer, with the options of the command line.
  public static func run(_ target: Target) -> Never {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(drive(&count, &arguments, target))
  }
}

/// libFuzzer's own main function, with the target as an argument; it is linked with the sanitizer.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ target: Fuzzer.Target
) -> CInt
