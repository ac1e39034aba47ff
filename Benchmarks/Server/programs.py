"""Runs the programs of Scripts/bench-server: each in a separate process, which is ended if it does not end in time."""

import json
import os
import pathlib
import subprocess
import tempfile

from figures import TraceCounter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "Benchmarks" / "Server"

# How each variant is run: the implementation, and the value of RXTRACE. Level graph would record single events for the first
# 4 MiB, unless that is switched off; for a program that runs longer, only the cost after that matters.
VARIANTS = {
    "plain": ("plain", None),
    "untraced": ("reactive", None),
    "graph": ("reactive", "graph,startup=0"),
    "events": ("reactive", "events"),
    "values": ("reactive", "values"),
    "stacks=all": ("reactive", "stacks=all"),
}


class Failure(Exception):
    """Contains a sentence that says what went wrong."""


def build(products):
    """Builds the programs with optimisation, and returns their folder."""
    for product in products:
        command = ["swift", "build", "-c", "release", "--package-path", str(PACKAGE), "--product", product]
        built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if built.returncode:
            raise Failure(f"the build of {product} failed\n{built.stdout}")
    return PACKAGE / ".build" / "release"


class Scratch:
    """A folder for traces, in memory if possible, which is removed at the end."""

    def __enter__(self):
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._directory = tempfile.TemporaryDirectory(prefix="bench-server-", dir=place)
        self.path = pathlib.Path(self._directory.name)
        return self

    def __exit__(self, *_):
        self._directory.cleanup()

    def environment(self, variant):
        """The environment of a variant, and the counter of its trace; the counter is None if the variant makes no trace."""
        environment = {key: value for key, value in os.environ.items() if key not in ("RXTRACE", "RXLOG")}
        trace = VARIANTS[variant][1]
        if trace is None:
            return environment, None
        path = self.path / "measured.rxtrace"
        path.unlink(missing_ok=True)
        environment["RXTRACE"] = f"{trace},file={path}"
        return environment, TraceCounter(path)


def run(command, environment, seconds, accepted=(0,)):
    """Runs a program to its end, and returns its last line, which is JSON."""
    try:
        ended = subprocess.run(
            [str(word) for word in command], env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"'{command[0]}' did not end within {seconds} s") from error
    if ended.returncode not in accepted:
        raise Failure(f"'{command[0]}' ended with status {ended.returncode}: {ended.stderr[-400:]}")
    return json.loads(ended.stdout.splitlines()[-1])


def run_worker(programs, scratch, variant, lines):
    """Runs the worker once, with a log of this number of lines."""
    environment, counter = scratch.environment(variant)
    said = run([programs / "worker", VARIANTS[variant][0], "--lines", lines], environment, 60 + lines // 10_000)
    found = {
        "time": said["processorTime"] / lines,
        "resident": said["peakResident"] / 2**20,
        "checksum": said["checksum"],
    }
    if counter:
        found["bytes"] = counter.bytes() / (lines + said["warm"])
        found["lost"] = counter.lost()
    return found


class Server:
    """A server that runs during a `with` block. At the end it gets a signal to end, and is killed if it does not end."""

    def __init__(self, programs, scratch, variant, before=(), options=(), **more):
        self.environment, self.counter = scratch.environment(variant)
        self.environment.update(more)
        self._load = programs / "load"
        self._command = [*before, programs / "server", VARIANTS[variant][0], *options]
        self.last = None

    def __enter__(self):
        self._process = subprocess.Popen(
            [str(word) for word in self._command],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        line = self._process.stdout.readline()
        if not line:
            self.end()
            raise Failure("the server did not begin")
        self._port = json.loads(line)["port"]
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def process(self):
        """The identifier of the process of the server."""
        return self._process.pid

    def end(self):
        """Ends the server, and keeps its last output."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            rest, _ = self._process.communicate(timeout=120)
            self.last = json.loads(rest.splitlines()[-1]) if rest.strip() else None
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def load(self, mode, seconds=60, accepted=(0,), **options):
        """Sends load to the server, and returns the results of the load generator, with the number of bytes recorded meanwhile."""
        words = [word for name, number in options.items() for word in (f"--{name}", number)]
        begin = self.counter.bytes() if self.counter else 0
        said = run([self._load, mode, self._port, "--seconds", seconds, *words], None, seconds + 10, accepted)
        if self.counter:
            said["bytes"] = self.counter.bytes() - begin
            said["lost"] = self.counter.lost()
        return said


def run_server(programs, scratch, variant, requests, rate):
    """Runs the server at full load, at a fixed rate with listeners, and with listeners only."""
    with Server(programs, scratch, variant) as server:
        server.load("full", requests=max(200, requests // 5))
        full = server.load("full", requests=requests)
        paced = server.load("paced", requests=rate * 2, rate=rate, connections=64, listeners=20)
        listen = server.load("listen", listeners=200, events=20)
    if server.last is None:
        raise Failure(f"{variant}: the server did not end when it was asked to")
    found = {
        "time": full["processorTime"] / full["requests"] / 1000,
        "rate": full["requests"] / full["time"] * 1e9,
        "p50": paced["p50"] / 1e6,
        "p99": paced["p99"] / 1e6,
        "event": listen["processorTime"] / listen["events"] / 1000,
        "resident": server.last["peakResident"] / 2**20,
    }
    if server.counter:
        found["bytes"] = full["bytes"] / full["requests"]
        found["lost"] = listen["lost"]
    return found
