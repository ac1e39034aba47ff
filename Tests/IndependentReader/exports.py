#!/usr/bin/env python3
"""Reads the files of `rxtop export` without any code of rxtop: each format by the rules of that format.

    exports.py FORMAT FILE

Prints a JSON object with counts of the content and ends with status 0. If the file breaks a rule of its format, prints one line on
standard error and ends with status 1. The rules are those in the documentation of the programs that open the formats.
"""
import csv
import json
import re
import sqlite3
import sys


class Broken(Exception):
    pass


def need(truth, what):
    if not truth:
        raise Broken(what)


def harmless(text, where):
    for character in text:
        code = ord(character)
        need(code >= 0x20 or character in "\r\n\t", f"{where}: control character U+{code:04X}")
        need(not 0x7F <= code <= 0x9F, f"{where}: control character U+{code:04X}")
        need(code not in (0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, 0x2060), f"{where}: invisible U+{code:04X}")
        need(not (0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069), f"{where}: bidirectional U+{code:04X}")


# Checks the keywords of JSON Schema that the two schemas below use.
def check(schema, value, path="$"):
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    wanted = schema.get("type")
    if wanted:
        names = wanted if isinstance(wanted, list) else [wanted]

        def fits(name):
            if name == "integer":
                return isinstance(value, int) and not isinstance(value, bool)
            if name == "number":
                return isinstance(value, (int, float)) and not isinstance(value, bool)
            return isinstance(value, kinds[name])

        need(any(fits(name) for name in names), f"{path}: expected {wanted}, found {value!r:.60}")
    if "enum" in schema:
        need(value in schema["enum"], f"{path}: {value!r:.60} is none of {schema['enum']}")
    if "pattern" in schema and isinstance(value, str):
        need(re.search(schema["pattern"], value), f"{path}: {value!r:.60} does not match {schema['pattern']}")
    if "minimum" in schema and isinstance(value, (int, float)):
        need(value >= schema["minimum"], f"{path}: {value} is below {schema['minimum']}")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            need(key in value, f"{path}: there is no '{key}'")
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                check(inner, value[key], f"{path}.{key}")
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            check(schema["items"], item, f"{path}[{index}]")


TIME = {"type": "number", "minimum": 0}
HEX = {"type": "string", "pattern": "^0x[0-9a-f]+$"}
CHROME = {
    "type": "object",
    "required": ["traceEvents", "displayTimeUnit", "metadata"],
    "properties": {
        "displayTimeUnit": {"enum": ["ms", "ns"]},
        "metadata": {"type": "object", "required": ["losses"]},
        "traceEvents": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["ph", "name", "pid", "tid"],
                "properties": {
                    "ph": {"enum": list("XiCMben")}, "name": {"type": "string"}, "cat": {"type": "string"},
                    "pid": {"type": "integer"}, "tid": {"type": "integer"}, "ts": TIME, "dur": TIME, "id": HEX,
                    "bind_id": HEX, "flow_in": {"enum": [True]}, "flow_out": {"enum": [True]},
                    "args": {"type": "object"}, "s": {"enum": ["g", "p", "t"]},
                },
            },
        },
    },
}


