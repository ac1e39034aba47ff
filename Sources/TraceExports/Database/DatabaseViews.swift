/// The views of the database.
///
/// `Documentation/Queries.md` describes each view.
enum DatabaseViews {
  static let text = """
    CREATE INDEX livesBySite ON lives (site);
    CREATE INDEX eventsBySubject ON events (subject);
    CREATE INDEX framesByChain ON frames (chain);

    CREATE VIEW liveByLine AS
      SELECT sites.id AS site, sites.name, sites.location, count(*) AS live, sum(subscriptions.events) AS events,
        max(subscriptions.age) AS oldestAge
      FROM subscriptions JOIN sites ON sites.id = subscriptions.site
      WHERE subscriptions.state = 'active'
      GROUP BY sites.id ORDER BY live DESC;

    CREATE VIEW silentSubscriptions AS
      SELECT key AS serial, name, location, composedName, age
      FROM subscriptions WHERE state = 'active' AND isRoot = 1 AND events = 0
      ORDER BY age DESC;

    CREATE VIEW growthByLine AS
      SELECT sites.id AS site, sites.name, sites.location, coalesce(before.live, 0) AS atFirstMark,
        coalesce(after.live, 0) AS atLastMark, coalesce(after.live, 0) - coalesce(before.live, 0) AS growth
      FROM sites
      JOIN (
        SELECT coalesce(min(CASE WHEN name <> '' THEN mark END), min(mark)) AS first, max(mark) AS last FROM marks
        WHERE liveSubscriptions = 0 OR mark IN (SELECT mark FROM markCounts)
      ) AS counted
      LEFT JOIN markCounts AS before ON before.site = sites.id AND before.mark = counted.first
      LEFT JOIN markCounts AS after ON after.site = sites.id AND after.mark = counted.last
      WHERE growth <> 0 ORDER BY growth DESC;

    CREATE VIEW lifetimesByLine AS
      SELECT sites.id AS site, sites.name, sites.location, lives.kind, count(*) AS lives,
        count(lives.ended) AS ended, avg(lives.ended - lives.began) AS meanLifetime,
        max(lives.ended - lives.began) AS longestLifetime
      FROM lives JOIN sites ON sites.id = lives.site
      GROUP BY sites.id, lives.kind ORDER BY lives DESC;

    CREATE VIEW endsByLine AS
      SELECT sites.id AS site, sites.name, sites.location, lives.reason, lives.endCause, count(*) AS ends
      FROM lives JOIN sites ON sites.id = lives.site
      WHERE lives.kind = 'subscription' AND lives.ended IS NOT NULL
      GROUP BY sites.id, lives.reason, lives.endCause ORDER BY ends DESC;

    CREATE VIEW slowWork AS
      SELECT hops.hop, hops.queue, hops.wait, hops.run, hops.scheduled, lives.serial AS subscription, sites.name,
        sites.location, hops.chain
      FROM hops
      LEFT JOIN lives ON lives.serial = hops.subscription
      LEFT JOIN sites ON sites.id = lives.site
      ORDER BY max(coalesce(hops.wait, 0), coalesce(hops.run, 0)) DESC;

    CREATE VIEW failures AS
      SELECT number, time, subject, subjectText, text FROM events WHERE kind = 'failed' ORDER BY number;

    CREATE VIEW backtraces AS
      WITH RECURSIVE parts (chain, part, row) AS (
        SELECT DISTINCT chain, 0, chain FROM frames
        UNION ALL
        SELECT parts.chain, parts.part + 1, (SELECT parent FROM frames WHERE frames.chain = parts.row LIMIT 1)
        FROM parts WHERE parts.row IS NOT NULL AND parts.part < 64
      )
      SELECT parts.chain, parts.part, frames.depth, frames.function, frames.file, frames.line, frames.owner
      FROM parts JOIN frames ON frames.chain = parts.row
      ORDER BY parts.chain, parts.part, frames.depth;
    """
}
