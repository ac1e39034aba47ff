"""Reads the output of `rxtop check --format` in the same way as its consumers do. Shares no code with rxtop.

    reports.py sarif FILE      validates with the schema of SARIF 2.1.0, and reads with sarif-tools
    reports.py junit FILE      reads with junitparser
    reports.py github FILE     reads commands as the runner of GitHub Actions does
    reports.py agree FOLDER    compares NAME.sarif, NAME.junit and NAME.github with NAME.json
    reports.py step FILE NAME  prints the commands of a step of a workflow

Prints the content of the file: a line for each result, for each case that is not green, or for each annotation. Ends with status 1 and a
sentence if something is wrong.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


class Wrong(Exception):
    pass


def expect(is_so, sentence):
    if not is_so:
        raise Wrong(sentence)


def place(location):
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    expect(not re.match(r"[a-z]+:|/", uri), f"'{uri}' is not relative")
    expect(re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri), f"'{uri}' is not a URI")
    line = physical.get("region", {}).get("startLine")
    return uri if line is None else f"{uri}:{line}"


def sarif(path):
    """Checks a SARIF file, and yields a line for each result and notification."""
    from pydantic import ValidationError
    from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log
    from sarif import loader

    with open(path, "rb") as file:
        contents = file.read()
    try:
        Log.model_validate_json(contents)
    except ValidationError as error:
        raise Wrong(f"the schema does not have it: {error}") from error
    run, = json.loads(contents)["runs"]
    rules = run["tool"]["driver"]["rules"]
    expect(len({rule["id"] for rule in rules}) == len(rules) > 20, "rules are not there once each")
    results = run["results"]
    read = loader.load_sarif_file(path)
    expect(read.get_result_count() == len(results), f"sarif-tools reads {read.get_result_count()} results of {len(results)}")
    prints = set()
    has_baseline = any("baselineState" in result for result in results)
    for result in results:
        expect(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex leads to another rule")
        expect(has_baseline == ("baselineState" in result), "some results have a baselineState, and others have none")
        expect(len(result["locations"]) == 1, "a result has to have one location")
        own = result["partialFingerprints"]["rxtop/v1"]
        expect(re.fullmatch("[0-9a-f]{16}", own), f"'{own}' is not a fingerprint")
        expect(own not in prints, f"two results have the fingerprint {own}")
        prints.add(own)
        ids = [related["id"] for related in result["relatedLocations"]]
        expect(len(set(ids)) == len(ids), "two related locations have the same id")
        for other in result["relatedLocations"]:
            place(other)
        for flow in result["codeFlows"]:
            for thread in flow["threadFlows"]:
                expect(thread["locations"], "a flow is empty")
                for step in thread["locations"]:
                    place(step["location"])
        steps = sum(len(flow["threadFlows"][0]["locations"]) for flow in result["codeFlows"])
        yield " ".join([result["level"], result["ruleId"], place(result["locations"][0]), own, result.get("baselineState", "-"),
                        str(len(result["relatedLocations"])), str(steps)])
    invocation, = run["invocations"]
    expect(invocation["exitCode"] in (0, 1, 4), "no exit status of a check")
    expect(invocation["executionSuccessful"] == (invocation["exitCode"] != 4), "a recording that is too incomplete is a success")
    for notification in invocation["toolExecutionNotifications"]:
        yield " ".join(["notification", notification["level"], notification["descriptor"]["id"], notification["message"]["text"]])


def junit(path):
    from junitparser import JUnitXml

    said = ElementTree.parse(path).findtext("testsuite/system-out")
    read = JUnitXml.fromfile(path)
    suites = list(read)
    expect(len(suites) == 1, f"{len(suites)} suites, expected one")
    suite = suites[0]
    cases = list(suite)
    failed = [case for case in cases if any(type(one).__name__ == "Failure" for one in case.result)]
    errors = [case for case in cases if any(type(one).__name__ == "Error" for one in case.result)]
    skipped = [case for case in cases if any(type(one).__name__ == "Skipped" for one in case.result)]
    expect(suite.tests == len(cases) > 20, f"{suite.tests} tests, and {len(cases)} cases")
    expect((suite.failures, suite.errors, suite.skipped) == (len(failed), len(errors), len(skipped)), "counts differ from the cases")
    expect(len({case.name for case in cases}) == len(cases), "two cases have the same name")
    for word, some in (("failed", failed), ("error", errors), ("skipped", skipped)):
        for case in some:
            yield f"{word} {case.name}"
    if said:
        yield f"said {said}"


def unescaped(text, is_property):
    pairs = [("%0D", "\r"), ("%0A", "\n")] + ([("%3A", ":"), ("%2C", ",")] if is_property else []) + [("%25", "%")]
    for escape, character in pairs:
        text = text.replace(escape, character)
    return text


def github(path):
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    expect(lines.pop() == "", "the last line does not end")
    for line in lines:
        command = re.fullmatch(r"::(error|warning|notice) ([^\r]*?)::([^\r]*)", line)
        expect(command, f"'{line}' is not a command")
        properties = dict(one.split("=", 1) for one in command[2].split(","))
        expect(set(properties) <= {"file", "line", "col", "title"} and "title" in properties, f"properties {sorted(properties)}")
        values = {key: unescaped(value, True) for key, value in properties.items()}
        expect(all(character.isprintable() for value in values.values() for character in value), f"a terminal would obey {values}")
        expect(unescaped(command[3], False).strip(), "an annotation says nothing")
        yield f"{command[1]} {values.get('file', '-')}:{values.get('line', '-')} {values['title']}"


def agree(folder):
    """Expects that every format has the same findings."""
    names = sorted(path.stem for path in pathlib.Path(folder).glob("*.json"))
    expect(names, f"{folder} has no reports")
    for name in names:
        path = f"{folder}/{name}"
        with open(f"{path}.json", encoding="utf-8") as file:
            findings = json.load(file)["findings"]
        failing = sum(one["level"] in ("LEAK", "VIOLATION") for one in findings)
        prints = [line.split()[3] for line in sarif(f"{path}.sarif") if not line.startswith("notification")]
        expect(sorted(prints) == sorted(one["looseFingerprint"] for one in findings), f"{name}: SARIF has other findings than JSON")
        red = sum(line.startswith("failed ") for line in junit(f"{path}.junit"))
        expect(red == failing, f"{name}: {red} red cases, expected {failing}")
        errors = sum(line.startswith("error ") and " rxtop: " not in line for line in github(f"{path}.github"))
        expect(errors == failing, f"{name}: {errors} errors for GitHub, expected {failing}")
    yield f"{len(names)} recordings"


def step(path, name):
    from ruamel.yaml import YAML

    with open(path, encoding="utf-8") as file:
        workflow = YAML(typ="safe").load(file)
    job, = workflow["jobs"].values()
    found = [one["run"] for one in job["steps"] if one.get("name") == name]
    expect(len(found) == 1, f"{len(found)} steps are called {name}")
    yield found[0]


if __name__ == "__main__":
    command = {"sarif": sarif, "junit": junit, "github": github, "agree": agree, "step": step}[sys.argv[1]]
    try:
        for line in command(*sys.argv[2:]):
            print(line)
    except Wrong as error:
        print(f"{' '.join(sys.argv[1:])}: {error}", file=sys.stderr)
        sys.exit(1)