def chrome(data):
    trace = json.loads(data)
    check(CHROME, trace)
    harmless(data.decode(), "chrome")
    slices, lives, counts, flows = {}, {}, {}, {}
    for event in trace["traceEvents"]:
        phase = event["ph"]
        counts[phase] = counts.get(phase, 0) + 1
        if phase != "M":
            need("ts" in event, "an event without ts")
        # Times are compared in whole nanoseconds, because sums of binary fractions are not exact.
        if phase == "X":
            start, length = (round(event[key] * 1000) for key in ("ts", "dur"))
            slices.setdefault(event["tid"], []).append((start, start + length, event["name"]))
            if "bind_id" in event:
                need(("flow_in" in event) != ("flow_out" in event), "a flow that neither comes nor goes")
                side = "in" if "flow_in" in event else "out"
                flows.setdefault(event["bind_id"], {}).setdefault(side, []).append(start)
        if phase in "ben":
            key = (event["cat"], event["id"])
            lives.setdefault(key, []).append((phase, event["ts"]))
    for thread, parts in slices.items():
        stack = []
        for start, end, name in sorted(parts, key=lambda part: (part[0], -part[1])):
            while stack and stack[-1][1] <= start:
                stack.pop()
            need(not stack or end <= stack[-1][1], f"thread {thread}: '{name}' overlaps '{stack and stack[-1][2]}'")
            stack.append((start, end, name))
    for key, parts in lives.items():
        phases = [phase for phase, _ in parts]
        need(phases.count("b") == 1 and phases.count("e") == 1, f"{key}: is not begun and ended once")
        times = dict((phase, time) for phase, time in parts if phase != "n")
        need(times["b"] <= times["e"], f"{key}: ends before it begins")
    whole = 0
    for flow, sides in flows.items():
        need(len(sides.get("out", [])) <= 1, f"flow {flow} begins twice")
        if "in" in sides and "out" in sides:
            whole += 1
            need(min(sides["in"]) >= sides["out"][0], f"flow {flow} arrives before it leaves")
    return {"events": len(trace["traceEvents"]), "phases": counts, "flows": whole, "subscriptions": len(lives),
            "losses": len(trace["metadata"]["losses"])}


OPTIONAL = {"type": ["integer", "null"]}
NDJSON = {
    "trace": {"type": "object", "required": ["schema", "program", "processID", "level", "startedAt", "exactFrom"]},
    "site": {"type": "object", "required": ["id", "name", "file", "line", "column", "traits"]},
    "scheduler": {"type": "object", "required": ["id", "name", "kind"]},
    "thread": {"type": "object", "required": ["id", "systemID", "name", "isMain"]},
    "event": {
        "type": "object",
        "required": ["number", "time", "kind", "thread", "cause", "subject", "site", "isExact"],
        "properties": {"number": {"type": "integer"}, "time": {"type": "integer"}, "kind": {"type": "string"},
                       "thread": OPTIONAL, "cause": OPTIONAL, "subject": OPTIONAL, "site": OPTIONAL,
                       "isExact": {"type": "boolean"}},
    },
    "end": {"type": "object", "required": ["events", "losses", "problems"]},
}


def ndjson(data):
    lines = data.decode().split("\n")
    need(lines.pop() == "", "the last line has no end")
    counts, seen, kinds, causes = {}, set(), {}, 0
    ids = {"site": set(), "thread": set()}
    for number, line in enumerate(lines):
        harmless(line, f"line {number + 1}")
        value = json.loads(line)
        kind = value.get("type")
        need(kind in NDJSON, f"line {number + 1}: unknown type {kind!r}")
        check(NDJSON[kind], value, f"line {number + 1}")
        counts[kind] = counts.get(kind, 0) + 1
        if kind in ids:
            ids[kind].add(value["id"])
        if kind == "event":
            if value["cause"] is not None:
                causes += 1
                need(value["cause"] in seen, f"line {number + 1}: its cause {value['cause']} does not stand before it")
            need(value["thread"] is None or value["thread"] in ids["thread"], f"line {number + 1}: unknown thread")
            need(value["site"] is None or value["site"] in ids["site"] or value["site"] == 0,
                 f"line {number + 1}: unknown site")
            seen.add(value["number"])
            kinds[value["kind"]] = kinds.get(value["kind"], 0) + 1
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    need(first["type"] == "trace" and first["schema"] == {"name": "rxtop-events", "version": 1}, "no schema in front")
    need(last["type"] == "end" and last["events"] == counts.get("event", 0), "the last line counts other events")
    return {"events": counts.get("event", 0), "sites": counts.get("site", 0), "causes": causes, "kinds": kinds,
            "program": first["program"]}


