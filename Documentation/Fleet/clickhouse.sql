-- The tables that `rxtop export fleet` writes; `rxtop export fleet --ddl` prints this file.
--
-- A row is known by the columns of ORDER BY. Where it arrives again, the one with the greatest revision stays, and of equal
-- revisions the one that arrived last: what is loaded twice is there once. Until parts are merged, read with FINAL.
-- Partitions are days on which recordings began, so that all revisions of a row are in one partition.
-- Remove what is old with, for example: ALTER TABLE sites MODIFY TTL day + INTERVAL 90 DAY;

CREATE TABLE IF NOT EXISTS recordings
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `build_id` LowCardinality(String) COMMENT 'the build identifier of the executable, in hexadecimal; empty if it has none',
  `program` LowCardinality(String) COMMENT 'the program''s name',
  `executable` String COMMENT 'where the executable was',
  `pid` UInt32 COMMENT 'the number of the process',
  `started_at` DateTime64(6, 'UTC') COMMENT 'when recording began',
  `recorded_until` DateTime64(6, 'UTC') COMMENT 'when it was exported, if the program still ran, or else its last sign of life',
  `ended_at` Nullable(DateTime64(6, 'UTC')) COMMENT 'recorded_until, where the program or its recording has ended',
  `state` LowCardinality(String) COMMENT 'running, stopped (cleanly), gone (crashed or killed), or elsewhere (unknown)',
  `ending` LowCardinality(String) COMMENT 'SIGSEGV or another signal that ended the program, exited N, or empty',
  `crashed` Bool COMMENT 'whether a fault in the program ended it',
  `level` LowCardinality(String) COMMENT 'what is recorded: graph, events, values or off',
  `path` String COMMENT 'where the recording is, on its host',
  `is_incomplete` Bool COMMENT 'whether anything is missing that affects verdicts',
  `lost_records` UInt64 COMMENT 'records that were dropped, as no segment was free',
  `lost_segments` UInt64 COMMENT 'segments of records that are missing or damaged',
  `lost_entries` UInt64 COMMENT 'entries of tables that were lost, or had no room',
  `losses` Array(String) COMMENT 'what was lost, a sentence each',
  `exact_ns` UInt64 COMMENT 'the length of the last stretch with every record, in nanoseconds',
  `violations` UInt32 COMMENT 'findings of level VIOLATION',
  `leaks` UInt32 COMMENT 'findings of level LEAK',
  `suspects` UInt32 COMMENT 'findings of level SUSPECT',
  `infos` UInt32 COMMENT 'findings of level INFO',
  `live_subscriptions` Nullable(UInt64) COMMENT 'subscriptions that have not ended',
  `live_signals` Nullable(UInt64) COMMENT 'signals that exist',
  `live_timers` Nullable(UInt64) COMMENT 'timers that have not ended',
  `subscribed` Nullable(UInt64) COMMENT 'subscriptions ever',
  `events` Nullable(UInt64) COMMENT 'events of all subscriptions ever',
  `rxtop_version` LowCardinality(String) COMMENT 'the version of rxtop that exported the row'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, recording_id)
COMMENT 'a recording; written last, when all other rows of it are there';


CREATE TABLE IF NOT EXISTS sites
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `site` UInt32 COMMENT 'its number in the recording',
  `name` LowCardinality(String) COMMENT 'the operator',
  `location` LowCardinality(String) COMMENT 'File.swift:88',
  `file` LowCardinality(String) COMMENT 'Module/File.swift',
  `line` UInt32 COMMENT 'line in the file, from 1',
  `line_column` UInt32 COMMENT 'column in the line, from 1',
  `live` Nullable(UInt64) COMMENT 'subscriptions that have not ended',
  `subscribed` Nullable(UInt64) COMMENT 'subscriptions ever',
  `events` Nullable(UInt64) COMMENT 'events of all its subscriptions ever',
  `signals` Nullable(UInt64) COMMENT 'signals that exist',
  `timers_live` Nullable(UInt64) COMMENT 'timers that have not ended',
  `held` Nullable(UInt64) COMMENT 'values held by its live subscriptions',
  `middle_live` Nullable(UInt64) COMMENT 'subscriptions at the mark nearest to the middle of the recording',
  `middle_at` Nullable(DateTime64(6, 'UTC')) COMMENT 'when that mark was',
  `late_live` Nullable(UInt64) COMMENT 'subscriptions at the last mark, or, while the program runs, those live at the export',
  `late_at` Nullable(DateTime64(6, 'UTC')) COMMENT 'when that was',
  `median_lifetime_ns` Nullable(UInt64) COMMENT 'median lifetime of the ended subscriptions: a power of two'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, recording_id, site)
