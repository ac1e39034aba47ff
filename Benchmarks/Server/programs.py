"""The programs that Scripts/bench-server runs: each in a process of its own, that ends in time or is ended."""

import json
import os
import pathlib
import subprocess
import tempfile

from figures import TraceCounter

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "Benchmarks" / "Server"

# How each variant is run: which of the two ways, and what RXTRACE says. Level graph records single events for the first
# 4 MiB, unless told otherwise; what it costs afterwards is what matters to what runs on.
VARIANTS = {
    "plain": ("plain", None),
    "untraced": ("reactive", None),
    "graph": ("reactive", "graph,startup=0"),
    "events": ("reactive", "events"),
    "values": ("reactive", "values"),
    "stacks=all": ("reactive", "stacks=all"),
}


class Failure(Exception):
    """A sentence that says what went wrong."""


def build(products):
    """Builds in release; returns where the programs are."""
    for product in products:
        command = ["swift", "build", "-c", "release", "--package-path", str(PACKAGE), "--product", product]
        built = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if built.returncode:
            raise Failure(f"the build of {product} failed\n{built.stdout}")
    return PACKAGE / ".build" / "release"


class Scratch:
    """A folder for traces, in memory where there is such a place; gone at the end."""

    def __enter__(self):
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._directory = tempfile.TemporaryDirectory(prefix="bench-server-", dir=place)
        self.path = pathlib.Path(self._directory.name)
        return self

    def __exit__(self, *_):
        self._directory.cleanup()

    def environment(self, variant):
        """The environment of a variant, and the counter of its trace; nil where it makes none."""
        environment = {key: value for key, value in os.environ.items() if key not in ("RXTRACE", "RXLOG")}
        trace = VARIANTS[variant][1]
        if trace is None:
            return environment, None
        path = self.path / "measured.rxtrace"
        path.unlink(missing_ok=True)
        environment["RXTRACE"] = f"{trace},file={path}"
        return environment, TraceCounter(path)


def run(command, environment, seconds):
    """Runs a program to its end; its last line is JSON."""
    try:
        ended = subprocess.run(
            [str(word) for word in command], env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Failure(f"'{command[0]}' did not end within {seconds} s") from error
    if ended.returncode:
        raise Failure(f"'{command[0]}' ended with status {ended.returncode}: {ended.stderr[-400:]}")
    return json.loads(ended.stdout.splitlines()[-1])


def run_worker(programs, scratch, variant, lines):
    """Reads a log of so many lines once."""
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