def table(data):
    text = data.decode()
    harmless(text, "csv")
    rows = list(csv.reader(text.split("\r\n"), strict=True))
    need(rows and rows[-1] == [], "the last line has no end")
    rows.pop()
    for number, row in enumerate(rows):
        need(len(row) == len(rows[0]), f"row {number + 1} has {len(row)} fields, the first {len(rows[0])}")
        for field in row:
            need(not re.match(r"^[=+@]|^-(?![0-9.])", field), f"row {number + 1}: a spreadsheet would calculate {field!r:.40}")
    return {"columns": rows[0], "rows": len(rows) - 1}


# The wire format of protocol buffers.
def fields(data):
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            need(place < len(data) and shift < 70, "a number is cut off")
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(data):
        tag = varint()
        number, wire = tag >> 3, tag & 7
        need(number > 0, "field number 0")
        if wire == 0:
            yield number, varint()
        elif wire == 1:
            need(place + 8 <= len(data), "a fixed number is cut off")
            yield number, int.from_bytes(data[place:place + 8], "little")
            place += 8
        elif wire == 2:
            length = varint()
            need(place + length <= len(data), "a field is cut off")
            yield number, bytes(data[place:place + length])
            place += length
        else:
            raise Broken(f"wire type {wire}")


def message(data):
    result = {}
    for number, value in fields(data):
        result.setdefault(number, []).append(value)
    return result


def perfetto(data):
    tracks, names, open_slices, counts = {}, {}, {}, {}
    leaving, arriving, frames, clocks = {}, set(), 0, {}
    packets = list(fields(data))
    need(packets and all(number == 1 for number, _ in packets), "something that is no packet")
    for index, (_, raw) in enumerate(packets):
        packet = message(raw)
        need(packet.get(10) == [1], "a packet of no sequence")
        if index == 0:
            need(packet.get(13) == [1], "the first packet does not clear the incremental state")
        if 60 in packet:
            track = message(packet[60][0])
            uuid = track[1][0]
            need(uuid not in tracks, f"track {uuid} is described twice")
            if 5 in track:
                need(track[5][0] in tracks, f"track {uuid} stands before its parent")
            if 15 in track:
                need(track[15] == [3] and 16 in track, "a merged track without its key")
            for name in track.get(2, []):
                harmless(name.decode(), "track name")
            tracks[uuid] = "thread" if 4 in track else "process" if 3 in track else "counter" if 8 in track else "other"
        for interned in packet.get(12, []):
            for entry in message(interned).get(2, []):
                entry = message(entry)
                need(entry[1][0] > 0 and entry[1][0] not in names, "a name is interned twice")
                names[entry[1][0]] = entry[2][0].decode()
                harmless(names[entry[1][0]], "name")
        if 11 not in packet:
            continue
        event, time = message(packet[11][0]), packet[8][0]
        kind, track = event[9][0], event[11][0]
        need(track in tracks, f"an event on track {track}, which is not described")
        need(kind in (1, 2, 3, 4), f"event type {kind}")
        counts[kind] = counts.get(kind, 0) + 1
        for name in event.get(10, []):
            need(name in names, f"name {name} is not interned")
        if tracks[track] == "thread":
            need(time >= clocks.get(track, 0), "time runs backwards on a thread")
            clocks[track] = time
        if kind == 1:
            open_slices[track] = open_slices.get(track, 0) + 1
        if kind == 2:
            open_slices[track] = open_slices.get(track, 0) - 1
            need(open_slices[track] >= 0, f"track {track}: an end without a beginning")
        if kind == 4:
            need(tracks[track] == "counter" and 30 in event, "a count on no counter")
        for flow in event.get(47, []):
            leaving[flow] = time
        for flow in event.get(48, []):
            arriving.add(flow)
            need(leaving.get(flow, 0) <= time, f"flow {flow} arrives before it leaves")
        for stack in event.get(55, []):
            for frame in message(stack)[1]:
                frames += 1
                need(message(frame)[1][0], "a frame without a function")
    need(all(count == 0 for count in open_slices.values()), "a slice without an end")
    return {"packets": len(packets), "tracks": len(tracks), "begins": counts.get(1, 0), "instants": counts.get(3, 0),
            "flows": len(arriving & set(leaving)), "frames": frames}


