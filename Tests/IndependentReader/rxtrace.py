#!/usr/bin/env python3
"""A second reader of trace files, written from TraceFormat.md alone.

It shares no code with the reader in Swift: it takes the positions of fields from the tables of the document
at run time, and has its own implementation of the document's prose. Tests compare the two readers, which
shows anything that is missing from the document, or wrong in it.

    rxtrace.py dump FILE      the text form (section 13), as `rxtop dump` prints it
    rxtrace.py order FILE     the records as merged (section 4): number, ticks, thread, and whether
                              they are exact (section 10)
    rxtrace.py state FILE     everything that is alive: slots, live counts of sites, chains (sections 6 to 8)

Ends with status 0, 2 (wrong usage) or 3 (a file cannot be read). Needs Python 3.9 and nothing else.
"""

import heapq
import os
import re
import sys
import unicodedata

DOCUMENT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    "../../Sources/TraceFormat/TraceFormat.docc/TraceFormat.md",
)

HEADER_BYTES = 4096
REGION_TABLE = 1024
STACK_FRAMES = 64
REGION_BYTES = 64
SEGMENT_BYTES = 65536
MAJOR_VERSION, MINOR_VERSION = 1, 8
# The size of a mark before version 1.6.
LEAST_MARK_BYTES = 64
LARGEST_KIND = 1023
BATCH = "stages-subscribed"
APPENDED = "signal-appended"
CREATING = ("signal-created", "signal-appended", "source-created")
LARGEST_DELTA = (1 << 47) - 1


class Unreadable(Exception):
    """Raised for a file that section 2 requires a reader to refuse."""


# The document


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(document):
    """The rows of each table between `<!-- table NAME -->` and `<!-- end -->`, without their heads."""
    tables, name = {}, None
    for line in document.splitlines():
        begin = re.match(r"<!-- table (\w+) -->", line)
        if begin:
            name = begin.group(1)
            tables[name] = []
        elif line == "<!-- end -->":
            name = None
        elif name and line.startswith("|"):
            tables[name].append(cells(line))
    return {name: rows[2:] for name, rows in tables.items()}


class Field:
    """A line of a table of a structure: `| 32 bits 0–7 | 4 | kind | … |` or `| 48 | 8 × 8 | ended | … |`."""

    def __init__(self, row):
        place = re.fullmatch(r"(\d+)(?: bits (\d+)–(\d+))?", row[0])
        size = re.fullmatch(r"(?:(\d+) × )?(\d+)", row[1])
        self.offset = int(place.group(1))
        self.shift = int(place.group(2) or 0)
        self.width = int(size.group(2))
        self.bits = int(place.group(3)) - self.shift + 1 if place.group(3) else 8 * self.width
        self.count = int(size.group(1) or 1)
        self.name = row[2].strip("`")
        self.form, self.names = "decimal", []

    @property
    def end(self):
        return self.offset + self.width * self.count

    def load(self, data, index=0):
        start = self.offset + index * self.width
        word = int.from_bytes(data[start : start + self.width], "little")
        return word >> self.shift & (1 << self.bits) - 1


class Kind:
    """A line of the table of records."""

    def __init__(self, row):
        self.number = int(row[0])
        self.name = row[1].strip("`")
        self.identifier = self.argument_of(row[2])
        self.argument = self.argument_of(row[3])
        more = [] if row[4] == "–" else row[4].split(", ")
        # Each continuation holds two values. A continuation itself has no further ones.
        self.values = [self.argument_of(text) for text in more]
        self.continuations = (len(self.values) + 1) // 2

    @staticmethod
    def argument_of(cell):
        return None if cell == "–" else tuple(cell.split(": "))


