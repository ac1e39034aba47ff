"""The statistics of Scripts/bench-server: medians, intervals, tables, and the counter in the header of a trace."""

import json
import random
import struct

SEGMENT = 65536
LAST_EPOCH, LOST_RECORDS = 192, 200


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def interval(values, resamples=4000):
    """The 95 % confidence interval of the median, by the percentile bootstrap; the same values give the same interval."""
    generator = random.Random(0x5EED)
    medians = sorted(median(generator.choices(values, k=len(values))) for _ in range(resamples))
    return medians[resamples * 25 // 1000], medians[resamples * 975 // 1000 - 1]


class TraceCounter:
    """Counts the bytes that a program has recorded, by the number of segments handed out according to its trace.

    That number never falls, even when a ring overwrites old segments. A segment has 64 KiB. Each thread has one segment that is
    not full, so the difference between two counts is exact to within a few segments.
    """

    def __init__(self, path):
        self.path = path

    def bytes(self):
        return self._number(LAST_EPOCH) * SEGMENT

    def lost(self):
        return self._number(LOST_RECORDS)

    def _number(self, offset):
        with open(self.path, "rb") as file:
            header = file.read(512)
        if header[:8] != b"RXTRACE\0" or header[8:10] != b"\1\0":
            raise ValueError(f"{self.path} is no trace of version 1")
        return struct.unpack_from("<Q", header, offset)[0]


class Figure:
    """A quantity that was measured once for each variant in each round."""

    def __init__(self, name, unit, base="untraced", digits=1, has_ratio=True):
        self.name, self.unit, self.base, self.digits, self.has_ratio = name, unit, base, digits, has_ratio
        self.samples = {}

    def add(self, variant, value):
        self.samples.setdefault(variant, []).append(value)

    def row(self, variant):
        """The median of a variant; and the median of its ratios to the base in the same round, with its interval."""
        values = self.samples[variant]
        row = {"figure": self.name, "unit": self.unit, "variant": variant, "median": median(values), "rounds": len(values)}
        if self.has_ratio and variant != self.base and self.base in self.samples:
            ratios = [value / base for value, base in zip(values, self.samples[self.base]) if base]
            if ratios:
                low, high = interval(ratios)
                row.update(ratio=median(ratios), low=low, high=high, quotient=f"{variant}/{self.base}")
        return row

    def rows(self):
        return [self.row(variant) for variant in self.samples]

    def print(self):
        print(f"    {self.name} ({self.unit})")
        for row in self.rows():
            line = f"      {row['variant']:<12}{row['median']:>12,.{self.digits}f}"
            if "ratio" in row:
                line += f"   {row['ratio']:6.3f}   {row['low']:.3f}–{row['high']:.3f}"
            print(line)


def write_json(header, figures, file):
    """Writes one JSON object a line: each row, with what was measured."""
    for figure in figures:
        for row in figure.rows():
            rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
            print(json.dumps({**header, **rounded}, ensure_ascii=False), file=file)
