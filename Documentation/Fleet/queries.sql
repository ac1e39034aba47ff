-- Six questions to a warehouse of recordings. Documentation/Fleet.md shows what the answers look like.
--
-- Each statement stands behind a line `-- name: sentence`. They are written for ClickHouse; without the word FINAL they run in DuckDB
-- over the files of `rxtop export fleet -o`, too.
-- Rows of `sites`, `findings` and `hop_histograms` are of the latest export of a recording where their revision is not below that of
-- its row in `recordings`: older ones were found then, and are not there any more.

-- worst-lines: Which lines of code are accused on the largest share of a service's hosts?
SELECT
  f.service AS service, f.kind AS kind, f.fingerprint AS fingerprint,
  argMax(f.location, r.started_at) AS latest_location, max(f.severity) AS worst_severity,
  count(DISTINCT r.host) AS hosts, max(s.hosts) AS hosts_of_service,
  round(count(DISTINCT r.host) / max(s.hosts), 3) AS share
FROM findings AS f FINAL
INNER JOIN recordings AS r FINAL ON r.recording_id = f.recording_id AND r.service = f.service
INNER JOIN (SELECT service, count(DISTINCT host) AS hosts FROM recordings GROUP BY service) AS s ON s.service = f.service
WHERE f.revision >= r.revision AND f.severity >= 2
GROUP BY f.service, f.kind, f.fingerprint
ORDER BY share DESC, hosts DESC, service, fingerprint
LIMIT 20;

-- first-build: In which build of a service was a finding seen first, and how many builds before it had none?
SELECT
  f.service AS service, f.kind AS kind, f.fingerprint AS fingerprint, argMax(f.location, r.started_at) AS latest_location,
  argMin(b.service_version, b.first_run) AS first_version, argMin(b.build_id, b.first_run) AS first_build,
  min(b.first_run) AS first_run, min(b.place) - 1 AS builds_before, count(DISTINCT r.recording_id) AS recordings
FROM findings AS f FINAL
INNER JOIN recordings AS r FINAL ON r.recording_id = f.recording_id AND r.service = f.service
INNER JOIN (
  SELECT service, service_version, build_id, min(started_at) AS first_run,
    row_number() OVER (PARTITION BY service ORDER BY min(started_at), build_id) AS place
  FROM recordings
  GROUP BY service, service_version, build_id
) AS b ON b.service = r.service AND b.service_version = r.service_version AND b.build_id = r.build_id
WHERE f.revision >= r.revision AND f.severity >= 2
GROUP BY f.service, f.kind, f.fingerprint
HAVING min(b.place) > 1
ORDER BY first_run DESC, service, fingerprint
LIMIT 20;

-- growth: At which lines do live subscriptions grow in the second half of a recording, by version?
SELECT
  s.service AS service, s.file AS file, s.line AS line, s.name AS name, r.service_version AS version, count(*) AS recordings,
  round(avg((CAST(s.late_live AS DOUBLE) - CAST(s.middle_live AS DOUBLE)) * 3600000
    / date_diff('millisecond', s.middle_at, s.late_at)), 1) AS growth_per_hour
FROM sites AS s FINAL
INNER JOIN recordings AS r FINAL ON r.recording_id = s.recording_id AND r.service = s.service
WHERE s.revision >= r.revision AND s.late_live > 0 AND date_diff('millisecond', s.middle_at, s.late_at) >= 1000
GROUP BY s.service, s.file, s.line, s.name, r.service_version
HAVING avg(CAST(s.late_live AS DOUBLE) - CAST(s.middle_live AS DOUBLE)) > 0
ORDER BY growth_per_hour DESC, service, file, line, name, version
LIMIT 20;

-- coverage: Which services record on how many of their hosts, since when, and what was lost?
SELECT
  service, count(*) AS hosts, sum(CASE WHEN is_silent THEN 1 ELSE 0 END) AS silent_hosts,
  min(first_seen) AS since, max(last_seen) AS latest, sum(recordings) AS all_recordings,
  sum(incomplete) AS incomplete_recordings, sum(lost) AS lost_records, sum(crashes) AS all_crashes
FROM (
  SELECT
    service, host, min(started_at) AS first_seen, max(recorded_until) AS last_seen,
    max(recorded_until) < (SELECT max(recorded_until) FROM recordings) - INTERVAL 1 DAY AS is_silent,
    count(*) AS recordings, sum(CASE WHEN is_incomplete THEN 1 ELSE 0 END) AS incomplete,
    sum(lost_records) AS lost, sum(CASE WHEN crashed THEN 1 ELSE 0 END) AS crashes
  FROM recordings FINAL
  GROUP BY service, host
) AS h
GROUP BY service
ORDER BY silent_hosts DESC, lost_records DESC, all_crashes DESC, service
LIMIT 20;

-- outliers: Which hosts have three times as many live subscriptions at a line as the median host of the same service and version?
SELECT service, version, host, name, location, live, median_live, peers
FROM (
  SELECT service, version, host, name, location, live,
    median(live) OVER (PARTITION BY service, version, name, location, line_column) AS median_live,
    count(*) OVER (PARTITION BY service, version, name, location, line_column) AS peers
  FROM (
    SELECT s.service AS service, s.service_version AS version, s.host AS host, s.name AS name, s.location AS location,
      s.line_column AS line_column, max(s.late_live) AS live
    FROM sites AS s FINAL
    INNER JOIN recordings AS r FINAL ON r.recording_id = s.recording_id AND r.service = s.service
    WHERE s.revision >= r.revision AND (s.service, s.location) IN (SELECT service, location FROM sites WHERE late_live >= 100)
    GROUP BY s.service, s.service_version, s.host, s.name, s.location, s.line_column
  ) AS h
) AS p
WHERE live >= 3 * median_live AND live >= median_live + 100 AND peers >= 5
ORDER BY live - median_live DESC, service, host, name, location
LIMIT 20;

-- example: Which recording of each finding is the one to open?
SELECT service, kind, fingerprint, sentence, host, path, recording_id
FROM (
  SELECT
    f.service AS service, f.kind AS kind, f.fingerprint AS fingerprint, f.severity AS severity, f.sentence AS sentence,
    r.host AS host, r.path AS path, r.recording_id AS recording_id,
    row_number() OVER (
      PARTITION BY f.service, f.fingerprint
      ORDER BY f.severity DESC, r.is_incomplete, r.started_at DESC, r.path, r.host
    ) AS place
  FROM findings AS f FINAL
  INNER JOIN recordings AS r FINAL ON r.recording_id = f.recording_id AND r.service = f.service
  WHERE f.revision >= r.revision AND f.severity >= 2
) AS ranked
WHERE place = 1
ORDER BY severity DESC, service, fingerprint
LIMIT 20;
