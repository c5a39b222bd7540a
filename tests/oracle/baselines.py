"""EVENT rows that TraceEvent printed, against our columns, field by field.

TraceEvent has its own names and makes some values up; RENAMED and SKIPPED say so for each."""
import collections
import datetime
import json
import re

from oracle import IMAGE_GUID, group_guids

# Field of TraceEvent -> columns of ours, tried in this order; for all events.
RENAMED = {
    "CPUSpeed": ["CpuSpeedInMHz"],
    "MaxFileSize": ["MaximumFileSize"],
    "SessionName": ["SessionNameString"],
    "PageDirectoryBase": ["DirectoryTableBase", "PageDirectoryBase"],
    "FileKey": ["FileObject"],
    "IrpPtr": ["Irp", "IrpPtr"],
    "FileAttributes": ["CreateAttributes"],
    "SampleSource": ["Source"],
    "GuidSig": ["PdbGuid", "GuidSig"],
    "PDBFileName": ["PdbName", "PdbFileName"],
    "ParentID": ["ParentId"],
    "SystemWindowsDirectory": ["WindowsDirectory"],
    "ThreadID": ["TThreadId", "ThreadId"],
    "Value": ["Volume", "NtPath", "Value"],
    "Promoted": ["Bytes"],
}
RENAMED_IN = {("EventTrace", "LogFileName"): ["LogFileNameString"]}

NOT_IN_PAYLOAD = "not in the payload: TraceEvent computes it from other records or fields"
OTHER_VERSION = "belongs to another version of the event; TraceEvent prints a default"
MISREAD = "TraceEvent reads other bytes than the field has (oracle notes, etl-format 5.9)"
BITS = "a bit field that TraceEvent takes apart; the whole word is in Reserved"
# (event or "*", field) -> why it is not compared
SKIPPED = {
    ("*", "BuildTime"): NOT_IN_PAYLOAD,
    ("*", "ElapsedTimeMSec"): NOT_IN_PAYLOAD,
    ("*", "DiskServiceTimeMSec"): NOT_IN_PAYLOAD,
    ("*", "Priority"): "computed from IrpFlags or from a bit field",
    ("EventTrace", "UtcOffsetMinutes"): NOT_IN_PAYLOAD,
    ("DiskIO/Read", "FileName"): NOT_IN_PAYLOAD,
    ("DiskIO/Write", "FileName"): NOT_IN_PAYLOAD,
    ("Memory/HardFault", "FileName"): NOT_IN_PAYLOAD,
    ("GC/FinalizeObject", "TypeName"): NOT_IN_PAYLOAD,
    ("GC/HeapStats", "Depth"): NOT_IN_PAYLOAD,
    ("GC/HeapStats", "TotalHeapSize"): NOT_IN_PAYLOAD,
    ("GC/HeapStats", "TotalPromoted"): NOT_IN_PAYLOAD,
    ("Create", "CreateDisposition"): "the top byte of CreateOptions",
    ("*", "ModuleILFileName"): NOT_IN_PAYLOAD,
    ("SystemConfig/Services", "ProcessName"): "hidden by TraceEvent's own process name",
    ("ImageID", "ProcessID"): "TraceEvent counts the images of process 4 to process 0",
    ("*", "PayloadLength"): NOT_IN_PAYLOAD,
    ("PerfInfo/Sample", "ProcessorNumber"): NOT_IN_PAYLOAD,
    ("PerfInfo/Sample", "ExecutingDPC"): BITS,
    ("PerfInfo/Sample", "ExecutingISR"): BITS,
    ("PerfInfo/Sample", "Rank"): BITS,
    ("Process/PerfCtr", "MemoryCount"): MISREAD,
    ("Process/PerfCtrRundown", "MemoryCount"): MISREAD,
    ("Thread/Start", "ParentProcessID"): NOT_IN_PAYLOAD,
    ("Thread/Start", "ParentThreadID"): NOT_IN_PAYLOAD,
    ("Thread/Stop", "ParentProcessID"): NOT_IN_PAYLOAD,
    ("Thread/Stop", "ParentThreadID"): NOT_IN_PAYLOAD,
    ("Thread/Start", "StartAddr"): "the place of Affinity in version 3",
    ("Thread/Stop", "StartAddr"): "the place of Affinity in version 3",
    ("UdpIp/Recv", "context"): MISREAD,
    ("UdpIp/Recv", "dsize"): MISREAD,
    ("UdpIp/Send", "context"): MISREAD,
    ("UdpIp/Send", "dsize"): MISREAD,
}
# Events whose layout no public source has.
NO_LAYOUT = {"Microsoft_Windows_DotNETRuntimePrivate_4": "no public layout; kept raw"}