# Parses only the part of the grammar of DOT that rxtop writes.
def dot(data):
    text = data.decode()
    harmless(text, "dot")
    text = re.sub(r"(?m)^ *//.*$", "", text)
    token = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(->|[{}\[\];,=])|([A-Za-z_][A-Za-z_0-9]*|-?[0-9.]+))')
    tokens, place = [], 0
    while text[place:].strip():
        match = token.match(text, place)
        need(match, f"no token at {text[place:place + 30]!r}")
        tokens.append(match.group(1) or match.group(2) or match.group(3))
        place = match.end()
    tokens.reverse()

    def take(expected=None):
        need(tokens, "it ends too soon")
        found = tokens.pop()
        need(expected is None or found == expected, f"expected {expected!r}, found {found!r}")
        return found

    nodes, edges = set(), []

    def attributes():
        found = {}
        if tokens and tokens[-1] == "[":
            take()
            while tokens[-1] != "]":
                name = take()
                take("=")
                found[name] = take()
                if tokens[-1] == ",":
                    take()
            take("]")
        return found

    def statements():
        while tokens[-1] != "}":
            name = take()
            if name == "subgraph":
                take()
                take("{")
                statements()
                take("}")
                continue
            if tokens[-1] == "=":
                take()
                take()
            elif tokens[-1] == "->":
                take()
                edges.append((name, take(), attributes()))
            else:
                found = attributes()
                if name not in ("node", "edge", "graph"):
                    need("label" in found, f"node {name} has no label")
                    nodes.add(name)
            take(";")

    take("digraph")
    take()
    take("{")
    statements()
    take("}")
    need(not tokens, "something behind the end")
    for start, end, _ in edges:
        need(start in nodes and end in nodes, f"{start} -> {end}: a node that is not there")
    return {"nodes": len(nodes), "edges": len(edges), "hops": sum("dashed" in e[2].get("style", "") for e in edges)}


def mermaid(data):
    text = data.decode()
    harmless(text, "mermaid")
    need(len(data) <= 50_000, "longer than renderers take")
    lines = [line for line in text.rstrip("\n").split("\n") if not line.startswith("  %% ")]
    if lines[0] == "sequenceDiagram":
        known = set()
        for line in lines[1:]:
            entry = re.fullmatch(r"  participant (t[0-9]+) as [^:;]+", re.sub(r"#[a-z0-9]+;", "", line))
            if entry:
                known.add(entry.group(1))
                continue
            entry = re.fullmatch(r"  (t[0-9]+)(?:->>|-->>)(t[0-9]+): [^;]*", re.sub(r"#[a-z0-9]+;", "", line))
            need(entry and {entry.group(1), entry.group(2)} <= known, f"not understood: {line!r:.60}")
        return {"participants": len(known), "messages": len(lines) - 1 - len(known)}
    need(lines[0] == "flowchart LR", "no flowchart")
    nodes, edges = set(), 0
    for line in lines[1:]:
        node = re.fullmatch(r'  (n[0-9]+)\["([^"`]*)"\]', line)
        if node:
            nodes.add(node.group(1))
            continue
        if re.fullmatch(r"  style n[0-9]+ [a-z0-9:#,-]+", line):
            continue
        edge = re.fullmatch(r'  (n[0-9]+) (?:-->|-->\|[0-9]+\||-\. "[^"`]*" \.->) (n[0-9]+)', line)
        need(edge and edge.group(1) in nodes and edge.group(2) in nodes, f"not understood: {line!r:.60}")
        edges += 1
    need(edges <= 500, "more connections than renderers take")
    return {"nodes": len(nodes), "edges": edges}


def speedscope(data):
    value = json.loads(data)
    harmless(data.decode(), "speedscope")
    need(value["$schema"] == "https://www.speedscope.app/file-format-schema.json", "another schema")
    frames = value["shared"]["frames"]
    for frame in frames:
        need(isinstance(frame["name"], str) and frame["name"], "a frame without a name")
    for profile in value["profiles"]:
        need(profile["type"] == "sampled" and profile["unit"] in ("none", "nanoseconds"), "another kind of profile")
        need(len(profile["samples"]) == len(profile["weights"]), "samples without weights")
        need(sum(profile["weights"]) == profile["endValue"] - profile["startValue"], "weights do not fill the profile")
        for sample in profile["samples"]:
            need(sample and all(0 <= frame < len(frames) for frame in sample), "a sample of no frame")
    return {"frames": len(frames), "profiles": len(value["profiles"]), "weight": value["profiles"][0]["endValue"]}


