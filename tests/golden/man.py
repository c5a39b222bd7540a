#!/usr/bin/env python3
"""The manual page of every command names exactly the options that its --help names.

  man.py --etlkit PROGRAM --pages FOLDER
"""
import argparse
import os
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--etlkit", required=True)
    parser.add_argument("--pages", required=True)
    options = parser.parse_args()
    failed = 0
    pages = sorted(n for n in os.listdir(options.pages) if re.fullmatch(r"etlkit-.*\.1", n))
    for page in pages:
        command = page[len("etlkit-"):-len(".1")]
        text = subprocess.run([options.etlkit, command, "--help"], check=True,
                              capture_output=True).stdout.decode()
        text = text.split("\nExamples:")[0]
        helped = set(re.findall(r"--([a-z]+)", text))
        with open(os.path.join(options.pages, page), encoding="utf-8") as file:
            described = set(re.findall(r"^\.It .*?$", file.read(), re.M))
        described = set(re.findall(r"Fl -([a-z]+)", "\n".join(described)))
        for name in sorted(helped ^ described):
            print(f"{page}: --{name} is in {'--help' if name in helped else 'the page'} only")
            failed = 1
    return failed or not pages


if __name__ == "__main__":
    sys.exit(main())
