#!/usr/bin/env python3
"""Reads a page of `rxtop report` without any code of rxtop.

    report.py FILE

Prints a JSON object with counts and the text of the page, and ends with status 0. If the page is not well formed, has a link to another page,
allows styles or scripts other than its own, or has a part without a name, it prints one line on standard error and ends with status 1.
"""
import base64
import collections
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "link", "input", "br", "hr", "img"}
FORBIDDEN = {"iframe", "object", "embed", "form", "base", "img", "image", "use", "foreignobject", "animate", "set", "template"}
# Attributes whose values are the identifiers of other elements.
REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "for", "data-table")
# In a browser, the beginning of a block ends these elements, so that the block would be outside of them.
NO_BLOCKS = {"p", "h1", "h2", "h3", "summary", "button", "span", "strong", "code", "label", "caption"}
BLOCKS = {"p", "div", "section", "article", "ul", "ol", "dl", "table", "h1", "h2", "h3", "figure", "details", "header", "footer"}


class Broken(Exception):
    pass


def need(truth, what):
    if not truth:
        raise Broken(what)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.counts, self.elements = [], collections.Counter(), []
        self.inline, self.text, self.headings, self.names = collections.defaultdict(str), [], [], collections.Counter()

    def handle_decl(self, declaration):
        need(not self.elements and declaration.lower() == "doctype html", f"declaration '{declaration}'")
        self.counts["doctype"] += 1

    def handle_comment(self, data):
        raise Broken(f"a comment: {data:.60}")

    def handle_pi(self, data):
        raise Broken(f"a processing instruction: {data:.60}")

    def handle_startendtag(self, name, attributes):
        raise Broken(f"<{name}/>: elements of HTML do not end themselves")

    def handle_starttag(self, name, attributes):
        need(name not in FORBIDDEN, f"<{name}> is no part of a report")
        need(name not in BLOCKS or not NO_BLOCKS & set(self.open), f"<{name}> inside of <{'> <'.join(self.open)}>")
        names = [key for key, _ in attributes]
        need(len(names) == len(set(names)), f"<{name}> has an attribute twice")
        for key, value in attributes:
            need(not key.startswith("on"), f"<{name} {key}>: a script in an attribute")
            need(key not in ("style", "src", "srcset", "action", "formaction", "data", "ping", "xlink:href"), f"<{name} {key}>")
            need(re.fullmatch(r"[a-zA-Z][a-zA-Z0-9-]*", key), f"<{name}> has an attribute '{key}'")
            need("url(" not in (value or ""), f"<{name} {key}> leads to something")
        self.elements.append((name, dict(attributes)))
        self.counts[name if "svg" not in self.open else f"svg {name}"] += 1
        for word in (dict(attributes).get("class") or "").split():
            self.names[word] += 1
        if name in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(name[1]))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        need(self.open and self.open[-1] == name, f"</{name}> where <{self.open[-1] if self.open else 'nothing'}> is open")
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("style", "script"):
            self.inline[self.open[-1]] += data
        else:
            self.text.append(data)


def check(page, source):
    need(not page.open, f"<{page.open[-1] if page.open else ''}> has no end")
    for name in ("doctype", "html", "head", "title", "body", "main", "nav", "h1", "style", "script"):
        need(page.counts[name] == 1, f"{page.counts[name]} of <{name}>, expected 1")
    # A browser ends the style and the script at the first text that looks like their end.
    for name, text in page.inline.items():
        need("</" not in text and "<!--" not in text, f"<{name}> holds what may end it")

    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    doubled = [name for name, count in collections.Counter(ids).items() if count > 1]
    need(not doubled, f"id '{doubled[:1]}' twice")
    for name, attributes in page.elements:
        for key in REFERENCES:
            for target in (attributes.get(key) or "").split():
                need(target in ids, f"<{name} {key}={target}> refers to nothing")
        if "href" in attributes:
            target = attributes["href"]
            need(target == "data:," and name == "link" or target.startswith("#") and target[1:] in ids, f"<{name}> leads to '{target}'")
        if attributes.get("role") in ("img", "region", "group") or name == "nav":
            need(attributes.get("aria-label"), f"<{name}> has no name")
        if name == "svg":
            need(attributes.get("role") in ("img", "group") or attributes.get("aria-hidden") == "true", "<svg> says nothing")
        if name == "input":
            labels = [other for kind, other in page.elements if kind == "label" and other.get("for") == attributes.get("id")]
            need(len(labels) == 1, "<input> has no label")
        if name == "th":
            need(attributes.get("scope") in ("col", "row"), "<th> of nothing")
    for before, after in zip([0] + page.headings, page.headings):
        need(after <= before + 1, f"a heading of level {after} after one of level {before}")
    need(page.elements[0] == ("html", {"lang": "en"}), "the language is not said")

    policies = [a["content"] for n, a in page.elements if n == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    need(len(policies) == 1, "there is no content security policy")
    policy = {part.split()[0]: part.split()[1:] for part in policies[0].split(";")}
    need(policy.get("default-src") == ["'none'"], "the policy lets things in by default")
    need(set(policy) <= {"default-src", "style-src", "script-src", "img-src", "base-uri", "form-action"}, f"policy {policies[0]}")
    need(policy.get("img-src") == ["data:"], "the policy lets images in")
    for name in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.inline[name].encode()).digest()).decode()
        need(policy.get(f"{name}-src") == [f"'sha256-{digest}'"], f"the policy does not let the page's own <{name}> in, or others")
    need(source.index("Content-Security-Policy") < source.index("<style>"), "the policy comes too late")
    need("http:" not in page.inline["style"] + page.inline["script"] and "https:" not in page.inline["style"] + page.inline["script"]
         and "import" not in page.inline["style"], "the style or the script leads elsewhere")


def main():
    try:
        with open(sys.argv[1], "rb") as file:
            data = file.read()
        source = data.decode("utf-8")
        page = Page()
        page.feed(source)
        page.close()
        check(page, source)
    except (Broken, OSError, ValueError) as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    ids = [attributes.get("id") or "" for _, attributes in page.elements]
    print(json.dumps({
        "bytes": len(data), "findings": page.counts["article"], "sites": sum(name.startswith("site-") for name in ids),
        "nodes": page.names["node"], "edges": page.names["edge"], "lanes": page.names["lane"] - page.names["axis"],
        "stacks": page.names["stack"], "comparisons": ids.count("comparison"), "scripts": page.counts["script"],
        "text": re.sub(r"\s+", " ", " ".join(page.text)),
    }))
    return 0


if __name__ == "__main__":
    sys.exit(main())
