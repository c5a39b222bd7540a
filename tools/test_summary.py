#!/usr/bin/env python3
"""Counts the single tests of a meson run: every Criterion test and golden case, not programs."""
import sys
import xml.etree.ElementTree


def main(path):
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"no test results: {error}", file=sys.stderr)
        print("0 passed, 1 failed")
        return 1
    passed = failed = 0
    skipped = []
    for suite in root.iter("testsuite"):
        for case in suite.iter("testcase"):
            name = f"{suite.get('name').split(':', 1)[-1]}: {case.get('name')}"
            if case.find("skipped") is not None:
                skipped.append(name)
            elif case.find("failure") is not None or case.find("error") is not None:
                failed += 1
                print(f"FAILED {name}")
            else:
                passed += 1
    for name in skipped:
        print(f"skipped {name}")
    print(f"{passed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