class Format:
    """The contents of the tables of the document."""

    def __init__(self, path=DOCUMENT):
        with open(path, encoding="utf-8") as file:
            document = file.read()
        tables = tables_of(document)
        self.kinds = {kind.number: kind for kind in map(Kind, tables.pop("records"))}
        values = tables.pop("values")
        regions = tables.pop("regions")
        self.structures = {name: [Field(row) for row in rows] for name, rows in tables.items()}
        self.regions = [Region(row, self.structures) for row in regions]
        statements = {"header": "FileHeader", "region": "Region", "segment": "Segment"}
        statements.update({region.statement: region.structure for region in self.regions})
        self.names_of_arguments = {}
        for statement, fields, form in values:
            names = re.findall(r"`(\w+)`", form) if form.startswith("names") else []
            form = "names" if names else form
            if statement == "records":
                kind = re.search(r"\*(\w+)\*", fields).group(1)
                self.names_of_arguments[kind] = (form, names)
                continue
            for name in re.findall(r"`(\w+)`", fields):
                field = self.field(statements[statement.strip("`")], name)
                field.form, field.names = form, names

    def field(self, structure, name):
        return next(field for field in self.structures[structure] if field.name == name)

    def size(self, structure):
        """The size in bytes of a structure, as far as the document describes it."""
        return (max(field.end for field in self.structures[structure]) + 7) // 8 * 8


class Region:
    """A line of the table of regions."""

    def __init__(self, row, structures):
        self.row = int(row[0])
        self.name = row[1].strip("`")
        self.entry = None if row[2] == "heap" else int(row[2].split()[0])
        self.least = LEAST_MARK_BYTES if self.name == "marks" else self.entry or 1
        self.statement = row[3].strip("`")
        self.structure = next((name for name in structures if name.lower() == self.statement.lower()), None)
        if self.statement == "count":
            self.structure = "MarkCount"


# The file


class Part:
    """A region of a file, with the entries that may be read."""

    def __init__(self, region, fields, file_size):
        self.region = region
        self.fields = fields
        offset, size, entry = fields["offset"], fields["size"], fields["entrySize"]
        self.offset, self.entry = offset, entry
        self.entries = self.bytes = 0
        self.problem = None
        expected = region.entry or 1
        self.is_tail = region.name == "tail"
        if self.is_tail:
            # The tail grows: it has no fixed size, and as many segments as are in use.
            self.capacity = fields["used"]
            size = self.capacity * expected
        else:
            self.capacity = fields["capacity"]
        room = min(size, max(0, file_size - offset))
        if offset % 8 or offset < HEADER_BYTES or offset > file_size:
            self.problem = "stands where no region can"
        elif entry < region.least or (region.entry in (None, SEGMENT_BYTES) and entry != expected):
            self.problem = f"has entries of {entry} bytes, and {region.least} were expected"
        else:
            self.bytes = min(room, self.capacity * entry)
            self.entries = self.bytes // entry
            if self.capacity * entry > size or fields["offset"] + size > file_size:
                self.problem = "is larger than its room or the file"
            if region.name not in ("segments", "tail", "upstreams", "markCounts"):
                if fields["used"] > fields["capacity"]:
                    self.problem = "claims more entries in use than it has"
                self.entries = min(self.entries, fields["used"])
                self.bytes = min(self.bytes, fields["used"] * entry)


