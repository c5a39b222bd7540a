#!/usr/bin/env python3
"""A module includes only itself, the public headers and the modules above it."""
import os
import re
import sys

MODULES = ["base", "input", "logfile", "record", "schema", "decode", "columnar", "sink"]
# Stricter than the order: schemas do not know files, sinks know columns and not bytes.
FORBIDDEN = {
    "schema": {"input", "logfile", "record"},
    "sink": {"input", "logfile", "record"},
}
# What builds the schema pack stands on the pack's own format.
TOOL_MODULES = {"schemac.c": {"base", "schema"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def includes(path):
    with open(path, encoding="utf-8") as file:
        for quote, name in INCLUDE.findall(file.read()):
            folder = name.split("/")[0] if "/" in name else None
            yield name, folder, quote


def sources(folder):
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                yield os.path.join(where, name)


def main(root):
    problems = []
    count = 0
    for module in sorted(os.listdir(os.path.join(root, "lib"))):
        folder = os.path.join(root, "lib", module)
        if not os.path.isdir(folder) or module == "include":
            continue
        if module not in MODULES:
            problems.append(f"lib/{module}: not in the list of layers")
            continue
        allowed = set(MODULES[: MODULES.index(module) + 1]) - FORBIDDEN.get(module, set())
        for path in sources(folder):
            for name, target, _ in includes(path):
                count += 1
                if target in MODULES and target not in allowed:
                    where = os.path.relpath(path, root)
                    problems.append(f"{where}: {module} must not include {name}")
    for path in sources(os.path.join(root, "lib", "include")):
        for name, target, quote in includes(path):
            count += 1
            if target is not None or (quote == '"' and not name.endswith(".h")):
                problems.append(f"{os.path.relpath(path, root)}: a public header includes {name}")
    for path in sources(os.path.join(root, "tools")):
        allowed = TOOL_MODULES.get(os.path.basename(path), set())
        for name, target, _ in includes(path):
            count += 1
            if target in MODULES and target not in allowed:
                problems.append(f"{os.path.relpath(path, root)}: tools must not include {name}")
    print("\n".join(problems) if problems else f"{count} include lines keep to the layers")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