# Names that TraceEvent prints where our schema has no map or other names: column -> value or bits.
VALUES = {
    "AllocationKind": {0: "Small"},
    "Type": {3: "PinnedObjectHeap"},
    "BucketKind": {1: "PlugsInCondemned"},
    "PauseMode": {1: "Interactive"},
    "Reason": {0: "AllocSmall", 1: "Induced"},
    "ReasonCode": {0: "START_BIND", 9: "REJECT_IL_SIG"},
    # the top bit says that a mechanism is set; the lowest other one is its number
    "CompactMechanisms": {0x80000002: "compact_high_frag", 0x80000008: "compact_loh_forced"},
    "ExpandMechanisms": {0: "not_specified"},
}
BITS_NAMED = {
    "GlobalMechanisms": {1: "Concurrent", 2: "Compaction", 4: "Promotion", 8: "Demotion",
                         16: "CardBundles"},
    "BitSettings": {1: "GCSettingsConcurrent"},
    "AssemblyFlags": {16: "ReadyToRun"},
    "ModuleFlags": {8: "Manifest", 32: "ReadyToRunModule"},
    "Flags": {1: "QuickJit", 2: "QuickJitForLoops"},
    "IrpFlags": {1: "Nocache", 2: "MountCompletion"},  # the upper half is the priority
    "ShareAccess": {3: "ReadWrite", 4: "Delete"},
    "CreateOptions": {32: "FILE_ATTRIBUTE_ARCHIVE"},  # the top byte is the disposition
}
LOW_BITS = {"IrpFlags": 0xFFFF, "CreateOptions": 0xFFFFFF}


class Volumes:
    """TraceEvent shows kernel paths with drive letters: the mapping that the trace itself holds."""

    def __init__(self, db):
        self.pairs = []
        if db.execute("SELECT 1 FROM event_type WHERE name='SystemConfigEx_VolumeMapping'").fetchone():
            rows = db.execute("SELECT NtPath, DosPath FROM SystemConfigEx_VolumeMapping")
            self.pairs = [(nt, dos) for nt, dos in rows if nt]

    def forms(self, path):
        result = [path]
        for nt, dos in self.pairs:
            if path.lower().startswith(nt.lower()):
                result.append(dos + path[len(nt):])
        if path.startswith("\\SystemRoot\\"):
            result.append("C:\\Windows\\" + path[12:])
        if path.startswith("\\Windows\\"):
            result.append("C:" + path)  # relative to the system volume
        if path.startswith("\\Device\\Mup\\"):
            result.append("\\\\" + path[12:])
        return result


def number(text):
    """Value of a printed number, or None."""
    plain = text.replace(",", "")
    if re.fullmatch(r"-?\d+", plain):
        return int(plain)
    if re.fullmatch(r"0x[0-9a-fA-F]+", plain):
        return int(plain, 16)
    return None


