"""Tests the gauges of Integrations/Metrics in Prometheus, and the queries of the dashboard. Shares no code with rxtop.

    prometheus.py RXTOP PROGRAM FOLDER

Runs the traced program, has Prometheus scrape it, and compares its gauges with the rows that rxtop exports of the recording. Then it runs
every query of Documentation/Fleet/grafana-dashboard.json in the form in which Grafana would send it: queries for ClickHouse in chdb, on
that recording and the samples, and queries for Prometheus in Prometheus. Everything listens on 127.0.0.1 only.
"""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from fleet import ROOT, TABLES, Warehouse, Wrong, expect, rows_of, say


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    """A Prometheus that scrapes a port each second."""

    def __init__(self, folder, target):
        self.port = free_port()
        settings = folder / "prometheus.yml"
        settings.write_text(
            "global: {scrape_interval: 1s}\nscrape_configs:\n"
            f"  - job_name: probe\n    static_configs: [{{targets: ['127.0.0.1:{target}']}}]\n"
        )
        self.log = open(folder / "prometheus.log", "w")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={settings}", f"--storage.tsdb.path={folder / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{self.port}"],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
        )

    def ask(self, expression):
        address = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(address, timeout=5) as answer:
                result = json.load(answer)
        except OSError as error:
            # It answers 503 while it starts.
            if getattr(error, "code", 503) == 503:
                return None
            expect(False, f"{expression}: {error}, {error.read()}")
        expect(result["status"] == "success", f"{expression}: {result}")
        return {tuple(sorted((k, v) for k, v in row["metric"].items() if k in ("service", "level"))): float(row["value"][1])
                for row in result["data"]["result"]}

    def until(self, expression, limit=30):
        """Waits for the answer to an expression, and returns it."""
        deadline = time.monotonic() + limit
        while not (answer := self.ask(expression)):
            expect(time.monotonic() < deadline and self.process.poll() is None, f"Prometheus has no answer to {expression}")
            time.sleep(0.2)
        return answer

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def gauges(prometheus, row):
    """Expects that the gauges in Prometheus have the values of the recording."""
    service = ("service", "probe")
    for gauge, wanted in [("signals_live", row["live_signals"]), ("subscriptions_live", row["live_subscriptions"]), ("timers_live", row["live_timers"])]:
        found = prometheus.until(f"reactive_{gauge}")
        expect(found == {(service,): wanted}, f"reactive_{gauge} is {found}, and the recording says {wanted}")
    roots = prometheus.until("reactive_subscriptions_root_live")
    expect(roots == {(service,): 72}, f"40 subscriptions and 8 rounds of 4 are {roots}")
    found = prometheus.until("reactive_findings")
    wanted = {(("level", level), service): float(row[f"{level}s"]) for level in ("violation", "leak", "suspect")}
    expect(found == wanted and row["leaks"] > 0, f"the findings are {found}, and the recording has {wanted}")
    say(f"Prometheus and the recording say {row['live_subscriptions']} live subscriptions, {row['leaks']} leaks, alike")


def as_grafana_asks(statement):
    statement = re.sub(r"\$__timeFilter\(([^)]+)\)", r"\1 >= toDateTime64('2026-01-01 00:00:00', 6, 'UTC') AND \1 <= toDateTime64('2100-01-01 00:00:00', 6, 'UTC')", statement)
    statement = re.sub(r"\$__timeInterval\(([^)]+)\)", r"toStartOfInterval(toDateTime(\1), INTERVAL 60 second)", statement)
    expect("$" not in statement, f"a macro that is not known here: {statement}")
    return statement


def dashboard(prometheus, warehouse):
    panels = json.loads((ROOT / "Documentation/Fleet/grafana-dashboard.json").read_text())["panels"]
    expect(len({panel["id"] for panel in panels}) == len(panels), "two panels have one number")
    counts = {"clickhouse": 0, "prometheus": 0}
    for panel in panels:
        for target in panel["targets"]:
            if "rawSql" in target:
                answer = warehouse.ask(as_grafana_asks(target["rawSql"]))
                # The panel about crashes may be empty: none of these programs has crashed.
                expect(answer or "crashed" in panel["title"], f"the panel '{panel['title']}' is empty")
                counts["clickhouse"] += 1
            else:
                answer = prometheus.until(target["expr"])
                expect(all(key for key in answer), f"the panel '{panel['title']}' does not tell services apart")
                counts["prometheus"] += 1
    expect(min(counts.values()) >= 3, f"the dashboard has {counts} queries")
    say(f"every panel has an answer: {counts['clickhouse']} of ClickHouse, {counts['prometheus']} of Prometheus")


def main(rxtop, program, folder):
    trace = folder / "probe.rxtrace"
    environment = dict(os.environ, RXTRACE=f"events,size=4M,file={trace}")
    probe = subprocess.Popen([program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    prometheus = None
    try:
        prometheus = Prometheus(folder, int(probe.stdout.readline()))
        prometheus.until("reactive_findings")
        rows = folder / "rows"
        subprocess.run([rxtop, "export", "fleet", str(trace), str(ROOT / "traces"), "--service", "probe", "-o", str(rows)], check=True,
                       stdout=subprocess.DEVNULL)
        row = next(row for row in rows_of(rows, "recordings") if row["path"] == str(trace))
        expect(row["state"] == "running" and row["pid"] == probe.pid, f"the row is not of the program: {row}")
        gauges(prometheus, row)
        warehouse = Warehouse(folder / "database")
        warehouse.make_tables(rxtop)
        for table in TABLES:
            warehouse.load(table, rows / f"{table}.ndjson")
        dashboard(prometheus, warehouse)
        warehouse.close()
    finally:
        if prometheus:
            prometheus.stop()
        probe.stdin.close()
        probe.wait(timeout=10)
    expect(probe.returncode == 0, f"the program ended with {probe.returncode}")


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]))
    except Wrong as wrong:
        print(f"prometheus.py: {wrong}", file=sys.stderr)
        sys.exit(1)
