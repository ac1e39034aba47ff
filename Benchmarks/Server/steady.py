"""Keeps a recorded server at full load for minutes, and checks that its memory stays flat and what rxtop finds in its trace."""

import json
import pathlib
import subprocess
import time

import programs

# The number of requests in a slice of load; memory is read after each slice.
SLICE = 10_000


def anonymous_memory(process):
    """The resident bytes of a process that belong to no file; the ring of the recording is a file."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise programs.Failure(f"/proc/{process}/status has no line RssAnon")


def findings(rxtop, trace):
    """The findings of rxtop check in a trace, above INFO, each as a sentence."""
    found = subprocess.run([rxtop, "check", "--format", "json", trace], capture_output=True, text=True, timeout=300, check=False)
    # Status 4 means that nothing was found, but that the ring no longer has the beginning.
    if found.returncode not in (0, 1, 4):
        raise programs.Failure(f"'{rxtop} check' ended with status {found.returncode}: {found.stderr.strip()[-400:]}")
    for finding in json.loads(found.stdout)["findings"]:
        if finding["level"] != "INFO":
            yield f"{finding['level']} {finding['kind']} at {finding['location']}: {finding['sentence']}"


def run(built, rxtop, seconds, variants=("graph", "events")):
    """Keeps a server busy for `seconds` at each level; returns whether there was no problem."""
    is_expected = True
    for variant in variants:
        with programs.Scratch() as scratch, programs.Server(built, scratch, variant) as server:
            samples, requests, failures, begin = [], 0, 0, time.monotonic()
            while time.monotonic() - begin < seconds:
                # Status 1 means that not every answer was 200, for example because a request took longer
                # than the server allows.
                said = server.load("full", requests=SLICE, connections=16, accepted=(0, 1))
                requests += said["requests"]
                failures += said["failures"]
                samples.append(anonymous_memory(server.process))
            # The first fifth of the samples is left out, because caches and the heap fill meanwhile.
            settled = samples[len(samples) // 5 :]
            half = len(settled) // 2
            first, last = max(settled[: half + 1]), max(settled[half:])
            problems = list(findings(rxtop, server.counter.path))
            if last > first * 1.05 + 2**20:
                problems.append(f"its memory grew from {first / 2**20:.1f} to {last / 2**20:.1f} MiB")
            if server.counter.lost():
                problems.append(f"{server.counter.lost()} records are lost, other than those that the ring overwrote")
            print(
                f"    {variant}: {requests:,} requests, {failures} of them refused, in {time.monotonic() - begin:.0f} s;"
                f" {last / 2**20:.1f} MiB beside the recording",
                flush=True,
            )
            for problem in problems:
                print(f"      {problem}", flush=True)
            is_expected = is_expected and not problems
    return is_expected