COMMENT 'a line of code of a recording, as it was at recorded_until';


CREATE TABLE IF NOT EXISTS findings
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `fingerprint` LowCardinality(String) COMMENT 'the same for the same fault in another run or build, as in SARIF',
  `exact_fingerprint` LowCardinality(String) COMMENT 'like fingerprint, but changes when lines move',
  `kind` LowCardinality(String) COMMENT 'as rxtop check --help lists them',
  `level` LowCardinality(String) COMMENT 'VIOLATION, LEAK, SUSPECT or INFO',
  `severity` UInt8 COMMENT 'the level as a number: 3 for VIOLATION to 0 for INFO',
  `name` LowCardinality(String) COMMENT 'the operator that is accused',
  `location` LowCardinality(String) COMMENT 'File.swift:88',
  `file` LowCardinality(String) COMMENT 'Module/File.swift',
  `line` UInt32 COMMENT 'line in the file, from 1; 0 if it is not known',
  `caller` LowCardinality(String) COMMENT 'who called the function that subscribes, where that is to blame',
  `summary` String COMMENT 'what was found, in a few words',
  `sentence` String COMMENT 'what is wrong, with figures',
  `remedy` String COMMENT 'what to do about it',
  `evidence` String COMMENT 'what it rests on, in figures',
  `evidence_events` UInt64 COMMENT 'records it rests on',
  `weight` Float64 COMMENT 'what orders findings of one level and kind: greater is worse',
  `live` Nullable(UInt64) COMMENT 'subscriptions of the accused line that have not ended',
  `descendants` UInt32 COMMENT 'lines upstream that grow along with it'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, recording_id, fingerprint)
COMMENT 'a finding of a recording, as it was at recorded_until';


CREATE TABLE IF NOT EXISTS marks
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `mark` UInt32 COMMENT 'identifies it in the recording',
  `name` LowCardinality(String) COMMENT 'as the program has named it',
  `at` DateTime64(6, 'UTC') COMMENT 'when it was set',
  `live_signals` UInt64 COMMENT 'signals that existed',
  `live_subscriptions` UInt64 COMMENT 'subscriptions that had not ended',
  `live_timers` UInt64 COMMENT 'timers that had not ended',
  `heap_in_use` Nullable(UInt64) COMMENT 'bytes of the heap in use',
  `resident_size` Nullable(UInt64) COMMENT 'bytes of the process that were in memory'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, recording_id, mark)
COMMENT 'a mark that the program set with Trace.mark';


CREATE TABLE IF NOT EXISTS counters
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `counter` LowCardinality(String) COMMENT 'live_subscriptions, live_signals, live_timers, heap_in_use and resident_size (bytes), and the totals events, subscribed and lost_records',
  `at` DateTime64(6, 'UTC') COMMENT 'when it had the value',
  `value` UInt64 COMMENT 'the count'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, counter, recording_id, at)
COMMENT 'a counter of a recording at a moment';


CREATE TABLE IF NOT EXISTS hop_histograms
(
  `day` Date COMMENT 'the day on which the recording began, in UTC',
  `service` LowCardinality(String) COMMENT 'the service of the process: --service, OTEL_SERVICE_NAME, or the program''s name',
  `host` LowCardinality(String) COMMENT 'the machine: --host, host.name of OTEL_RESOURCE_ATTRIBUTES, or its name',
  `service_version` LowCardinality(String) COMMENT '--service-version, or service.version of OTEL_RESOURCE_ATTRIBUTES',
  `recording_id` UUID COMMENT 'the same for every copy of a recording',
  `revision` UInt64 COMMENT 'orders the exports of one recording; the greatest is the current one',
  `queue` UInt32 COMMENT 'its number in the recording',
  `queue_name` LowCardinality(String) COMMENT 'as the program has named it',
  `queue_kind` LowCardinality(String) COMMENT 'immediate, main, serialQueue, concurrentQueue, virtualTime or other',
  `measure` LowCardinality(String) COMMENT 'wait: from being accepted to beginning; run: from beginning to end',
  `bucket` UInt8 COMMENT 'times of at least 2 to the power of bucket nanoseconds',
  `longest_ns` UInt64 COMMENT 'times of less than this many nanoseconds',
  `count` UInt64 COMMENT 'how often'
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY day
ORDER BY (service, recording_id, queue, measure, bucket)
COMMENT 'how often work of a queue waited, or ran, for up to a power of two of nanoseconds';