def filetime_text(value):
    """yy/MM/dd HH:mm:ss.ffffff of a FILETIME, truncated."""
    try:
        moment = datetime.datetime(1601, 1, 1) + datetime.timedelta(microseconds=value // 10)
    except OverflowError:
        return None
    return moment.strftime("%y/%m/%d %H:%M:%S.%f")


def same_text(want, cut, have):
    return have.startswith(want) if cut else have == want


def map_texts(db, event, column, value):
    """Names of a value by our maps, as TraceEvent could print them."""
    rows = db.execute("SELECT m.value, m.text, m.kind FROM map_value m JOIN event_type t ON"
                      " t.id=m.event_type_id WHERE t.name=? AND m.column_name=?",
                      (event["name"], column)).fetchall()
    names = {v: text for v, text, kind in rows if kind == "value"}
    result = [names[value]] if value in names else []
    bits = [text for v, text, kind in rows if kind == "bits" and v and value & v == v]
    if bits:
        result.append(", ".join(bits))
    return result


def squeeze(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def same(db, event, column, want, cut, have, volumes):
    """Whether TraceEvent's text stands for our value."""
    if have is None:
        return want in ("", "-1", "0", "0x00000000")
    if isinstance(have, bytes):
        return same_text(want.replace("-", "").lower(), cut, have.hex())
    if isinstance(have, float):
        try:
            return abs(float(want.replace(",", "")) - have) <= 1e-5 * max(1.0, abs(have))
        except ValueError:
            return False
    if isinstance(have, int):
        have &= LOW_BITS.get(column, -1)
        value = number(want)
        if cut and value is not None:
            return f"{have:,}".startswith(want)
        if value is not None:
            for bits in (8, 16, 32, 64):
                mask = (1 << bits) - 1
                if value & mask == have & mask and -(1 << (bits - 1)) <= value < 1 << bits:
                    return True
            return False
        if want in ("True", "False"):
            return bool(have) == (want == "True")
        text = filetime_text(have)
        if text and re.match(r"\d\d/\d\d/\d\d ", want):
            return same_text(want, cut, text)
        ours = [squeeze(t) for t in map_texts(db, event, column, have)]
        theirs = squeeze(want)
        if any(t == theirs or (cut and t.startswith(theirs)) for t in ours):
            return True
        named = VALUES.get(column, {}).get(have)
        bits = ", ".join(n for bit, n in BITS_NAMED.get(column, {}).items() if have & bit == bit)
        return any(same_text(want, cut, t) for t in (named, bits) if t) or (have == 0 and
                                                                          want == "None")
    stamp = re.match(r"(\d\d\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)\.(\d+)", have)
    if stamp and re.match(r"\d\d/\d\d/\d\d ", want):
        text = f"{stamp[1][2:]}/{stamp[2]}/{stamp[3]} {stamp[4]}.{stamp[5].ljust(6, '0')[:6]}"
        # TraceEvent prints a wrong fraction for SYSTEMTIME: compared to the second.
        return text[:17] == want[:17]
    if len(have) == 1 and want == str(ord(have)):
        return True
    if re.search(r"[.:]", have) and (same_text(want, cut, have + ":0") or
                                     want.startswith("[") and have.startswith(want[1:])):
        return True
    if have.lower() == want.lower():
        return True
    return any(same_text(want, cut, form) for form in volumes.forms(have))


def candidates(db, row, view_rows, guids):
    """Decoded rows with the time and the key of an oracle row."""
    rows = view_rows(db, int(row["raw_timestamp"]))
    event = re.fullmatch(r"evt:([0-9a-f-]+)/(\d+)/v(\d+)/op(\d+)", row["raw_key"])
    if event:
        return [r for r in rows if r[0]["guid"] == event[1] and r[0]["event_id"] == int(event[2])
                and r[0]["version"] == int(event[3]) and r[0]["opcode"] == int(event[4])]
    classic = re.fullmatch(r"mof:([0-9a-f-]+)/(\d+)/v(\d+)", row["raw_key"])
    hook = re.fullmatch(r"(?:sys|perf):0x([0-9a-f]+)/(\d+)/v(\d+)", row["raw_key"])
    if classic:
        guid, kind, version = classic[1], int(classic[2]), int(classic[3])
    else:
        group, kind, version = int(hook[1], 16), int(hook[2]), int(hook[3])
        guid = IMAGE_GUID if (group, kind) == (3, 10) else guids.get(group)
    return [r for r in rows if r[0]["guid"] == guid and r[0]["opcode"] == kind
            and r[0]["version"] == version]


def column_of(row, field, data):
    """Name of our column for a field of TraceEvent, or None."""
    keys = {key.lower(): key for key in data.keys()}
    names = RENAMED_IN.get((row["event"], field), []) + [field] + RENAMED.get(field, [])
    for name in names:
        if name.lower() in keys:
            return keys[name.lower()]
    return None


def bulk_type(field, data):
    """TypeID_0, TypeName_0: members of the first element of Values."""
    member = {"TypeID": "TypeID", "TypeName": "Name"}.get(field[:-2])
    values = json.loads(data["Values"]) if data["Values"] else []
    return values[int(field[-1])][member] if member and values else None


def compare(db, row, event, data, volumes, skipped):
    """Texts of what differs, and how many values were compared."""
    problems, compared = [], 0
    if event["name"] in NO_LAYOUT:
        skipped[NO_LAYOUT[event["name"]]] += len(json.loads(row["fields"]))
        return problems, compared
    for field, want, cut in json.loads(row["fields"]):
        reason = SKIPPED.get((row["event"], field)) or SKIPPED.get(("*", field))
        if reason:
            skipped[reason] += 1
            continue
        column = column_of(row, field, data) if data is not None else None
        if column is not None:
            have = data[column]
        elif re.fullmatch(r"Type(ID|Name)_\d", field) and data is not None:
            have = bulk_type(field, data)
        elif want in ("", "0", "Unknown", "0x00000000"):
            skipped[OTHER_VERSION] += 1
            continue
        else:
            problems.append(f"no column for {field} ({want!r})")
            continue
        if have is None and want in ("", "0", "Unknown"):
            skipped[OTHER_VERSION] += 1
            continue
        compared += 1
        if not same(db, event, column, want, cut, have, volumes):
            problems.append(f"{field}: {have!r}, oracle {want!r}{'...' if cut else ''}")
    return problems, compared


def suite(dbs, table, view_rows, fail):
    guids = group_guids()
    compared = rows = 0
    skipped = collections.Counter()
    volumes = {}
    for row in table("perfview-baselines.tsv"):
        db = dbs.get(row["file"])
        if db is None or row["kind"] != "EVENT":
            continue
        if row["file"] not in volumes:
            volumes[row["file"]] = Volumes(db)
        found = candidates(db, row, view_rows, guids)
        where = f"{row['file']}:{row['line']} {row['event']}"
        if not found:
            fail(f"{where}: no event at {row['raw_timestamp']}")
            continue
        rows += 1
        best = None
        for event, data in found:
            trial = collections.Counter()
            problems, count = compare(db, row, event, data, volumes[row["file"]], trial)
            ids = (event["process_id"], event["thread_id"])
            if "one-pid-tid-differ" not in row["raw_match"]:
                for have, want in zip(ids, (row["pid"], row["tid"])):
                    if have is not None and str(have) != want:
                        problems.append(f"pid or tid {have}, oracle {want}")
            if best is None or len(problems) < len(best[0]):
                best = (problems, count, trial)
        for problem in best[0]:
            fail(f"{where}: {problem}")
        compared += best[1]
        skipped += best[2]
    print(f"baselines: {rows} events, {compared} values")
    for reason, count in skipped.most_common():
        print(f"  {count} values not compared: {reason}")
