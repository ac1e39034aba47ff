internal import CCurl
internal import Glibc
import InspectorUI
internal import TraceExports
internal import TraceModel

/// A ClickHouse database, which is accessed through its HTTP interface.
final class ClickHouse {
  /// The address of the database without user and password, for messages.
  let shown: String

  private let url: String
  private let timeout: Duration
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// The curl handle of all requests, which therefore share a connection.
  private let handle: UnsafeMutableRawPointer

  /// Prepares requests to a database, but sends none yet.
  ///
  /// - Parameters:
  ///   - url: The address, such as `http://host:8123/database`; it may contain a user and a
  ///     password, and settings of ClickHouse after `?`.
  ///   - timeout: The maximum duration of a request.
  /// - Throws: `Failure` if `url` is not the address of a database.
  init(_ url: String, timeout: Duration) throws {
    self.timeout = timeout
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let parts = curl_url(),
      let handle = curl_easy_init()
    else {
      throw Failure(.undelivered, "libcurl does not start; is memory full?")
    }
    defer { curl_url_cleanup(parts) }
    self.handle = handle
    func part(_ part: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, part, &text, UInt32(CURLU_URLDECODE)) == CURLUE_OK, let text else {
        return nil
      }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK,
      ["http", "https"].contains(part(CURLUPART_SCHEME)),
      let database = part(CURLUPART_PATH)?.split(separator: "/"), database.count == 1
    else {
      throw Failure(
        .usage,
        "the address of --clickhouse is not that of a database; it must look like http://host:8123/database"
      )
    }
    let user = part(CURLUPART_USER) ?? Output.variable("CLICKHOUSE_USER")
    let password = part(CURLUPART_PASSWORD) ?? Output.variable("CLICKHOUSE_PASSWORD")
    curl_url_set(parts, CURLUPART_USER, nil, 0)
    curl_url_set(parts, CURLUPART_PASSWORD, nil, 0)
    let settings = part(CURLUPART_QUERY) ?? ""
    curl_url_set(parts, CURLUPART_QUERY, nil, 0)
    shown = displayName(part(CURLUPART_URL) ?? "")
    curl_url_set(parts, CURLUPART_PATH, "/", 0)
    let defaults = [
      "async_insert": "1", "wait_for_async_insert": "1", "wait_end_of_query": "1",
      "input_format_skip_unknown_fields": "1", "max_partitions_per_insert_block": "0",
      "database": String(database[0]),
    ]
    for pair in settings.split(separator: "&") { Self.append(String(pair), to: parts) }
    for (key, value) in defaults.sorted(by: { $0.key < $1.key })
    where !"&\(settings)".contains("&\(key)=") {
      Self.append("\(key)=\(value)", to: parts)
    }
    self.url = Self.encoded(parts) ?? ""
    var headers = curl_slist_append(nil, "Content-Type: application/x-ndjson")
    // Without this empty header, curl sends "Expect: 100-continue" and waits before it sends a
    // large body.
    headers = curl_slist_append(headers, "Expect:")
    for (name, value) in [("User", user), ("Key", password)] {
      guard let value else { continue }
      guard !value.contains(where: \.isNewline) else {
        throw Failure(
          .usage,
          "the user or the password for ClickHouse contains a line break; remove it"
        )
      }
      headers = curl_slist_append(headers, "X-ClickHouse-\(name): \(value)")
    }
    self.headers = headers
  }

  deinit {
    curl_slist_free_all(headers)
    curl_easy_cleanup(handle)
  }

  private static func append(_ pair: String, to parts: OpaquePointer) {
    curl_url_set(parts, CURLUPART_QUERY, pair, UInt32(CURLU_APPENDQUERY | CURLU_URLENCODE))
  }

  private static func encoded(_ parts: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Inserts rows.
  ///
  /// If a signal asks the program to end, the request is aborted.
  ///
  /// - Returns: Whether the rows were delivered, or why they were not.
  func send(_ post: FleetPost) -> FleetAnswer {
    guard let parts = curl_url() else { return .unreachable("out of memory") }
    defer { curl_url_cleanup(parts) }
    curl_url_set(parts, CURLUPART_URL, url, 0)
    Self.append("query=INSERT INTO \(post.table.rawValue) FORMAT JSONEachRow", to: parts)
    Self.append("insert_deduplication_token=\(post.token)", to: parts)
    guard let address = Self.encoded(parts) else { return .unreachable("out of memory") }

    curl_easy_reset(handle)
    let answer = Answer()
    var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = reason.withUnsafeMutableBufferPointer { reason in
      post.body.withUnsafeBytes { body in
        ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason.baseAddress)
        ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, body.baseAddress)
        ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, body.count)
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        let milliseconds = max(1, Int(timeout / .milliseconds(1)))
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 10_000))
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds)
        ccurl_set_progress(handle) { _, _, _, _, _ in StopSignals.arePending ? 1 : 0 }
        ccurl_set_write(
          handle,
          { bytes, size, count, context in
            guard let context else { return 0 }
            let answer = Unmanaged<Answer>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            // Error messages show at most this part of the answer.
            answer.bytes += bytes.prefix(max(0, 2000 - answer.bytes.count))
            return size * count
          },
          Unmanaged.passUnretained(answer).toOpaque()
        )
        return address.withCString { address in
          ccurl_set_pointer(handle, CURLOPT_URL, address)
          return curl_easy_perform(handle)
        }
      }
    }
    guard code != CURLE_ABORTED_BY_CALLBACK else {
      return .unreachable("the export was ended while rows were sent to \(shown)")
    }
    guard code == CURLE_OK else {
      let end = reason.firstIndex(of: 0) ?? 0
      let curlMessage = String(decoding: reason[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
      let why = curlMessage.isEmpty ? String(cString: curl_easy_strerror(code)) : curlMessage
      let cannotConnect = [
        CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
      ]
      .contains(code)
      let what = cannotConnect ? "cannot be reached" : "does not answer"
      return .unreachable("\(shown) \(what) (\(displayName(why)))")
    }
    return fleetAnswer(Int(ccurl_status(handle)), String(decoding: answer.bytes, as: UTF8.self))
  }

  private final class Answer {
    var bytes: [UInt8] = []
  }

  private func fleetAnswer(_ status: Int, _ body: String) -> FleetAnswer {
    let line = body.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    // If an error occurs after the answer has begun, the status is 200 nevertheless, and the body
    // begins with the number of the error.
    let hasFailed = line.hasPrefix("Code: ")
    guard status != 200 || hasFailed else { return .delivered }
    var what = "\(shown) answers with status \(status)"
    if !line.isEmpty { what += ": \(displayName(line, columns: 300))" }
    switch status {
    case 200, 400, 413, 422: return .refused(what)
    case 404:
      return .unreachable(
        "\(what); rxtop export fleet --ddl prints the statements that create the tables"
      )
    default: return .unreachable(what)
    }
  }
}
