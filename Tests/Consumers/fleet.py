"""Tests a warehouse of 10,000 recordings, for which the right answers are known, and deliveries to it. Shares no code with rxtop.

    fleet.py [--recordings N] rxtop watchtower FOLDER

Exports sample recordings with rxtop, multiplies their rows into those of a fleet, loads them into ClickHouse's engine (chdb) and DuckDB,
and compares the answers of Documentation/Fleet/queries.sql with the faults that were planted. Then rxtop delivers rows to a server that works,
to one that is down, and to one that fails in several ways. Prints measurements; ends with status 1 and a sentence if something is wrong.
"""
import argparse
import collections
import datetime
import hashlib
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).parents[2]
TABLES = ["sites", "findings", "marks", "counters", "hop_histograms", "recordings"]
BASE = datetime.datetime(2026, 1, 1)


class Wrong(Exception):
    pass


def expect(is_so, sentence):
    if not is_so:
        raise Wrong(sentence)


BEGUN = time.monotonic()


def say(text):
    print(f"    {time.monotonic() - BEGUN:5.1f} s  {text}", flush=True)


def queries():
    """The statements of the document, by name."""
    text = (ROOT / "Documentation/Fleet/queries.sql").read_text()
    found = re.findall(r"^-- ([a-z-]+): .*\n((?:(?!^-- ).*\n?)+)", text, re.M)
    return {name: statement.strip().rstrip(";") for name, statement in found}


