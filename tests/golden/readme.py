#!/usr/bin/env python3
"""Every ```console block of README.md says what really happens.

Lines that begin with "$ " are run in order, all blocks in one folder, with `fixtures/` and
`tools/run` in it; the lines below must be the output, standard error included, but for size and time
of an output. Lines that begin with "> " continue a command. Prints TAP.

  readme.py --etlkit PROGRAM --root FOLDER [--update]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

VARIABLE = re.compile(r"[0-9.]+ (bytes|[kMG]B) in [0-9]+\.[0-9]+ s\b")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def split_block(text):
    """[(command lines, output)] of one block."""
    steps = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append(([line], ""))
        elif line.startswith("> ") and steps and not steps[-1][1]:
            steps[-1][0].append(line)
        elif steps:
            steps[-1] = (steps[-1][0], steps[-1][1] + line)
        else:
            raise SystemExit(f"a console block begins without a command: {line!r}")
    return steps


def run(lines, folder, environment):
    command = "".join(line[2:] for line in lines)
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    return done.stdout.decode("utf-8", "backslashreplace")


def same(a, b):
    return VARIABLE.sub("", a) == VARIABLE.sub("", b)


def prepare(folder, options):
    """tools/run without the building: the program is there."""
    os.symlink(os.path.join(os.path.abspath(options.root), "fixtures"),
               os.path.join(folder, "fixtures"))
    os.mkdir(os.path.join(folder, "tools"))
    starter = os.path.join(folder, "tools", "run")
    with open(starter, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nexec "%s" "$@"\n' % os.path.abspath(options.etlkit))
    os.chmod(starter, 0o755)
    keep = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    keep.update(
        PATH=os.path.dirname(os.path.abspath(options.etlkit)) + ":/usr/local/bin:/usr/bin:/bin",
        HOME=folder,
        LC_ALL="C.UTF-8",
        TZ="UTC",
        TERM="dumb",
    )
    return keep


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etlkit", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    path = os.path.join(options.root, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    number = failed = 0
    with tempfile.TemporaryDirectory(prefix="etlkit-readme-") as folder:
        environment = prepare(folder, options)

        def replace(block):
            nonlocal number, failed
            result = "```console\n"
            for lines, expected in split_block(block.group(1)):
                found = run(lines, folder, environment)
                good = same(expected, found)
                number += 1
                print(f"{'ok' if good or options.update else 'not ok'} {number} "
                      f"{lines[0][2:].strip().replace('#', '')}")
                if not good and not options.update:
                    failed += 1
                    for line in found.splitlines():
                        print(f"# found: {line}")
                result += "".join(lines) + (expected if good else found)
            return result + "```"

        updated = BLOCK.sub(replace, text)
    print(f"1..{number}")
    if options.update and updated != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(updated)
    return 1 if failed or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
