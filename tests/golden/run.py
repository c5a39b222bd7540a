#!/usr/bin/env python3
"""Golden tests: each folder of cases/ is a command and what it must print, byte for byte.

  cmd             run by /bin/sh in an empty folder that holds demo.etl, with etlkit in PATH
  expected.out    standard output; absent: nothing
  expected.err    standard error; absent: nothing
  expected.code   exit code; absent: 0

A line "# skip: root" in cmd skips the case for the superuser. Size and time of an output are made
equal before the comparison. Prints TAP.

  run.py --etlkit PROGRAM --fixtures FOLDER [--update] [CASE...]
"""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "cases")
STREAMS = {"out": b"", "err": b"", "code": b"0\n"}
# What differs from run to run and between versions of SQLite: ", 1.2 MB in 0.03 s".
VARIABLE = re.compile(rb"[0-9.]+ (bytes|[kMG]B) in [0-9]+\.[0-9]+ s\b")
FIXED = b"SIZE in TIME"
SECONDS = 120


def environment(etlkit, folder):
    keep = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    keep.update(
        PATH=os.path.dirname(os.path.abspath(etlkit)) + ":/usr/local/bin:/usr/bin:/bin",
        HOME=folder,
        LC_ALL="C.UTF-8",
        TZ="UTC",
        TERM="dumb",
    )
    return keep


def execute(command, etlkit, fixtures):
    """Exit code, output and errors of a shell command in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="etlkit-golden-") as folder:
        for name in sorted(os.listdir(fixtures)):
            if name.endswith(".etl"):
                shutil.copy(os.path.join(fixtures, name), folder)
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=environment(etlkit, folder),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    return {
        "out": VARIABLE.sub(FIXED, done.stdout),
        "err": VARIABLE.sub(FIXED, done.stderr),
        "code": b"%d\n" % done.returncode,
    }


def read(path, absent):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return absent


def store(path, data, absent):
    if data != absent:
        with open(path, "wb") as file:
            file.write(data)
    elif os.path.exists(path):
        os.remove(path)


def differences(name, expected, found):
    lines = difflib.unified_diff(
        expected.decode("utf-8", "backslashreplace").splitlines(),
        found.decode("utf-8", "backslashreplace").splitlines(),
        f"{name} expected",
        f"{name} found",
        lineterm="",
    )
    text = "\n".join(lines)
    return text if text else f"{name}: differs in line ends only"


def check(case, options):
    """None when all is well, "# SKIP ..." or a text that tells what differs."""
    folder = os.path.join(CASES, case)
    command = read(os.path.join(folder, "cmd"), b"").decode()
    if "# skip: root" in command and os.geteuid() == 0:
        return "# SKIP for the superuser"
    found = execute(command, options.etlkit, options.fixtures)
    problems = []
    for stream, absent in STREAMS.items():
        path = os.path.join(folder, "expected." + stream)
        if options.update:
            store(path, found[stream], absent)
        elif read(path, absent) != found[stream]:
            problems.append(differences(stream, read(path, absent), found[stream]))
    return "\n".join(problems) or None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etlkit", required=True)
    parser.add_argument("--fixtures", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    cases = options.cases or sorted(os.listdir(CASES))
    print(f"1..{len(cases)}")
    failed = 0
    for number, case in enumerate(cases, 1):
        try:
            result = check(case, options)
        except subprocess.TimeoutExpired:
            result = f"not done after {SECONDS} s"
        if result is None:
            print(f"ok {number} {case}")
        elif result.startswith("# SKIP"):
            print(f"ok {number} {case} {result}")
        else:
            failed += 1
            print(f"not ok {number} {case}")
            print("\n".join("# " + line for line in result.split("\n")))
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