# profile.proto of pprof: https://github.com/google/pprof/blob/main/proto/profile.proto
def pprof(data):
    profile = message(data)
    strings = [text.decode() for text in profile.get(6, [])]
    need(strings and strings[0] == "", "the first string is not empty")
    for text in strings:
        harmless(text, "string")

    def string(number):
        need(number < len(strings), f"string {number} is not there")
        return strings[number]

    def numbers(raw):
        return [value for _, value in fields(b"".join(b"\x08" + part for part in varints(raw)))]

    def varints(raw):
        start = 0
        for place, byte in enumerate(raw):
            if byte < 0x80:
                yield raw[start:place + 1]
                start = place + 1
        need(start == len(raw), "a number is cut off")

    types = [string(message(raw)[1][0]) for raw in profile.get(1, [])]
    functions, locations, mappings = {}, {}, set()
    for raw in profile.get(5, []):
        function = message(raw)
        need(function[1][0] not in functions and function[1][0] > 0, "a function twice")
        functions[function[1][0]] = string(function[2][0])
        need(functions[function[1][0]], "a function without a name")
    for raw in profile.get(3, []):
        mappings.add(message(raw)[1][0])
    for raw in profile.get(4, []):
        location = message(raw)
        need(location[1][0] not in locations and location[1][0] > 0, "a location twice")
        need(location[2][0] in mappings, "a location in no mapping")
        locations[location[1][0]] = [message(line)[1][0] for line in location[4]]
        need(all(function in functions for function in locations[location[1][0]]), "a line of no function")
    sums, stacks = [0] * len(types), set()
    for raw in profile.get(2, []):
        sample = message(raw)
        stack, values = tuple(numbers(sample[1][0])), numbers(sample[2][0])
        need(stack and all(place in locations for place in stack), "a sample of no location")
        need(len(values) == len(types) and all(value < 1 << 63 for value in values), "values that do not fit the types")
        need(stack not in stacks, "a stack twice")
        stacks.add(stack)
        sums = [sum + value for sum, value in zip(sums, values)]
    need(string(profile[14][0]) in types, "the usual type is none of the types")
    return {"frames": len(functions), "samples": len(stacks), "sums": dict(zip(types, sums))}


def sqlite(data):
    database = sqlite3.connect(":memory:")
    # This method needs Python 3.11 or later.
    database.deserialize(data)
    need(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the database is damaged")
    need(database.execute("PRAGMA user_version").fetchone() == (1,), "another version of the schema")
    tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    for table in tables:
        for row in database.execute(f"SELECT * FROM {table}"):
            for value in row:
                if isinstance(value, str):
                    harmless(value, table)
    counts = {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    orphans = database.execute("SELECT count(*) FROM subscriptions WHERE key NOT IN (SELECT serial FROM lives)").fetchone()[0]
    need(orphans == 0, f"{orphans} subscriptions have no life")
    return counts


FORMATS = {"chrome": chrome, "ndjson": ndjson, "csv": table, "perfetto": perfetto, "dot": dot, "mermaid": mermaid,
           "speedscope": speedscope, "pprof": pprof, "sqlite": sqlite}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FORMATS:
        sys.exit(f"usage: exports.py {'|'.join(FORMATS)} FILE")
    with open(sys.argv[2], "rb") as file:
        contents = file.read()
    try:
        print(json.dumps(FORMATS[sys.argv[1]](contents), sort_keys=True))
    except (Broken, ValueError, KeyError, IndexError, csv.Error) as error:
        sys.exit(f"exports.py: {sys.argv[2]} is no {sys.argv[1]}: {type(error).__name__} {error}")
