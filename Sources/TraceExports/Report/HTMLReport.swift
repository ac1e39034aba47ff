public import TraceFindings
import TraceModel
public import TraceReading

/// A trace as one page of HTML, which can be sent to somebody who has neither the trace nor rxtop.
///
/// The page loads nothing from a network. It contains one style sheet and one small script, and its
/// content security policy forbids everything else. It shows the same content without the script.
/// Names from the trace are always escaped. The page contains the names, source locations and
/// backtraces of the program, and, if values were recorded, the values that findings quote. Paths
/// are reduced to the file name, except in backtraces, which contain the paths from the build.
public struct HTMLReport: Sendable {
  private let source: TraceSource
  private let earlier: TraceSource?

  /// Creates a report of the state at the end of a trace.
  ///
  /// - Parameters:
  ///   - source: The trace.
  ///   - earlier: An earlier run to compare it with; nil for no comparison.
  public init(_ source: TraceSource, against earlier: TraceSource? = nil) {
    self.source = source
    self.earlier = earlier
  }

  /// The page, in UTF-8.
  ///
  /// - Throws: `TraceError` if a trace can no longer be read.
  /// - Complexity: O(records + entities). Each list in the page has a maximum length, and the page
  ///   says how much is left out.
  public func page() throws(TraceError) -> [UInt8] {
    var source = source
    let inspection = try source.inspection(at: .end)
    let comparison = try comparison(inspection, source)
    let sites = ReportSites(inspection)
    let map = try ReportMap(inspection, sites, &source)
    let marbles = try ReportMarbles(inspection, sites, &source)
    let stacks = ReportStacks(inspection, &source)
    let findings = ReportFindings(inspection, stacks)
    let overview = ReportOverview(inspection)

    var html = HTMLWriter()
    html.raw("<!DOCTYPE html>\n")
    html.element("html", ["lang": "en"]) { html in
      html.element("head") { head(inspection.program, &$0) }
      html.raw("\n")
      html.element("body") { html in
        html.element("a", ["class": "skip", "href": "#findings"], text: "Skip to the findings")
        html.element("header") { overview.writeHead(&$0) }
        html.element("nav", ["aria-label": "Contents"]) {
          contents(hasComparison: comparison != nil, &$0)
        }
        html.element("main") { html in
          overview.writeCompleteness(&html)
          findings.write(&html)
          comparison?.write(&html)
          map.write(&html)
          marbles.write(&html)
          sites.write(&html)
          stacks.write(&html)
        }
        html.element("footer") { html in
          html.prose("Written by `rxtop report`. The page needs no network and sends nothing.")
        }
        html.element("script") { $0.raw(ReportScript.text) }
      }
    }
    html.raw("\n")
    return html.bytes
  }

  private func comparison(_ after: Inspection, _ later: TraceSource) throws(TraceError)
    -> ReportComparison?
  {
    guard var earlier else { return nil }
    let before = try earlier.inspection(at: .end)
    return ReportComparison(before, after, waits: (earlier.waits(), later.waits()))
  }

  private func head(_ program: ProgramInfo, _ html: inout HTMLWriter) {
    html.void("meta", ["charset": "utf-8"])
    html.void("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
    html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    html.void("meta", ["name": "color-scheme", "content": "light dark"])
    html.void("meta", ["name": "generator", "content": "rxtop"])
    html.void("link", ["rel": "icon", "href": "data:,"])
    html.element("title", text: "\(program.name): what its signals did")
    html.element("style") { $0.raw(ReportStyle.text) }
  }

  /// A policy that permits only the style and the script in the page.
  private static var policy: String {
    func hash(_ text: StaticString) -> String {
      "'sha256-\(SHA256.base64(text.withUTF8Buffer { Array($0) }))'"
    }
    return "default-src 'none'; style-src \(hash(ReportStyle.text)); "
      + "script-src \(hash(ReportScript.text)); img-src data:; base-uri 'none'; form-action 'none'"
  }

  private func contents(hasComparison: Bool, _ html: inout HTMLWriter) {
    html.element("ul") { html in
      for (id, title) in [
        ("completeness", "What is known"), ("findings", "Findings"), ("comparison", "Comparison"),
        ("map", "Map"), ("marbles", "Marbles"), ("sites", "Lines of code"),
        ("backtraces", "Backtraces"),
      ] where hasComparison || id != "comparison" {
        html.element("li") { $0.element("a", ["href": "#\(id)"], text: title) }
      }
    }
  }
}

extension ProgramInfo {
  /// The name of the recording's file, without its folder, for commands that the page suggests.
  var fileName: String {
    displayName(path.split(separator: "/").last.map(String.init) ?? path, columns: 120)
  }
}