class Trace:
    """A file, checked as the document requires."""

    def __init__(self, path):
        self.path = path
        self.format = Format()
        self.problems = []
        with open(path, "rb") as file:
            self.data = file.read()
        if len(self.data) < HEADER_BYTES:
            raise Unreadable(f"'{path}' has {len(self.data)} bytes; a header has {HEADER_BYTES}")
        self.header = self.fields_at("FileHeader", 0)
        if self.data[:8] != b"RXTRACE\0":
            raise Unreadable(f"'{path}' does not begin with RXTRACE")
        if self.header["majorVersion"] != MAJOR_VERSION:
            raise Unreadable(
                f"'{path}' has format {self.header['majorVersion']}.{self.header['minorVersion']};"
                f" this reader knows {MAJOR_VERSION}"
            )
        self.parts = {}
        for region in self.format.regions:
            place = REGION_TABLE + region.row * REGION_BYTES
            fields = self.fields_at("Region", place)
            if fields["offset"] == 0:
                continue
            part = Part(region, fields, len(self.data))
            self.parts[region.name] = part
            if part.problem:
                self.problems.append((place, f"region '{region.name}' {part.problem}"))
        self.strings = self.read_strings()
        self.stacks = self.read_stacks()
        self.first_numbers = {}
        for number in sorted(self.strings):
            self.first_numbers.setdefault(self.strings[number], number)

    def fields_at(self, structure, start):
        data = self.data[start : start + self.format.size(structure)]
        return {field.name: field.load(data) for field in self.format.structures[structure]}

    def rows(self, name):
        """The index, the position and the bytes of each entry that may be read."""
        part = self.parts.get(name)
        if not part:
            return
        for index in range(part.entries):
            start = part.offset + index * part.entry
            # Fields after the end of a short entry are 0.
            yield index, start, self.data[start : start + min(part.entry, part.region.entry)]

    # Heaps (section 9)

    def heap(self, name):
        part = self.parts.get(name)
        return (part.offset, self.data[part.offset : part.offset + part.bytes]) if part else (0, b"")

    def read_strings(self):
        place, heap = self.heap("strings")
        strings, offset = {}, 0
        while offset + 4 <= len(heap):
            length = int.from_bytes(heap[offset : offset + 4], "little")
            end = offset + 4 + length
            if length > 1024 or end > len(heap):
                self.problems.append((place + offset, f"a string of {length} bytes"))
                break
            strings[offset // 8] = heap[offset + 4 : end]
            # String number 0 is the empty string, which takes 8 bytes.
            offset = max((end + 7) // 8 * 8, 8)
        return strings

    def read_stacks(self):
        place, heap = self.heap("stacks")
        stacks, offset = {}, 0
        while offset + 8 <= len(heap):
            count = int.from_bytes(heap[offset : offset + 8], "little")
            end = offset + 8 + 8 * count
            if count > STACK_FRAMES or end > len(heap):
                self.problems.append((place + offset, f"a stack of {count} frames"))
                break
            stacks[offset // 8] = [
                int.from_bytes(heap[at : at + 8], "little") for at in range(offset + 8, end, 8)
            ]
            offset = end
        return stacks

    # Segments (section 4)

    def segments(self, name):
        """For each segment: index, position, header, records (None if they cannot be read), and whether no record is missing."""
        for index, start, head in self.rows(name):
            if not any(self.data[start : start + 64]):
                continue
            fields = self.fields_at("Segment", start)
            committed, records = fields["committed"], None
            if fields["epoch"] == 0:
                pass
            elif fields["epoch"] >= 1 << 52:
                self.problems.append((start, f"segment {index} has the epoch {fields['epoch']}"))
            elif not 64 <= committed <= SEGMENT_BYTES or committed % 16:
                self.problems.append((start + 8, f"segment {index} has {committed} bytes committed"))
            else:
                records = list(self.records(fields, start, committed))
            yield index, start, fields, records, records is not None
        part = self.parts.get(name)
        if not part:
            return
        # A file that was cut may end within a segment. From such a segment, whole records with
        # all their continuations are read.
        start = part.offset + part.entries * SEGMENT_BYTES
        rest = len(self.data) - start
        if part.entries < part.capacity and 64 < rest < SEGMENT_BYTES and not part.problem is None:
            fields = self.fields_at("Segment", start)
            committed = fields["committed"]
            if 0 < fields["epoch"] < 1 << 52 and 64 <= committed <= SEGMENT_BYTES and committed % 16 == 0:
                is_whole = committed <= rest
                if not is_whole:
                    self.problems.append((start, f"segment {part.entries} is cut"))
                records = list(self.records(fields, start, min(committed, rest // 16 * 16)))
                yield part.entries, start, fields, records, is_whole

    def records(self, segment, start, committed):
        """For each record: number, ticks since the base, number of the kind, kind or None,
        body, and the values in its continuations."""
        words = [
            int.from_bytes(self.data[at : at + 8], "little")
            for at in range(start + 64, start + committed, 8)
        ]
        row, count = 0, len(words) // 2
        while row < count:
            head, body = words[2 * row], words[2 * row + 1]
            number = segment["epoch"] << 12 | row
            kind = self.format.kinds.get(head & 0xFFFF)
            wanted = kind.continuations if kind and kind.number != 1 else 0
            values = []
            for behind in range(row + 1, min(row + 1 + wanted, count)):
                if words[2 * behind] & 0xFFFF != 1:
                    break
                values += [words[2 * behind] >> 16, words[2 * behind + 1]]
            if len(values) < 2 * wanted:
                kind, values = None, []
            yield number, head >> 16, head & 0xFFFF, kind, body, values
            row += 1 + len(values) // 2
            if kind and kind.name == BATCH:
                # Each further continuation stands for one more record, with the same ticks.
                while row < count and words[2 * row] & 0xFFFF == 1:
                    further = (words[2 * row] >> 16, words[2 * row + 1])
                    yield segment["epoch"] << 12 | row, head >> 16, head & 0xFFFF, kind, body, further
                    row += 1

    def sound(self, start, segment, records):
        """The reliable records of a segment, each with its thread, and whether all records are reliable."""
        thread, sound, before, is_whole = segment["thread"], [], "nothing", True
        is_later = self.header["minorVersion"] > MINOR_VERSION
        signal = False
        for record in records:
            number, delta, raw, kind, body, values = record
            if kind and kind.name == APPENDED and before != "nothing" and not (before == "record" and signal):
                # The record before it must create a signal, its upstream.
                kind = None
            signal = bool(kind) and kind.name in CREATING
            if kind and raw != 1:
                if kind.name == "thread":
                    thread = body & 0xFFFFFFFF
                sound.append((record, thread))
                before = "record"
            elif raw == 1 and before == "later kind":
                continue
            elif is_later and raw not in self.format.kinds and 1 <= raw <= LARGEST_KIND:
                before = "later kind"
            else:
                if before == "record":
                    sound.pop()
                if before != "damage":
                    place = start + 64 + (number & 0xFFF) * 16
                    self.problems.append((place, f"no record: kind {raw}; what was recorded here is unknown"))
                thread, before, is_whole = 0, "damage", False
        deltas = [record[1] for record, _ in sound]
        if deltas != sorted(deltas) or any(delta > LARGEST_DELTA for delta in deltas):
            self.problems.append((start, "times that no writer writes"))
            is_whole = False
        return sound, is_whole

    # Order and window (sections 4 and 10)

    def merged(self):
        """The records of all segments in order, with their ticks and whether they are exact."""
        runs, epochs, generations, in_ring = [], set(), {}, set()
        both = [(name, *segment) for name in ("segments", "tail") for segment in self.segments(name)]
        for name, _, start, fields, records, is_whole in both:
            if records is None:
                continue
            if name == "segments":
                in_ring.add(fields["epoch"])
            elif fields["epoch"] in in_ring:
                # This copy in the tail was made while the segment was still in the ring.
                continue
            if fields["epoch"] in epochs:
                self.problems.append((start, f"there are two segments of epoch {fields['epoch']}"))
                continue
            epochs.add(fields["epoch"])
            known, is_sound = self.sound(start, fields, records)
            if is_whole and is_sound:
                generations[fields["epoch"]] = fields["generation"]
            if known:
                runs.append((fields, known))
        first = self.first_exact(generations)
        merged = heapq.merge(*self.continued(self.timed(*run) for run in runs))
        for ticks, _, number, thread, generation in merged:
            yield number, ticks, thread, first is not None and generation >= first

    @staticmethod
    def continued(runs):
        """Joins runs of one thread if the next run begins at the same ticks at which the previous one ends."""
        chains, latest = [], {}
        for run in sorted(runs, key=lambda run: (run[0][0], run[0][2])):
            ticks, _, _, thread, _ = run[0]
            chain = latest.get(thread)
            if thread != 0 and chain and (chain[-1][0], chain[-1][3]) == (ticks, thread):
                chain.extend(run)
            else:
                chain = list(run)
                chains.append(chain)
            latest[run[-1][3]] = chain
        return chains

    @staticmethod
    def timed(segment, records):
        """The records of a segment in the order of time, as tuples by which they are merged."""
        timed = []
        for (number, delta, raw, kind, body, values), thread in records:
            ticks = min(segment["baseTicks"] + delta, (1 << 64) - 1)
            is_caused = kind.name in ("hop-began", "hop-cancelled")
            timed.append((ticks, is_caused, number, thread, segment["generation"]))
        if any(left[0] > right[0] for left, right in zip(timed, timed[1:])):
            timed.sort(key=lambda record: (record[0], record[2]))
        return timed

    def first_exact(self, generations):
        """The first exact generation, or None, given the generation of each whole segment by its epoch."""
        first, last = self.header["recycledGeneration"] + 1, self.header["lastEpoch"]
        if not self.missing_segments(generations):
            return first
        before, exact = 0, first
        for epoch in sorted(epoch for epoch in generations if generations[epoch] >= first):
            if epoch != before + 1:
                exact = generations[epoch] + 1
            before = epoch
        return exact if before >= last else None

    def missing_segments(self, epochs):
        accounted = self.header["recycledSegments"] + sum(epoch <= self.header["lastEpoch"] for epoch in epochs)
        return max(0, self.header["lastEpoch"] - accounted)

    # The text form (section 13)

    def dump(self):
        yield f"# {self.path}"
        for field in self.format.structures["FileHeader"]:
            yield f"header {field.name}={self.value(field.form, field.names, self.header[field.name])}"
        for part in self.parts.values():
            fields = " ".join(f"{name}={value}" for name, value in part.fields.items())
            yield f"region {part.region.name} {fields}"
        for number, text in sorted(self.strings.items()):
            if number:
                yield f"string {number} {quoted(text)}"
        for number, frames in sorted(self.stacks.items()):
            if number and frames:
                yield " ".join([f"stack {number}"] + [hexadecimal(frame) for frame in frames])
        for region in self.format.regions:
            if region.structure and region.name not in ("segments", "tail"):
                yield from self.dump_table(region)
        epochs = set()
        both = [(name, *segment) for name in ("segments", "tail") for segment in self.segments(name)]
        for name, index, start, fields, records, is_whole in both:
            always = ("epoch", "committed", "state", "generation")
            statement = "tail" if name == "tail" else "segment"
            yield f"{statement} {index}" + self.fields_text("Segment", self.data[start : start + 64], always)
            if is_whole:
                epochs.add(fields["epoch"])
            for record in records or []:
                yield "  " + self.record_text(*record)
            self.sound(start, fields, records or [])
        missing = self.missing_segments(epochs)
        if missing:
            self.problems.append((self.format.field("FileHeader", "lastEpoch").offset, f"{missing} segments missing"))
        for place, problem in self.problems:
            yield f"# byte {place}: {problem}"

    def dump_table(self, region):
        sites = max(1, self.parts["sites"].fields["capacity"] if "sites" in self.parts else 0)
        for index, start, row in self.rows(region.name):
            if not any(row):
                continue
            place = f"{index // sites} {index % sites}" if region.name == "markCounts" else index
            always = ("sequence",) if region.name == "marks" else ()
            yield f"{region.statement} {place}" + self.fields_text(region.structure, row, always)

    def fields_text(self, structure, data, always):
        text = ""
        for field in self.format.structures[structure]:
            if field.form in ("text", "bytes"):
                used = data[field.offset : field.end].rstrip(b"\0")
                if used:
                    text += f" {field.name}=" + (quoted(used) if field.form == "text" else used.hex().upper())
                continue
            for index in range(field.count):
                value = field.load(data, index)
                if value or field.name in always:
                    name = f"{field.name}.{index}" if field.count > 1 else field.name
                    text += f" {name}={self.value(field.form, field.names, value)}"
        return text

    def record_text(self, number, delta, raw, kind, body, values):
        if isinstance(values, tuple):
            # A further record of a batch is shown as the continuation that it is in the file.
            delta, body = values
            kind, values = self.format.kinds[1], []
        low, high = body & 0xFFFFFFFF, body >> 32
        if not kind:
            return f"{number}: +{delta} kind {raw} id={low} argument={high}"
        text = f"{number}: +{delta} {kind.name}"
        for argument, value, otherwise in [(kind.identifier, low, "id"), (kind.argument, high, "argument")]:
            if argument:
                text += f" {argument[0]}={self.argument(argument[1], value)}"
            elif value:
                text += f" {otherwise}={value}"
        for argument, value in zip(kind.values, values):
            text += f" {argument[0]}={self.argument(argument[1], value)}"
        return text

    def argument(self, kind, value):
        return self.value(*self.format.names_of_arguments.get(kind, ("decimal", [])), value)

    def value(self, form, names, value):
        if form == "hexadecimal":
            return hexadecimal(value)
        if form == "names" and value < len(names):
            return names[value]
        if form == "string" and value and self.first_numbers.get(self.strings.get(value)) == value:
            return quoted(self.strings[value])
        return str(value)

    # Everything that is alive (sections 6 to 8)

    def state(self):
        """The slots with their identifiers, the live subscriptions and owners of each site, and the links of chains."""
        bits = self.header["slotBits"]
        for index, _, row in self.rows("slab"):
            slot = {field.name: field.load(row) for field in self.format.structures["Slot"]}
            names = self.format.field("Slot", "kind").names
            if index and slot["serial"] and 1 <= slot["kind"] < len(names):
                identifier = (slot["serial"] << bits | index & (1 << bits) - 1) & 0xFFFFFFFF
                yield f"slot {identifier} {slot['serial']} {names[slot['kind']]} {slot['eventCount']}"
        for index, _, row in self.rows("sites"):
            field = self.format.field
            ended = sum(field("Site", "ended").load(row, reason) for reason in range(8))
            live = max(0, field("Site", "subscribed").load(row) - ended)
            created, over = (field("Site", f"owners{what}").load(row) for what in ("Created", "Ended"))
            name = self.strings.get(field("Site", "name").load(row), b"") if index else b""
            yield f"site {index} {quoted(name)} {live} {max(0, created - over)}"
        for index, _, row in self.rows("chains"):
            chain = {field.name: field.load(row) for field in self.format.structures["Chain"]}
            parent = chain["parent"] if chain["parent"] < index else 0
            frames = self.stacks.get(chain["stack"], [])
            yield f"chain {index} {parent} {' '.join(map(hexadecimal, frames))}".rstrip()


# Words


def hexadecimal(value):
    return f"0x{value:X}"


def quoted(data):
    try:
        text, is_text = data.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_text = data.decode("latin-1"), False
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    result = ""
    for character in text:
        value = ord(character)
        if not is_text:
            plain = 0x20 <= value < 0x7F
            result += escapes.get(character, character) if plain else f"\\x{value:02X}"
        elif character in escapes:
            result += escapes[character]
        elif shows_by_itself(character):
            result += character
        else:
            result += f"\\u{{{value:04X}}}"
    return f'"{result}"'


def shows_by_itself(character):
    if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs", "Mn", "Me"):
        return False
    return not 0x115F <= ord(character) <= 0x11FF and ord(character) not in (0x3164, 0xFFA0)


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("dump", "order", "state"):
        sys.stderr.write("usage: rxtrace.py dump|order|state FILE\n")
        return 2
    try:
        trace = Trace(arguments[1])
    except (OSError, Unreadable) as error:
        sys.stderr.write(f"rxtrace.py: error: {error}\n")
        return 3
    if arguments[0] == "order":
        lines = (
            f"{number} {ticks} {thread} {'exact' if exact else 'partial'}"
            for number, ticks, thread, exact in trace.merged()
        )
    else:
        lines = trace.dump() if arguments[0] == "dump" else trace.state()
    sys.stdout.reconfigure(encoding="utf-8")
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