def rows_of(folder, table):
    with open(folder / f"{table}.ndjson", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f")


# The fleet


class Sample:
    """The rows of an exported recording, from which the rows of many recordings are made."""

    def __init__(self, folder, path):
        recording = next(r for r in rows_of(folder, "recordings") if r["path"].endswith(path))
        wanted = recording["recording_id"]
        self.rows = {t: [r for r in rows_of(folder, t) if r["recording_id"] == wanted] for t in TABLES}

    def changed(self, change):
        copy = Sample.__new__(Sample)
        copy.rows = json.loads(json.dumps(self.rows))
        change(copy.rows)
        return copy

    def rendered(self, start, until):
        """The lines of each table, with placeholders for fields that differ between recordings; times are moved to the given start and end."""
        recording = self.rows["recordings"][0]
        early = start - moment(recording["started_at"])
        late = until - moment(recording["recorded_until"])

        def moved(text, delta):
            return text and (moment(text) + delta).strftime("%Y-%m-%d %H:%M:%S.%f")

        lines = {}
        for table, rows in self.rows.items():
            out = []
            for row in rows:
                row = dict(row, day=start.strftime("%Y-%m-%d"), service="@S@", host="@H@", service_version="@V@", recording_id="@I@")
                row["revision"] = "@R@"
                for name in ("started_at",):
                    if name in row:
                        row[name] = moved(row[name], early)
                for name in ("recorded_until", "ended_at", "middle_at", "late_at", "at"):
                    if name in row:
                        row[name] = moved(row[name], late)
                if table == "recordings":
                    row.update(build_id="@B@", path="@P@")
                out.append(json.dumps(row, separators=(",", ":")).replace('"@R@"', "@R@"))
            lines[table] = "\n".join(out) + "\n" if out else ""
        return lines


Planned = collections.namedtuple("Planned", "service host version start until sample build path identifier revision")


class Fleet:
    """The plan of all recordings, from which the right answer of every query follows."""

    STARTS = {"1.0.0": 0, "2.0.0": 2, "3.0.0": 5}
    END = 7

    def __init__(self, folder, count):
        self.hosts = 50
        self.services = max(100, count // self.hosts)
        sound = Sample(folder, "watchtower.rxtrace")
        leaking = Sample(folder, "watchtower-leak.rxtrace")
        short = Sample(folder, "login.rxtrace")
        self.sound_rows = sound.rows

        def moved_lines(rows):
            # The same fault in a build in which five lines were added above it.
            for row in rows["findings"] + rows["sites"]:
                if row["file"].endswith("/Pane.swift"):
                    row["line"] += 5
                    row["location"] = f"Pane.swift:{row['line']}"

        def crowded(rows):
            row = max(rows["sites"], key=lambda row: row["late_live"] or 0)
            row["live"] = row["late_live"] = row["late_live"] + 1000
            self.crowded_site = row

        def lossy(rows):
            rows["recordings"][0].update(lost_records=12345, is_incomplete=True, losses=["12345 records found no free segment"])

        def crashed(rows):
            rows["recordings"][0].update(crashed=True, state="gone", ending="SIGSEGV")

        self.samples = {
            "sound": sound, "short": short, "leaking": leaking, "leaking-moved": leaking.changed(moved_lines),
            "leaking-lossy": leaking.changed(lossy), "crowded": sound.changed(crowded), "lossy": sound.changed(lossy),
            "crashed": sound.changed(crashed),
        }
        self.plan = [self.planned(s, h) for s in range(self.services) for h in range(self.hosts)]

    def planned(self, number, host):
        service = f"service-{number:03}"
        version = "1.0.0" if host < 15 else "2.0.0" if host < 30 else "3.0.0"
        sample, until = ("sound" if number % 2 else "short"), self.END
        if number == 7:  # Version 2.0.0 brings a leak, and version 3.0.0 moves its lines.
            sample = {"1.0.0": "sound", "2.0.0": "leaking", "3.0.0": "leaking-moved"}[version]
        elif number == 21:  # A leak in all versions, on ten hosts; the first host lacks records.
            sample = "leaking-lossy" if host == 0 else "leaking" if host < 10 else "sound"
        elif number == 43:  # A host that differs from its peers.
            sample = "crowded" if host == 13 else "sound"
        elif number == 55 and host < 5:  # Hosts that have sent nothing for days.
            until = 3
        elif number == 77 and host < 3:
            sample = "lossy"
        elif number == 89 and host < 2:
            sample = "crashed"
        start = BASE + datetime.timedelta(days=self.STARTS[version], seconds=host)
        until = BASE + datetime.timedelta(days=until, seconds=host)
        name = f"{service}/host-{host:02}"
        digits = hashlib.md5(name.encode()).hexdigest()
        identifier = "-".join([digits[:8], digits[8:12], "8" + digits[13:16], "8" + digits[17:20], digits[20:]])
        return Planned(
            service, f"host-{host:02}", version, start, until, sample, f"{number:04x}{version.replace('.', '')}",
            f"/var/rxtrace/{service}-{host:02}.rxtrace", identifier, int(until.timestamp()) * 10**9,
        )

    def write(self, folder, pieces):
        """Writes files `PIECE/TABLE.ndjson`, where each piece has a part of the recordings."""
        cache = {}
        for piece in range(pieces):
            (folder / str(piece)).mkdir(parents=True)
            files = {t: open(folder / str(piece) / f"{t}.ndjson", "w", encoding="utf-8") for t in TABLES}
            for p in self.plan[piece::pieces]:
                key = (p.sample, p.start, p.until)
                if key not in cache:
                    cache[key] = self.samples[p.sample].rendered(p.start, p.until)
                for table, lines in cache[key].items():
                    lines = lines.replace("@S@", p.service).replace("@H@", p.host).replace("@V@", p.version)
                    lines = lines.replace("@I@", p.identifier).replace("@R@", str(p.revision))
                    if table == "recordings":
                        lines = lines.replace("@B@", p.build).replace("@P@", p.path)
                    files[table].write(lines)
            for file in files.values():
                file.close()

    # The right answers of the queries, worked out from the plan alone.

    def truths(self):
        findings = self.samples["leaking"].rows["findings"]
        serious = sorted((f for f in findings if f["severity"] >= 2), key=lambda f: f["fingerprint"])
        expect(len(serious) == 2, "the sample has other findings than it had; plant others")
        moved = {f["fingerprint"]: f["location"] for f in self.samples["leaking-moved"].rows["findings"]}
        worst, first, example = [], [], []
        for service, hosts, path in [("service-007", 35, "30"), ("service-021", 10, "01")]:
            for f in serious:
                where = moved[f["fingerprint"]] if service == "service-007" else f["location"]
                worst.append([service, f["kind"], f["fingerprint"], where, 2, hosts, 50, hosts / 50])
                # The query shows the recording that began last, which is that of the last host.
                example.append([service, f["kind"], f["fingerprint"], f["sentence"]])
                if service == "service-007":
                    start = BASE + datetime.timedelta(days=2, seconds=15)
                    first.append([service, f["kind"], f["fingerprint"], where, "2.0.0", "0007200", start, 1, 35])
        last = {"service-007": "49", "service-021": "09"}
        example = [row + [f"host-{last[row[0]]}", f"/var/rxtrace/{row[0]}-{last[row[0]]}.rxtrace"] for row in example]
        coverage = []
        for number in range(self.services):
            service = f"service-{number:03}"
            mine = [p for p in self.plan if p.service == service]
            silent = sum(p.until < BASE + datetime.timedelta(days=self.END - 1) for p in mine)
            lossy = [p for p in mine if "lossy" in p.sample]
            coverage.append([
                service, self.hosts, silent, self.started(mine), self.latest(mine), len(mine), len(lossy), 12345 * len(lossy),
                sum(p.sample == "crashed" for p in mine),
            ])
        coverage.sort(key=lambda row: (-row[2], -row[7], -row[8], row[0]))
        site = self.crowded_site
        outliers = [[
            "service-043", "1.0.0", "host-13", site["name"], site["location"], site["late_live"], site["late_live"] - 1000, 15,
        ]]
        return {
            "worst-lines": worst, "first-build": first, "growth": self.growth(), "coverage": coverage[:20], "outliers": outliers,
            "example": example,
        }

    def started(self, planned):
        return min(p.start for p in planned)

    def latest(self, planned):
        return max(p.until for p in planned)

    def growth(self):
        """The right answer of the query `growth`, from the samples and the plan, without SQL."""
        groups = collections.defaultdict(list)
        for p in self.plan:
            for row in self.grown(p.sample):
                groups[(p.service, row[0], row[1], row[2], p.version)].append(row[3])
        answer = []
        for key, rates in groups.items():
            mean = sum(rates) / len(rates)
            if mean > 0:
                service, file, line, name, version = key
                answer.append([service, file, line, name, version, len(rates), round(mean, 1)])
        answer.sort(key=lambda row: (-row[6], row[0], row[1], row[2], row[3], row[4]))
        return answer[:20]

    def grown(self, sample):
        if not hasattr(self, "_grown"):
            self._grown = {}
        if sample not in self._grown:
            rows = []
            for row in self.samples[sample].rows["sites"]:
                if not row["late_live"] or not row["middle_at"]:
                    continue
                seconds = (moment(row["late_at"]) - moment(row["middle_at"])).total_seconds()
                if seconds >= 1:
                    rows.append((row["file"], row["line"], row["name"], (row["late_live"] - row["middle_live"]) * 3600 / seconds))
            self._grown[sample] = rows
        return self._grown[sample]


# Warehouses


class Warehouse:
    """ClickHouse's engine with its data in a folder."""

    def __init__(self, path):
        from chdb import session

        self.session = session.Session(str(path))
        self.run("CREATE DATABASE IF NOT EXISTS fleet")
        self.run("USE fleet")

    def run(self, statement):
        self.session.query(statement)

    def make_tables(self, rxtop):
        printed = subprocess.run([rxtop, "export", "fleet", "--ddl"], check=True, capture_output=True, text=True).stdout
        for statement in re.split(r";\n", re.sub(r"^--.*\n", "", printed, flags=re.M)):
            if statement.strip():
                self.run(statement)

    def ask(self, statement):
        text = str(self.session.query(statement, "JSONCompactEachRow"))
        return [json.loads(line) for line in text.splitlines() if line]

    def structure(self, table):
        columns = self.ask(f"SELECT name, type FROM system.columns WHERE database = 'fleet' AND table = '{table}' ORDER BY position")
        return ", ".join(f"`{name}` {kind}" for name, kind in columns).replace("'", "\\'")

    def load(self, table, path):
        self.run(f"INSERT INTO {table} SELECT * FROM file('{path}', JSONEachRow, '{self.structure(table)}')")

    def close(self):
        self.session.close()


def comparable(rows):
    """Rows in a form in which answers of different engines can be compared: moments as text to the second, and numbers as floats."""

    def one(value):
        if isinstance(value, datetime.datetime):
            return value.strftime("%Y-%m-%d %H:%M:%S.%f")[:19]
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?", value):
            return value[:19]
        if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
            return float(value)
        return float(value) if isinstance(value, (int, float)) else value

    return [[one(value) for value in row] for row in rows]


def compare(engine, ask, truths, times=None, limit=5):
    for name, statement in queries().items():
        begun = time.monotonic()
        answer = ask(statement)
        took = time.monotonic() - begun
        if times is not None:
            times[name] = took
        if name == "example":
            answer = [[str(value) for value in row[:-1]] for row in answer]
        wanted, found = comparable(truths[name]), comparable(answer)
        for number, (left, right) in enumerate(zip(wanted, found)):
            same = len(left) == len(right) and all(
                abs(a - b) <= 1e-4 * max(abs(a), 1000) if isinstance(a, float) and isinstance(b, float) else a == b for a, b in zip(left, right)
            )
            expect(same, f"{engine}, {name}, row {number}: {right}, planted was {left}")
        expect(len(wanted) == len(found), f"{engine}, {name}: {len(found)} rows, planted were {len(wanted)}")
        expect(took <= limit, f"{engine}, {name} takes {took:.1f} s")


def load_pieces(database, files, pieces):
    """Loads pieces in a process of its own, which may be killed."""
    warehouse = Warehouse(database)
    for piece in pieces:
        for table in TABLES:
            warehouse.load(table, files / str(piece) / f"{table}.ndjson")
            print(piece, table, flush=True)
    warehouse.close()


def warehouse_of(rxtop, folder, fleet, pieces):
    files = folder / "files"
    begun = time.monotonic()
    fleet.write(files, pieces)
    size = sum(path.stat().st_size for path in files.rglob("*.ndjson"))
    say(f"{len(fleet.plan)} recordings in {size / 1e6:.0f} MB of NDJSON, written in {time.monotonic() - begun:.0f} s")
    database = folder / "database"
    made = Warehouse(database)
    made.make_tables(rxtop)
    made.close()

    # The load is killed in the middle of the second piece.
    command = [sys.executable, __file__, "load", str(database), str(files)]
    loader = subprocess.Popen(command + [str(n) for n in range(pieces)], stdout=subprocess.PIPE, text=True)
    expect(any(line.startswith("1 ") for line in loader.stdout), "the load ended before its second piece")
    loader.send_signal(signal.SIGKILL)
    expect(loader.wait() == -signal.SIGKILL, "the load was over before it could be killed")

    begun = time.monotonic()
    subprocess.run(command + [str(n) for n in range(pieces)], check=True, stdout=subprocess.DEVNULL)
    say(f"loaded after a load was killed half-way, in {time.monotonic() - begun:.0f} s")
    warehouse = Warehouse(database)
    truths = fleet.truths()
    times = {}
    compare("ClickHouse", warehouse.ask, truths, times)
    say("ClickHouse: " + ", ".join(f"{name} {took:.2f} s" for name, took in times.items()))
    for piece in range(0, pieces, 4):
        for table in TABLES:
            warehouse.load(table, files / str(piece) / f"{table}.ndjson")
    times = {}
    compare("ClickHouse, a part loaded again", warehouse.ask, truths, times)
    say("with rows that are there twice: " + ", ".join(f"{name} {took:.2f} s" for name, took in times.items()))
    for table in TABLES:
        warehouse.run(f"OPTIMIZE TABLE {table} FINAL")
    compare("ClickHouse, merged", warehouse.ask, truths)
    parts = warehouse.ask(
        "SELECT table, sum(rows), sum(bytes_on_disk), sum(data_uncompressed_bytes) FROM system.parts"
        " WHERE active AND database = 'fleet' GROUP BY table ORDER BY table"
    )
    # Copies of one sample compress better than recordings of many programs, so the size is measured with figures and moments that differ by row.
    figures = {
        "counters": "value + cityHash64(recording_id, counter, at) % 1000 AS value, at + toIntervalMicrosecond(cityHash64(recording_id, at) % 1000000) AS at",
        "sites": "events + cityHash64(recording_id, site) % 1000000 AS events, subscribed + cityHash64(site, recording_id) % 1000 AS subscribed",
        "hop_histograms": "`count` + cityHash64(recording_id, queue, bucket) % 10000 AS `count`",
        "findings": "concat(sentence, ' ', toString(cityHash64(recording_id, fingerprint))) AS sentence",
        "marks": "at + toIntervalMicrosecond(cityHash64(recording_id, mark) % 1000000) AS at, live_signals + cityHash64(recording_id, mark) % 100 AS live_signals",
        "recordings": "events + cityHash64(recording_id) AS events, concat(path, toString(cityHash64(recording_id))) AS path",
    }
    varied = {}
    for table, changes in figures.items():
        warehouse.run(f"CREATE TABLE varied AS {table}")
        warehouse.run(f"INSERT INTO varied SELECT * REPLACE({changes}) FROM {table}")
        warehouse.run("OPTIMIZE TABLE varied FINAL")
        varied[table] = int(warehouse.ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'fleet' AND table = 'varied'")[0][0])
        warehouse.run("DROP TABLE varied SYNC")
    for table, rows, disk, plain in parts:
        n = len(fleet.plan)
        say(f"{table}: for each recording {int(rows) / n:.1f} rows, {int(plain) / n:.0f} bytes, {varied[table] / n:.0f} on disk ({int(disk) / n:.0f} where all are alike)")
    say(f"{sum(int(p[1]) for p in parts)} rows, {sum(varied.values()) / 1e6:.1f} MB on disk in all ({sum(int(p[2]) for p in parts) / 1e6:.1f} MB where all are alike)")
    warehouse.close()
    return files, truths


def duck(files, truths):
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    begun = time.monotonic()
    for table in ["recordings", "sites", "findings"]:
        connection.execute(
            f"CREATE TABLE {table} AS SELECT * FROM read_json('{files}/*/{table}.ndjson', format = 'newline_delimited')"
        )
    for table in ["marks", "counters", "hop_histograms"]:
        connection.execute(f"SELECT * FROM read_json('{files}/0/{table}.ndjson', format = 'newline_delimited')").fetchall()
    say(f"DuckDB reads the files in {time.monotonic() - begun:.0f} s")
    compare("DuckDB", lambda s: connection.execute(s.replace(" FINAL", "")).fetchall(), truths)
    connection.close()


# A server


class Server:
    """The part of ClickHouse's HTTP interface that rxtop uses, on top of chdb, with faults."""

    def __init__(self, warehouse, folder):
        self.warehouse, self.folder = warehouse, folder
        self.mode, self.is_stopped, self.users, self.lock = "ok", True, set(), threading.Lock()
        self.tokens = collections.Counter()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_POST(self):
                if outer.is_stopped:
                    return self.hang_up()
                outer.users.add((self.headers.get("X-ClickHouse-User"), self.headers.get("X-ClickHouse-Key")))
                length, mode = int(self.headers["Content-Length"]), outer.mode
                if mode == "middle":
                    self.rfile.read(length // 2)
                    return self.hang_up()
                body = self.rfile.read(length)
                if mode == "500":
                    return self.answer(500, "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)\n")
                if mode == "refuse" and "sites" in self.path:
                    return self.answer(400, "Code: 117. DB::Exception: Cannot parse input. (INCORRECT_DATA)\n")
                outer.insert(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query), body)
                if mode == "slow":
                    time.sleep(1.5)
                if mode == "silent":  # It stores the rows, and hangs up before it answers.
                    return self.hang_up()
                self.answer(200, "")

            def hang_up(self):
                self.close_connection = True
                try:
                    self.connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # The client has already hung up.

            def answer(self, status, text):
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text.encode())
                except OSError:
                    pass  # The client did not wait for the answer.

        self.handler, self.server, self.port = Handler, None, 0
        self.start()

    def start(self):
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        self.port = self.server.server_address[1]
        self.is_stopped = False
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self):
        self.is_stopped = True  # This also ends connections that are open.
        self.server.shutdown()
        self.server.server_close()

    def insert(self, query, body):
        found = re.fullmatch(r"INSERT INTO ([a-z_]+) FORMAT JSONEachRow", query["query"][0])
        expect(found and found[1] in TABLES and query["database"] == ["fleet"], f"an unexpected request: {query}")
        token = query["insert_deduplication_token"][0]
        expect(token.startswith(found[1] + "-"), f"the token is of another table: {token}")
        with self.lock:
            self.tokens[token] += 1
            path = self.folder / "body.ndjson"
            path.write_bytes(body)
            self.warehouse.load(found[1], path)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/fleet"


def same_rows(warehouse, folder, what):
    """Expects that the tables have each row of the files exactly once."""
    for table in TABLES:
        wanted = rows_of(folder, table)
        identifiers = {row["recording_id"] for row in wanted}
        names = list(wanted[0])
        found = warehouse.ask(f"SELECT {', '.join(names)} FROM {table} FINAL ORDER BY ALL")
        found = [row for row in found if row[names.index("recording_id")] in identifiers]

        def one(value):  # An integer equals the float of the same value.
            return float(value) if type(value) is int and abs(value) < 2**53 else value

        def plain(rows):
            return sorted(json.dumps([one(value) for value in row], ensure_ascii=False) for row in rows)

        pairs = list(zip(plain(found), plain(list(row.values()) for row in wanted)))
        wrong = next((pair for pair in pairs if pair[0] != pair[1]), None)
        expect(wrong is None and len(found) == len(wanted),
               f"{what}: of {table} there are {len(found)} rows for {len(wanted)}, and {wrong} differ")


def deliveries(rxtop, watchtower, folder, files):
    warehouse = Warehouse(folder / "delivered")
    warehouse.make_tables(rxtop)
    server = Server(warehouse, folder)
    environment = dict(os.environ, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
    environment.pop("OTEL_RESOURCE_ATTRIBUTES", None)
    samples = str(ROOT / "traces")

    def run(status, *arguments, url=None):
        command = [rxtop, "export", "fleet", *arguments, "--clickhouse", url or server.url]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        expect(done.returncode == status, f"{' '.join(command)} ended with status {done.returncode}, expected {status}: {done.stderr}")
        expect("secret" not in done.stdout + done.stderr, "the password is printed")
        if status:
            expect(len(done.stderr.splitlines()) == 1, f"more than one sentence: {done.stderr}")
        return done.stderr.strip()

    def count():
        return sum(int(warehouse.ask(f"SELECT count() FROM {table} FINAL")[0][0]) for table in TABLES)

    # The server is down, first without a spool and then with one.
    server.stop()
    say(run(5, samples))
    spool = str(folder / "spool")
    said = run(5, samples, "--spool", spool, url=server.url.replace("//", "//reader:secret@"))
    expect("they wait in" in said, said)
    server.start()
    waiting = sum(1 for _ in (folder / "spool").glob("*.ndjson"))
    expect(waiting == 6 and count() == 0, "the spool does not hold the rows")
    run(0, samples + "/login.rxtrace", "--spool", spool, url=server.url.replace("//", "//reader:secret@"))
    expect(not list((folder / "spool").glob("*.ndjson")), "the spool is not empty after a delivery")
    expect(("reader", "secret") in server.users, f"the server does not get the user: {server.users}")
    same_rows(warehouse, files, "after the server was back")
    # All rows have arrived. No kind of failure may lose a row or store it twice.
    before = count()
    for mode in ["500", "middle", "silent", "slow", "refuse"]:
        server.mode = mode
        say(f"{mode}: " + run(5, samples, "--spool", spool, "--timeout", "500ms").removeprefix("rxtop: error: "))
        if mode == "silent":
            run(5, samples, "--timeout", "500ms")
        server.mode = "ok"
        run(0, samples, "--spool", spool)
        same_rows(warehouse, files, f"after a server that was '{mode}'")
        expect(count() == before, f"after a server that was '{mode}' there are other rows")
    expect(max(server.tokens.values()) > 1, "no post was ever repeated with its token")

    # A small spool drops the oldest batches, and a sentence says how many rows.
    server.stop()
    small = str(folder / "small")
    for name in ["failure", "login", "watchtower"]:
        command = [rxtop, "export", "fleet", f"{samples}/{name}.rxtrace", "--clickhouse", server.url, "--spool", small, "--spool-limit", "90K"]
        said = subprocess.run(command, env=environment, capture_output=True, text=True).stderr
    expect(": dropped the oldest" in said, f"a full spool says nothing: {said}")
    expect(sum(p.stat().st_size for p in (folder / "small").iterdir()) <= 90 << 10, "the spool is over its limit")
    say(said.splitlines()[0])
    server.start()
    rounds(rxtop, watchtower, folder, server, warehouse, environment)
    warehouse.close()


def rounds(rxtop, watchtower, folder, server, warehouse, environment):
    traces, logs, spool = folder / "traces", folder / "logs", folder / "spool"
    traces.mkdir(mode=0o700)
    logs.mkdir()
    traced = dict(environment, RXTRACE="events,size=4M", RXTRACE_DIR=str(traces), OTEL_SERVICE_NAME="tower",
                  OTEL_RESOURCE_ATTRIBUTES="service.version=1.4%2E2,host.name=hill")
    program = subprocess.Popen([watchtower, "--leak", "--seconds", "60", str(logs)], env=traced, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    agent = None
    try:
        command = [rxtop, "export", "fleet", "--every", "1s", "--clickhouse", server.url, "--spool", str(spool)]
        looking = dict(environment, RXTRACE_DIR=str(traces), XDG_RUNTIME_DIR=str(folder))
        agent = subprocess.Popen(command, env=looking, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)

        def moments():
            return int(warehouse.ask(
                "SELECT count(DISTINCT at) FROM counters FINAL WHERE service = 'tower' AND counter = 'events'")[0][0])

        def until(what, is_so, limit=30):
            deadline = time.monotonic() + limit
            while not is_so():
                expect(time.monotonic() < deadline and agent.poll() is None, f"not within {limit} s: {what}")
                time.sleep(0.1)

        until("three rounds arrive", lambda: moments() >= 3)
        before = moments()
        server.stop()
        until("rows wait in the spool", lambda: len(list(spool.glob("*-recordings-*.ndjson"))) >= 3)
        server.start()
        until("all rounds arrive", lambda: moments() >= before + 4)
        memory = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{agent.pid}/status").read_text())[1]
        program.terminate()
        program.wait()
        until("the end arrives", lambda: warehouse.ask(
            "SELECT ended_at IS NOT NULL FROM recordings FINAL WHERE service = 'tower'") == [[1]])
        agent.send_signal(signal.SIGTERM)
        out, err = agent.communicate(timeout=10)
        expect(agent.returncode == 0, f"status {agent.returncode} after SIGTERM: {err}")
        lines = err.splitlines()
        expect(len(lines) == 2 and "tried again" in lines[0] and "again" in lines[1], f"expected two sentences: {err}")
        row = warehouse.ask("SELECT count(), any(host), any(service_version), any(pid) FROM recordings FINAL WHERE service = 'tower'")
        expect([str(v) for v in row[0]] == ["1", "hill", "1.4.2", str(program.pid)], f"the row of the process is {row}")
        say(f"--every 1s: {moments()} rounds of a running process, {int(memory) / 1024:.0f} MiB at most")
    finally:
        for process in (program, agent):
            if process and process.poll() is None:
                process.kill()
                process.wait()


def main():
    if sys.argv[1:2] == ["load"]:
        return load_pieces(sys.argv[2], pathlib.Path(sys.argv[3]), [int(n) for n in sys.argv[4:]])
    parser = argparse.ArgumentParser()
    parser.add_argument("--recordings", type=int, default=10000)
    parser.add_argument("rxtop")
    parser.add_argument("watchtower")
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    exported = given.folder / "exported"
    subprocess.run([given.rxtop, "export", "fleet", str(ROOT / "traces"), "-o", str(exported)], check=True, stdout=subprocess.DEVNULL)
    again = given.folder / "again"
    subprocess.run([given.rxtop, "export", "fleet", str(ROOT / "traces"), "-o", str(again)], check=True, stdout=subprocess.DEVNULL)
    for table in TABLES:
        expect((exported / f"{table}.ndjson").read_bytes() == (again / f"{table}.ndjson").read_bytes(),
               f"exported twice, {table} is not the same")
    fleet = Fleet(exported, given.recordings)
    files, truths = warehouse_of(given.rxtop, given.folder, fleet, pieces=8)
    duck(files, truths)
    deliveries(given.rxtop, given.watchtower, given.folder, exported)


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        print(f"fleet.py: {wrong}", file=sys.stderr)
        sys.exit(1)
