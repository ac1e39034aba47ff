/// The style sheet of a report, with a light and a dark colour scheme and rules for printing.
enum ReportStyle {
  /// The text of the page's one style sheet.
  static let text: StaticString = """

    :root { color-scheme: light dark; --ground: #ffffff; --raised: #f5f7f9; --text: #1b1f24; --dim: #545d68; \
    --line: #cfd5dc; --strong: #0a3069; --link: #0550ae; --violation: #9a0022; --leak: #a82a00; --suspect: #744600; \
    --info: #0550ae; --good: #14602c; }
    @media (prefers-color-scheme: dark) { :root { --ground: #14181d; --raised: #1d232a; --text: #e4e8ec; --dim: #a5b0bc; \
    --line: #3d4650; --strong: #a9d1ff; --link: #84bfff; --violation: #ff9aa8; --leak: #ffab8f; --suspect: #e8bd55; \
    --info: #84bfff; --good: #7fd197; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1.5rem; max-width: 84rem; background: var(--ground); color: var(--text); \
    font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { margin: 0; font-size: 1.8rem; line-height: 1.2; }
    h2 { margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: 1.35rem; }
    h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
    section > h3 { margin-top: 1.5rem; }
    p { margin: .5rem 0; max-width: 75ch; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--raised); z-index: 2; }
    code, .stack, td, tbody th, svg text { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
    code { font-size: .9em; }
    .dim, .kind, figcaption, footer, .hint { color: var(--dim); }
    .verdict { font-size: 1.15rem; font-weight: 600; }
    .warning { padding: .5rem .75rem; border-left: 4px solid var(--suspect); background: var(--raised); }
    .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; }
    .facts dt { color: var(--dim); font-size: .85rem; }
    .facts dd { margin: 0; font-weight: 600; }
    nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 1rem 0 0; list-style: none; }
    .finding { margin: 1rem 0; padding: 1rem 1.25rem; background: var(--raised); border: 1px solid var(--line); \
    border-left-width: 6px; border-radius: 6px; }
    .finding.violation { border-left-color: var(--violation); }
    .finding.leak { border-left-color: var(--leak); }
    .finding.suspect { border-left-color: var(--suspect); }
    .finding.info { border-left-color: var(--info); }
    .kind { font-weight: 400; }
    footer { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
    dd ul { margin: 0; padding-left: 1.1rem; }
    .kind::before { content: "– "; }
    .level { font-weight: 700; }
    .violation .level, .level.violation, td.violation { color: var(--violation); }
    .leak .level, .level.leak, td.leak { color: var(--leak); }
    .suspect .level, .level.suspect, td.suspect { color: var(--suspect); }
    .info .level, .level.info, td.info { color: var(--info); }
    .sentence { font-size: 1.05rem; font-weight: 600; }
    .finding dl, section > details > dl { display: grid; grid-template-columns: 9rem 1fr; gap: .35rem 1rem; margin: .75rem 0; }
    .finding dt, section > details > dl dt { color: var(--dim); }
    .finding dd, section > details > dl dd { margin: 0; max-width: 90ch; }
    summary { cursor: pointer; padding: .2rem 0; }
    details details { margin-left: 1rem; }
    .stack { margin: .5rem 0; padding: .75rem .75rem .75rem 3.5rem; background: var(--ground); border: 1px solid var(--line); \
    border-radius: 4px; font-size: .85rem; }
    .stack .hop { list-style: none; color: var(--dim); }
    .scroll { overflow: auto; max-height: 80vh; border: 1px solid var(--line); border-radius: 6px; }
    table { border-collapse: collapse; width: 100%; font-size: .85rem; overflow-wrap: normal; }
    caption { padding: .5rem .75rem; text-align: left; color: var(--dim); }
    th, td { padding: .25rem .6rem; text-align: left; white-space: nowrap; }
    thead th { position: sticky; top: 0; background: var(--raised); border-bottom: 1px solid var(--line); }
    tbody th { font-weight: 400; }
    tbody tr:nth-child(even) { background: var(--raised); }
    tbody tr:target, tbody tr:focus { outline: 3px solid var(--link); outline-offset: -3px; }
    .number { text-align: right; }
    td.dim, td.gone { color: var(--dim); }
    td.good { color: var(--good); }
    td.strong { font-weight: 700; }
    button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--dim); \
    border-radius: 4px; padding: .2rem .7rem; }
    th button { padding: 0; border: 0; background: none; font-weight: 700; cursor: pointer; }
    th[aria-sort=ascending] button::after { content: " ▲"; }
    th[aria-sort=descending] button::after { content: " ▼"; }
    svg { fill: none; stroke: var(--text); }
    svg text { fill: var(--text); stroke: none; font-size: 12px; }
    .spark { width: 6rem; height: 1.25rem; vertical-align: middle; }
    .spark polyline { stroke: var(--link); stroke-width: 1.5; }
    .strip, .lane { display: block; width: 100%; height: auto; }
    .lane:not(.axis) { height: 2.4rem; }
    .lane path { vector-effect: non-scaling-stroke; }
    .strip { margin: .25rem 0; }
    figure { margin: .5rem 0; }
    .lane { border-bottom: 1px solid var(--line); }
    .lane.axis { border: 0; }
    .tick { stroke: var(--text); }
    .life { stroke: var(--dim); stroke-width: 1.5; }
    .unknown { stroke: var(--dim); stroke-width: 1.5; stroke-dasharray: 1 3; }
    .waits { stroke: var(--suspect); stroke-width: 2; }
    .values { fill: var(--link); stroke: none; }
    .begins { fill: var(--good); stroke: none; }
    .completes { stroke: var(--good); stroke-width: 2; }
    .ends { fill: var(--ground); stroke: var(--text); }
    .fails { stroke: var(--violation); stroke-width: 2; }
    .lost { stroke: var(--suspect); stroke-width: 4; }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; font-size: .85rem; }
    .legend svg { width: 1rem; height: 1rem; margin-right: .4rem; vertical-align: -.15rem; }
    .edge { stroke: var(--dim); stroke-width: 1.5; }
    .edge.hop { stroke-dasharray: 6 3; }
    .edge.past { stroke-dasharray: 1 4; }
    .node rect { fill: var(--raised); stroke: var(--dim); }
    .node .name { font-weight: 700; }
    .node .place { fill: var(--dim); }
    .node.leak rect, .node.violation rect { stroke: var(--leak); stroke-width: 3; }
    .node.suspect rect { stroke: var(--suspect); stroke-width: 3; }
    .node.info rect { stroke: var(--info); stroke-width: 2; }
    .node.info .state { fill: var(--info); }
    .node.leak .state, .node.violation .state { fill: var(--leak); }
    .node.suspect .state { fill: var(--suspect); }
    .node:focus { outline: none; }
    .node:focus rect, .node:hover rect { stroke: var(--link); stroke-width: 4; }
    .apart { display: none; }
    .tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; max-width: none; }
    [hidden] { display: none; }
    @media (max-width: 40rem) { .axis { display: none; } .finding dl, section > details > dl { grid-template-columns: 1fr; } }
    @media print {
      :root { --ground: #ffffff; --raised: #ffffff; --text: #000000; --dim: #444444; --line: #999999; --link: #000000; \
    --violation: #7a0019; --leak: #7a1f00; --suspect: #5c3800; --info: #003080; --good: #0b4a20; }
      body { padding: 0; max-width: none; font-size: 10pt; }
      nav, .tools, .skip { display: none; }
      .scroll { overflow: visible; max-height: none; border: 0; }
      thead th { position: static; }
      table { font-size: 7pt; }
      td, tbody th { white-space: normal; padding: .1rem .25rem; }
      tbody th { overflow-wrap: anywhere; }
      thead th { padding: .1rem .25rem; }
      details::details-content { content-visibility: visible; block-size: auto; }
      #map-drawing { width: 100%; height: auto; max-height: 24cm; }
      .finding, figure, tr { break-inside: avoid; }
      h2, h3, summary { break-after: avoid; }
    }

    """
}
