"""The counts of Scripts/bench-server --instructions: instructions, allocations and lookups of the runtime, with valgrind's callgrind.

Each figure is the difference between two runs, one of which does three times the work of the other, divided by the difference in work,
so that it excludes what a process does only once.
"""

import collections
import re
import shutil
import subprocess

import programs

ALLOCATIONS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
# The beginnings of the names of runtime functions that look something up.
LOOKUPS = [
    "swift_getGenericMetadata",
    "swift_getAssociatedTypeWitness",
    "swift_getAssociatedConformanceWitness",
    "swift_getWitnessTable",
    "swift_getTupleTypeMetadata",
    "swift_getFunctionTypeMetadata",
    "swift_conformsToProtocol",
    "swift_getTypeByMangledName",
    "__swift_instantiateConcreteTypeFromMangledName",
]
# How many more generic types the untraced server may look up for a request than the plain server.
MOST_LOOKUPS = {"server": 2}
REFERENCES = {"retains": ("swift_retain",), "releases": ("swift_release",)}


class Profile:
    """A profile that callgrind has written: each function's own instructions, and the number of its calls."""

    def __init__(self, path):
        self.instructions = collections.Counter()
        self.calls = collections.Counter()
        function = called = None
        is_of_call = False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("fn="):
                    function = self._name(line)
                elif line.startswith("cfn="):
                    called = self._name(line)
                elif line.startswith("calls="):
                    self.calls[called] += int(line[6:].split()[0])
                    is_of_call = True
                elif line[:1].isdigit() or line[:1] in "+-*":
                    # The line after `calls` has the instructions of the called function.
                    if not is_of_call and function:
                        self.instructions[function] += int(line.split()[1])
                    is_of_call = False

    @staticmethod
    def _name(line):
        # The name of a recursive function ends with the number of its depth.
        return re.sub(r"'\d+$", "", line.rstrip("\n").split("=", 1)[1])

    def figures(self):
        found = collections.OrderedDict()
        found["instructions"] = sum(self.instructions.values())
        found["allocations"] = sum(self.calls[name] for name in ALLOCATIONS)
        for name, functions in REFERENCES.items():
            found[name] = sum(self.calls[function] for function in functions)
        for start in LOOKUPS:
            found[start] = sum(count for name, count in self.calls.items() if name.startswith(start))
        return found


def command(output):
    if not shutil.which("valgrind"):
        raise programs.Failure("valgrind is needed to count instructions; install the package valgrind")
    return [
        "valgrind",
        "--tool=callgrind",
        "--separate-threads=no",
        "--compress-strings=no",
        "--compress-pos=no",
        f"--callgrind-out-file={output}",
        "--log-file=/dev/null",
    ]


def stripped(built, scratch, names):
    """Copies of the programs without debug information, which some versions of valgrind do not understand."""
    for name in names:
        subprocess.run(["strip", "-g", "-o", str(scratch.path / name), str(built / name)], check=True)
    return scratch.path


def worker_profile(built, scratch, variant, lines, most):
    environment, _ = scratch.environment(variant)
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    output = scratch.path / "callgrind.out"
    words = [built / "worker", programs.VARIANTS[variant][0], "--lines", lines, "--made", most, "--warm", 0]
    programs.run([*command(output), *words], environment, 600)
    return Profile(output)


def server_profile(built, scratch, variant, requests, _most):
    output = scratch.path / "callgrind.out"
    # The market ticks in real time, and a program under valgrind is slow. So the market ticks only once a second here: most of the
    # counted instructions belong to requests.
    server = programs.Server(
        built, scratch, variant, command(output), ["--tick", 1000], SWIFT_DETERMINISTIC_HASHING="1"
    )
    with server:
        server.load("full", seconds=300, requests=requests, connections=4)
    if server.last is None:
        raise programs.Failure(f"{variant}: the server did not end when it was asked to")
    return Profile(output)


PROFILES = {"worker": (worker_profile, 2000), "server": (server_profile, 300)}


def count(built, scratch, what, is_quick):
    """Returns, for each variant, the figures per unit of work, and the instructions of each function per unit."""
    profile, units = PROFILES[what]
    units = units // 2 if is_quick else units
    copies = stripped(built, scratch, ["worker"] if what == "worker" else ["server", "load"])
    counted = {}
    for variant in programs.VARIANTS:
        if is_quick and variant not in ("plain", "untraced", "graph", "events"):
            continue
        few = profile(copies, scratch, variant, units, 3 * units)
        many = profile(copies, scratch, variant, 3 * units, 3 * units)
        before = few.figures()
        figures = {name: (value - before[name]) / units / 2 for name, value in many.figures().items()}
        functions = collections.Counter()
        for name in many.instructions.keys() | few.instructions.keys():
            functions[name] = (many.instructions[name] - few.instructions[name]) / units / 2
        counted[variant] = figures, functions
    return f"{units} and {3 * units}", counted


def excess(what, counted):
    """Returns a sentence if the library looks up more types than it has to, and otherwise None."""
    if what not in MOST_LOOKUPS or not {"plain", "untraced"} <= counted.keys():
        return None
    looked_up = {variant: counted[variant][0][LOOKUPS[0]] for variant in ("plain", "untraced")}
    more = looked_up["untraced"] - looked_up["plain"]
    if more <= MOST_LOOKUPS[what]:
        return None
    return (
        f"{what}: untraced, {LOOKUPS[0]} is called {looked_up['untraced']:.1f} times, {more:.1f} more than without the library; "
        f"at most {MOST_LOOKUPS[what]} are expected (see which function calls it with callgrind_annotate --tree=caller)"
    )


def show(counted):
    """Prints a table of the figures, and then the functions in which a level costs most."""
    print(f"      {'':<48}" + "".join(f"{variant:>13}" for variant in counted))
    for name in next(iter(counted.values()))[0]:
        values = "".join(f"{figures[name]:>13,.1f}" for figures, _ in counted.values())
        print(f"      {name:<48}{values}")
    if "untraced" not in counted:
        return
    base = counted["untraced"][1]
    for variant in ("graph", "events"):
        more = collections.Counter({name: value - base[name] for name, value in counted[variant][1].items()})
        print(f"    Instructions of functions themselves, {variant} less untraced")
        for name, value in more.most_common(25):
            print(f"      {value:>10,.0f}  {demangled(name)[:110]}")


def demangled(name):
    if not name.startswith("$s") or not shutil.which("swift-demangle"):
        return name
    said = subprocess.run(["swift-demangle", "--compact", "--simplified", name], capture_output=True, text=True, check=False)
    return said.stdout.strip() or name
