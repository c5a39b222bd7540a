#!/usr/bin/env python3
"""Compares databases that etlkit makes from real traces with what Windows' own decoders said.

usage: oracle.py ETLKIT SUITE      (SUITE: counts, tracelogging, sawbuck, vectors, baselines, coverage,
                                    integrity)
The corpus is found through ETLKIT_CORPUS; without it the test is skipped (exit 77)."""
import json
import os
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import uuid

CORPUS = os.environ.get("ETLKIT_CORPUS", "../shared")
FAILURES = []


def fail(text):
    FAILURES.append(text)
    if len(FAILURES) <= 40:
        print("FAIL", text)


def table(name):
    """Rows of an oracle table as dictionaries; a field is everything between two tabs."""
    with open(os.path.join(CORPUS, "oracles", name), encoding="utf-8", newline="") as f:
        lines = f.read().split("\n")
    header = lines[0].rstrip("\r").split("\t")
    return [dict(zip(header, line.rstrip("\r").split("\t"))) for line in lines[1:] if line]


class Databases:
    """Converts traces on first use."""

    def __init__(self, etlkit):
        self.etlkit = etlkit
        self.directory = tempfile.TemporaryDirectory()
        self.open_files = {}

    def path(self, name):
        return os.path.join(self.directory.name, name + ".db")

    def get(self, name, trace=None):
        if name not in self.open_files:
            trace = trace or os.path.join(CORPUS, "corpus", name)
            run = subprocess.run([self.etlkit, "convert", "-q", trace, "-o", self.path(name)],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                fail(f"{name}: convert exits {run.returncode}: {run.stderr.strip()}")
                self.open_files[name] = None
            else:
                db = sqlite3.connect(self.path(name))
                db.row_factory = sqlite3.Row
                self.open_files[name] = db
        return self.open_files[name]


def corpus_files():
    return [row for row in table("counts.tsv")]


def group_guids():
    guids = {}
    with open(os.path.join(CORPUS, "facts", "kernel-hooks.tsv"), encoding="utf-8") as f:
        for line in f.read().split("\n")[1:]:
            if line:
                cells = line.split("\t")
                guids[int(cells[0], 16)] = cells[5]
    return guids


OUT_PORT = 22  # TDH out-type
IMAGE_GUID = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518"


def suite_counts(dbs):
    """Every record is a row, with its provider (or class), id, version and opcode."""
    guids = group_guids()
    for row in corpus_files():
        if not row["total_events"] or row["total_events"] == "0":
            continue
        db = dbs.get(row["file"])
        if db is None:
            continue
        want = {}
        for key, count in json.loads(row["counts"]).items():
            hook = re.fullmatch(r"hook:0x([0-9a-fA-F]+)/(\d+)/v(\d+)", key)
            classic = re.fullmatch(r"mof:([0-9a-f-]+)/0/v(\d+)/op(\d+)", key)
            event = re.fullmatch(r"evt:([0-9a-f-]+)/(\d+)/v(\d+)/op(\d+)", key)
            wpp = re.fullmatch(r"wpp:([0-9a-f-]+)/(\d+)", key)
            if hook:
                group, kind = int(hook[1], 16), int(hook[2])
                guid = guids.get(group, "00000000-0000-0000-0000-000000000000")
                if group == 3 and kind == 10:
                    guid = IMAGE_GUID
                key = ("classic", guid, 0, int(hook[3]), kind)
            elif classic:
                key = ("classic", classic[1], 0, int(classic[2]), int(classic[3]))
            elif event:
                key = ("event", event[1], int(event[2]), int(event[3]), int(event[4]))
            elif wpp:
                key = ("wpp", wpp[1], int(wpp[2]), 0, 0)
            else:
                fail(f"{row['file']}: key {key} is of no known form")
                continue
            want[key] = want.get(key, 0) + count
        got = {}
        for kind, guid, number, version, opcode, count in db.execute(
                "SELECT CASE WHEN t.kind IN ('manifest','tracelogging','string') THEN 'event' ELSE"
                " t.kind END, p.guid, t.event_id, e.version, e.opcode, count(*) FROM event e JOIN"
                " event_type t ON t.id=e.event_type_id JOIN provider p ON p.id=t.provider_id"
                " GROUP BY t.id, e.version, e.opcode"):
            key = (kind, guid, number, version, opcode)
            got[key] = got.get(key, 0) + count
        for key in sorted(set(want) | set(got), key=str):
            if want.get(key, 0) != got.get(key, 0):
                fail(f"{row['file']}: {key}: {got.get(key, 0)} events, oracle {want.get(key, 0)}")
        total, low, high = db.execute(
            "SELECT count(*), min(raw_time), max(raw_time) FROM event").fetchone()
        if total != int(row["total_events"]):
            fail(f"{row['file']}: {total} events, oracle {row['total_events']}")
        for what, value in (("min_ts", low), ("max_ts", high)):
            if row[what] and int(row[what]) != value:
                fail(f"{row['file']}: {what} {value}, oracle {row[what]}")
        source = db.execute("SELECT * FROM source").fetchone()
        if source["sha256"] != row["sha256"]:
            fail(f"{row['file']}: sha256 {source['sha256']}")
        if source["events_lost"] != int(row["events_lost"]):
            fail(f"{row['file']}: events_lost {source['events_lost']}")
        if source["trace_size"] != (source["bytes_header"] + source["bytes_used"] +
                                    source["bytes_padding"] + source["bytes_skipped"]):
            fail(f"{row['file']}: byte accounting does not close")
        check_times(db, row)


def check_times(db, row):
    """FILETIME = StartTime + floor((raw - first raw) * 10^7 / frequency), in integers."""
    source = db.execute("SELECT clock, frequency, first_raw_time FROM source").fetchone()
    start = int(row["start_time"])
    for raw, ts in db.execute("SELECT raw_time, ts FROM event"):
        if source["clock"] == "QPC":
            delta = (raw - source["first_raw_time"]) * 10**7
            quotient = abs(delta) // source["frequency"]
            filetime = start + (quotient if delta >= 0 else -quotient)
        else:
            filetime = raw
        if ts != (filetime - 116444736000000000) * 100:
            fail(f"{row['file']}: raw time {raw} gives ts {ts}")
            break


def view_rows(db, raw_time, provider=None):
    """(event type, data row) of all decoded events with this raw time."""
    result = []
    for event in db.execute("SELECT e.id, e.status, e.version, e.opcode, e.process_id, e.thread_id,"
                            " t.name, t.table_name, t.event_id, t.event_name, p.guid FROM event e"
                            " JOIN event_type t ON t.id=e.event_type_id JOIN provider p ON"
                            " p.id=t.provider_id WHERE e.raw_time=?", (raw_time,)):
        if provider and event["guid"] != provider:
            continue
        data = None
        if event["table_name"]:
            data = db.execute(f'SELECT * FROM "{event["table_name"]}" WHERE event_id=?',
                              (event["id"],)).fetchone()
        result.append((event, data))
    return result


def decoded_value(data, field):
    keys = {key.lower(): key for key in data.keys()}
    key = keys.get(field.replace(".", "_").lower())
    return (False, None) if key is None else (True, data[key])


def compare_tracelogging(dbs, file, rows):
    db = dbs.get(file)
    if db is None:
        return
    checked = 0
    for row in rows:
        matches = [(e, d) for e, d in view_rows(db, int(row["timestamp_raw"]), row["provider_guid"])
                   if e["event_name"] == row["event_name"]]
        if len(matches) != 1 or matches[0][1] is None:
            fail(f"{file}: {row['event_name']} at {row['timestamp_raw']}: {len(matches)} rows")
            continue
        event, data = matches[0]
        if event["status"] != 0:
            fail(f"{file}: {row['event_name']}: status {event['status']}")
        if str(event["process_id"]) != row["pid"] or str(event["thread_id"]) != row["tid"]:
            fail(f"{file}: {row['event_name']}: pid or tid")
        if row["in_type_name"] == "STRUCT" and row["array"] == "scalar":
            continue  # its members are rows of their own in the oracle table
        found, value = decoded_value(data, row["field_name"])
        if not found:
            fail(f"{file}: {row['event_name']} has no column for {row['field_name']}")
            continue
        want = row["value"].replace("\\\\", "\\")
        if row["array"] != "scalar":
            value, want = json.loads(value), json.loads(want)
        elif row["out_type_name"] == "BOOLEAN" or row["in_type_name"] in ("BOOL32", "BOOLEAN"):
            want = {"true": 1, "false": 0}[want.lower()]
        elif row["in_type_name"] == "UINT16" and row["out_type_name"] == "STRING":
            value = chr(value) if isinstance(value, int) else value
        elif row["in_type_name"] == "GUID":
            want = want.strip("{}").lower()
        elif isinstance(value, int):
            want = int(want, 0)
            value &= (1 << 64) - 1  # SQLite keeps the bits of unsigned 64-bit values, signed
            want &= (1 << 64) - 1
        elif isinstance(value, float):
            want = float(want)
        if value != want:
            fail(f"{file}: {row['event_name']}.{row['field_name']}: {value!r}, oracle {want!r}")
        checked += 1
    print(f"{file}: {checked} values")


def suite_tracelogging(dbs):
    compare_tracelogging(dbs, "TraceLoggingTester.etl", table("TraceLoggingTester.tsv"))
    compare_tracelogging(dbs, "SelfDescribingSingleEvent.etl",
                         table("SelfDescribingSingleEvent.tsv"))


# column of the oracle table -> our columns; later versions renamed some
SAWBUCK_MODULE = {"BaseAddress": ("ImageBase", "BaseAddress"),
                  "ModuleSize": ("ImageSize", "ModuleSize"),
                  "ProcessId": ("ProcessId",), "ImageChecksum": ("ImageChecksum", "ImageCheckSum"),
                  "TimeDateStamp": ("TimeDateStamp",), "DefaultBase": ("DefaultBase",),
                  "ImageFileName": ("FileName", "ImageFileName")}
SAWBUCK_PROCESS = {"ProcessId": ("ProcessId",), "ParentId": ("ParentId",),
                   "SessionId": ("SessionId",), "ExitStatus": ("ExitStatus",),
                   "UserSID": ("UserSID",), "ImageFileName": ("ImageFileName",),
                   "CommandLine": ("CommandLine",)}


def suite_sawbuck(dbs):
    checked = 0
    for name, columns in (("sawbuck-modules.tsv", SAWBUCK_MODULE),
                          ("sawbuck-processes.tsv", SAWBUCK_PROCESS)):
        for row in table(name):
            db = dbs.get(row["file"])
            if db is None:
                continue
            guid = row.get("class_guid")
            matches = view_rows(db, int(row["timestamp_raw"]), guid)
            matches = [(e, d) for e, d in matches if e["opcode"] == int(row["event_type"])]
            if not matches or any(d is None for _, d in matches):
                fail(f"{row['file']}: no decoded row at {row['timestamp_raw']}")
                continue
            problems = []
            for event, data in matches:
                problem = None
                if event["status"] not in (0, 2):
                    problem = f"status {event['status']}"
                for column, ours in columns.items():
                    want = row[column]
                    if want == "":
                        continue
                    values = [v for found, v in (decoded_value(data, c) for c in ours)
                              if found and v is not None]
                    if not values and want != "":
                        problem = problem or f"{column} is NULL, oracle {want!r}"
                        continue
                    value = values[0]
                    if isinstance(value, int):
                        want = int(want, 0)
                        if want < 0 or value < 0 or column == "ExitStatus":
                            value &= 0xFFFFFFFF
                            want &= 0xFFFFFFFF
                    if value != want:
                        problem = problem or f"{column}: {value!r}, oracle {want!r}"
                    checked += 1
                problems.append(problem)
            if all(problems):
                fail(f"{row['file']} at {row['timestamp_raw']}: {problems[0]}")
    print(f"sawbuck: {checked} values")


def build_trace(path, records):
    """A minimal log of one 64-bit session: header buffer and one buffer of FULL records."""
    size = 1 << 20

    def buffer(kind, sequence, body):
        head = struct.pack("<IIIiqqQBBHIIHHQQ", size, 72 + len(body), 72 + len(body), 0, 0, sequence,
                           0, 0, 8, 0, 3, 72 + len(body), 1, kind, 0, 0)
        return (head + body).ljust(size, b"\xff")

    names = "vectors\0".encode("utf-16-le") + "vectors.etl\0".encode("utf-16-le")
    body = struct.pack("<IBBBBIIqIIIIIIII", size, 10, 0, 1, 5, 19045, 1, 132000000000000000, 156250,
                       0, 1, 2, 1, 8, 0, 3000)
    body += struct.pack("<QQ", 0, 0) + bytes(172) + bytes(4)
    body += struct.pack("<qqqII", 131000000000000000, 10**7, 131900000000000000, 1, 0) + names
    header = struct.pack("<HBBHBBIIqII", 2, 2, 0xC0, 32 + len(body), 0, 0, 4, 4, 1000, 0, 0) + body
    header = header.ljust((len(header) + 7) & ~7, b"\0")
    events = b""
    for number, (guid, opcode, version, pointer, payload) in enumerate(records):
        total = 0x30 + len(payload)
        event = struct.pack("<HBBBBHIIq", total, 0x14 if pointer == 8 else 0x0A, 0xC0, opcode, 0,
                            version, 1, 2, 2000 + number)
        event += uuid.UUID(guid).bytes_le + struct.pack("<II", 0, 0) + payload
        events += event.ljust((len(event) + 7) & ~7, b"\0")
    with open(path, "wb") as f:
        f.write(buffer(4, 0, header) + buffer(0, 1, events))


def flatten(value):
    if isinstance(value, list):
        for item in value:
            yield from flatten(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from flatten(item)
    else:
        yield value


def suite_vectors(dbs):
    """Kernel payloads that no trace of the corpus holds: values in order, whatever their names."""
    with open(os.path.join(CORPUS, "oracles", "kernel-payload-vectors.jsonl"),
              encoding="utf-8") as f:
        vectors = [json.loads(line) for line in f if line.strip()]
    checked = 0
    for vector in vectors:
        # A trace for each: versions of one event type share a table, in the order they come.
        trace = os.path.join(dbs.directory.name, vector["test"] + ".etl")
        build_trace(trace, [(vector["provider"], vector["opcode"], vector["version"],
                             vector["ptr"], bytes.fromhex(vector["payload"]))])
        db = dbs.get(vector["test"], trace)
        if db is not None:
            checked += compare_vector(db, vector)
    print(f"vectors: {len(vectors)} payloads, {checked} values")


# The vectors' authors blanked these expectations; the bytes hold the text "xperf" in both.
VECTOR_EDITED = {("ProcessStartV3", "ImageFileName"), ("ProcessStartV3", "CommandLine")}


def compare_vector(db, vector):
    """The vectors leave nested parts out, so theirs must be a subsequence of ours."""
    name = vector["test"]
    matches = view_rows(db, 2000, vector["provider"])
    if len(matches) != 1:
        fail(f"{name}: {len(matches)} rows")
        return 0
    event, data = matches[0]
    if event["status"] != 0:
        fail(f"{name}: {event['name']}: status {event['status']}")
        return 0
    ours = []
    for column, is_json, out_type in db.execute(
            "SELECT column_name, is_json, out_type FROM field f JOIN event_type t ON"
            " t.id=f.event_type_id WHERE t.name=? ORDER BY ordinal", (event["name"],)):
        value = data[column]
        if is_json and value is not None:
            value = json.loads(value)
        elif out_type == OUT_PORT:
            value = int.from_bytes(value.to_bytes(2, "big"), "little")  # they keep network order
        ours.extend(flatten(value))
    position = 0
    for kind, field, want in vector["fields"]:
        if (name, field) in VECTOR_EDITED:
            continue
        for at in range(position, len(ours)):
            if same_value(kind, want, ours[at]):
                position = at + 1
                break
        else:
            fail(f"{name}: {event['name']}: {field} {want!r} not in {ours[position:]}")
            return 0
    return len(vector["fields"])


def same_value(kind, want, value):
    if isinstance(want, str):
        if isinstance(value, bytes):
            value = value.decode("latin-1").rstrip("\0")
        return value == want
    if isinstance(value, str):
        octets = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)\.(\d+)", value)
        if octets:
            raw = bytes(int(o) for o in octets.groups())
            return want & 0xFFFFFFFF in (int.from_bytes(raw, "little"), int.from_bytes(raw, "big"))
        return False
    if not isinstance(value, int):
        return False
    bits = {"Char": 8, "UChar": 8, "Short": 16, "UShort": 16, "Int": 32, "UInt": 32}.get(kind, 64)
    mask = (1 << bits) - 1
    return value & mask == want & mask


def suite_coverage(dbs):
    """What share of the corpus decodes exactly, and a table of what does not and why."""
    share = {}
    for row in corpus_files():
        if not row["total_events"] or row["total_events"] == "0":
            continue
        db = dbs.get(row["file"])
        if db is None:
            continue
        for t in db.execute("SELECT t.*, p.guid, p.name AS provider FROM event_type t JOIN provider"
                            " p ON p.id=t.provider_id"):
            kind = t["kind"]
            if t["schema_source"] == "eventsource":
                kind = "eventsource"
            exact, total = share.get(kind, (0, 0))
            share[kind] = (exact + t["exact_count"], total + t["event_count"])
            if kind in ("tracelogging", "eventsource"):
                # All fields must be there; bytes may be left over: EventSource writes enumerations
                # of four bytes in eight (PerfView's EnableParameters events).
                bad = db.execute("SELECT count(*) FROM event WHERE event_type_id=? AND status>3",
                                 (t["id"],)).fetchone()[0]
                if bad:
                    fail(f"{row['file']}: {bad} events of {t['name']} are not decoded")
            if t["exact_count"] != t["event_count"]:
                statuses = dict(db.execute("SELECT status, count(*) FROM event WHERE"
                                           " event_type_id=? GROUP BY 1", (t["id"],)).fetchall())
                print(f"  {row['file']}\t{t['name']}\t{t['exact_count']}/{t['event_count']}\t"
                      f"{t['schema_source']}\tstatus {statuses}")
    for kind, (exact, total) in sorted(share.items()):
        print(f"{kind}: {exact} of {total} exact ({100.0 * exact / total:.2f} %)")
    for kind, least in (("tracelogging", 1.0), ("eventsource", 0.98), ("classic", 0.99),
                        ("manifest", 0.95)):
        exact, total = share.get(kind, (0, 0))
        if not total or exact < least * total:
            fail(f"{kind}: {exact} of {total} exact, wanted {100 * least:.0f} %")


def suite_integrity(dbs):
    for row in corpus_files():
        if not row["total_events"] or row["total_events"] == "0":
            continue
        db = dbs.get(row["file"])
        if db is None:
            continue
        check = db.execute("PRAGMA integrity_check").fetchall()
        if [tuple(c) for c in check] != [("ok",)]:
            fail(f"{row['file']}: integrity_check {check[0][0]}")
        broken = db.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            fail(f"{row['file']}: foreign_key_check {[tuple(b) for b in broken[:3]]}")
        for (view,) in db.execute("SELECT name FROM sqlite_master WHERE type='view'").fetchall():
            count = db.execute(f'SELECT count(*) FROM "{view}"').fetchone()[0]
            db.execute(f'SELECT * FROM "{view}" LIMIT 3').fetchall()
            want = db.execute("SELECT event_count FROM event_type WHERE name=?", (view,)).fetchone()
            if want and want[0] != count:
                fail(f"{row['file']}: view {view} has {count} rows of {want[0]}")


def main():
    if not os.path.isdir(os.path.join(CORPUS, "corpus")):
        print(f"SKIP: no corpus at {CORPUS}; set ETLKIT_CORPUS")
        return 77
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    suites = {"counts": suite_counts, "tracelogging": suite_tracelogging, "sawbuck": suite_sawbuck,
              "vectors": suite_vectors, "coverage": suite_coverage, "integrity": suite_integrity}
    name = sys.argv[2]
    dbs = Databases(sys.argv[1])
    if name == "baselines":
        import baselines
        baselines.suite(dbs, table, view_rows, fail)
    else:
        suites[name](dbs)
    print(f"{name}: {len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
