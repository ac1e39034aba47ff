import CReactiveTraceShims
import Glibc
import Runtime
import TraceReading

/// A stack of this process in the form that a trace has: return addresses and images.
struct RecordedStack {
  var addresses: [UInt64]
  var images: [TraceImage]

  /// The stack, beginning with the caller.
  @inline(never)
  static func capture() throws -> RecordedStack {
    let backtrace = try Backtrace.capture(algorithm: .fast)
    let addresses = backtrace.frames.compactMap { frame -> UInt64? in
      guard case .returnAddress(let address) = frame else { return nil }
      return UInt64(address)
    }
    return RecordedStack(addresses: addresses, images: loadedImages())
  }

  /// The images loaded into this process, found as the recorder finds them.
  ///
  /// `ImageMap.capture()` would also list files that are only mapped to look up symbols.
  static func loadedImages() -> [TraceImage] {
    var images: [TraceImage] = []
    withUnsafeMutablePointer(to: &images) { images in
      rxt_each_image(
        { loaded, images in
          let image = RecordedStack.image(loaded.pointee)
          images.assumingMemoryBound(to: [TraceImage].self).pointee.append(image)
        },
        images
      )
    }
    return images
  }

  private static func image(_ loaded: rxt_image) -> TraceImage {
    var image = TraceImage()
    let path = String(cString: loaded.path)
    image.path = path.isEmpty ? executable : path
    image.base = loaded.base
    image.endOfText = loaded.end_of_text
    if let start = loaded.build_id {
      let bytes = UnsafeBufferPointer(start: start, count: Int(loaded.build_id_size))
      image.buildID = Array(bytes)
    }
    return image
  }

  private static var executable: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The index of the image of the tests, which contains the first address.
  var own: Int? {
    addresses.first.flatMap { address in
      images.firstIndex { $0.base <= address && address < $0.endOfText }
    }
  }
}
