"""What TraceEvent printed for whole traces, against our columns, field by field.

TraceEvent has names of its own and computes some values. The tables below say so for each field:
RENAMED, DERIVED (computed here in the same way, from our columns), ABSENT (printed although the
event has no such field) and SKIPPED. A field that is in no table and no column is a failure."""
import collections
import datetime
import json
import re

from oracle import IMAGE_GUID, group_guids

# Field of TraceEvent -> our columns, the first that exists; of all events.
RENAMED = {
    "CPUSpeed": ["CpuSpeedInMHz"],
    "FileAttributes": ["CreateAttributes"],
    "FileKey": ["FileObject"],
    "GuidSig": ["PdbGuid", "GuidSig"],
    "IrpPtr": ["Irp"],
    "MaxFileSize": ["MaximumFileSize"],
    "PDBFileName": ["PdbName", "PdbFileName"],
    "PageDirectoryBase": ["DirectoryTableBase"],
    "Promoted": ["Bytes"],
    "SampleSource": ["Source"],
    "SessionName": ["SessionNameString", "SessionName"],
    "SystemWindowsDirectory": ["WindowsDirectory", "SystemWindowsDirectory"],
    "UtcOffsetMinutes": ["Bias"],
    "Value": ["Volume", "NtPath"],
}
# (event, field) -> our column
RENAMED_IN = {
    ("EventTrace", "LogFileName"): "LogFileNameString",  # LogFileName is a pointer
    ("Process/PerfCtr", "MemoryCount"): "PageFaultCount",
    ("Process/PerfCtrRundown", "MemoryCount"): "PageFaultCount",
    ("Thread/Start", "StartAddr"): "Affinity",  # version 3 has Affinity in this place
    ("Thread/Stop", "StartAddr"): "Affinity",
}

OF_TRACELOG = "TraceLog's own bookkeeping, not in the payload"
MISREAD = "TraceEvent reads other bytes than the field has"
# (event, field) -> why it is not compared
SKIPPED = {
    ("GC/HeapStats", "Depth"): OF_TRACELOG,
    ("SystemConfig/Services", "ProcessName"): "the name that TraceLog gives the process",
    ("ImageID", "ProcessID"): MISREAD + "; the pid of the record is compared",
    ("UdpIp/Recv", "dsize"): MISREAD,
    ("UdpIp/Send", "dsize"): MISREAD,
}

# (raw key, field) -> what TraceEvent prints for a field that this version of the event lacks
CLR = "evt:e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"
PRIVATE = "evt:763fd754-7086-4dfe-95eb-c01a46faf4ca"
ABSENT = {
    (CLR + "/1/v1/op1", "ClientSequenceNumber"): "0",
    (CLR + "/10/v3/op11", "ObjectSize"): "0",
    (CLR + "/4/v1/op133", "GenerationSize4"): "0",
    (CLR + "/4/v1/op133", "TotalPromotedSize4"): "0",
    (CLR + "/143/v1/op37", "ReJITID"): "0",
    (CLR + "/143/v1/op37", "OptimizationTier"): "Unknown",
    (CLR + "/144/v1/op38", "ReJITID"): "0",
    (CLR + "/144/v1/op38", "OptimizationTier"): "Unknown",
    (CLR + "/204/v3/op204", "ConcurrentCompactMechanisms"): "",
    (CLR + "/204/v3/op204", "MemoryPressure"): "",
    ("sys:0x05/1/v3", "ThreadName"): "",
    ("sys:0x05/2/v3", "ThreadName"): "",
    ("sys:0x05/2/v3", "ParentProcessID"): "-1",
    ("sys:0x05/2/v3", "ParentThreadID"): "-1",
}
ABSENT.update({(PRIVATE + "/5/v1/op18", field): "" for field in (
    "PauseMode", "MemoryPressure", "CondemnReasons0", "CondemnReasons1", "Count")})
ABSENT.update({(PRIVATE + "/4/v2/op17", field): "" for field in (
    "FreeListAllocated", "FreeListRejected", "EndOfSegAllocated", "CondemnedAllocated",
    "PinnedAllocated", "PinnedAllocatedAdvance", "RunningFreeListEfficiency",
    "ConcurrentCompactMechanisms", "Count")})

# Names where our schema has no map or another name: (event, field) -> value -> name.
VALUES = {
    ("GC/CreateSegment", "Type"): {3: "PinnedObjectHeap"},
    ("GC/FitBucketInfo", "BucketKind"): {1: "PlugsInCondemned"},
    ("GC/GlobalHeapHistory", "PauseMode"): {1: "Interactive"},
    ("NgenBinder/NgenBind", "ReasonCode"): {0: "START_BIND", 9: "REJECT_IL_SIG"},
    # the top bit says that a mechanism is set; the lowest other one is its number
    ("GC/PerHeapHistory", "CompactMechanisms"): {
        0: "not_specified", 0x80000002: "compact_high_frag", 0x80000008: "compact_loh_forced"},
    ("GC/PerHeapHistory", "ExpandMechanisms"): {0: "not_specified"},
}
# The same for masks: mask -> name, in the order of printing.
IRP_FLAGS = {1: "Nocache", 2: "MountCompletion"}
BITS = {
    ("GC/GlobalHeapHistory", "GlobalMechanisms"): {
        1: "Concurrent", 2: "Compaction", 4: "Promotion", 8: "Demotion", 16: "CardBundles"},
    ("GC/SettingsRundown", "BitSettings"): {1: "GCSettingsConcurrent"},
    ("Loader/AssemblyDCStop", "AssemblyFlags"): {16: "ReadyToRun"},
    ("Loader/DomainModuleDCStop", "ModuleFlags"): {8: "Manifest", 32: "ReadyToRunModule"},
    ("Loader/ModuleDCStop", "ModuleFlags"): {8: "Manifest", 32: "ReadyToRunModule"},
    ("TieredCompilationRundown/SettingsDCStart", "Flags"): {1: "QuickJit", 2: "QuickJitForLoops"},
    ("DiskIO/Read", "IrpFlags"): IRP_FLAGS,
    ("DiskIO/Write", "IrpFlags"): IRP_FLAGS,
    ("Create", "ShareAccess"): {3: "ReadWrite", 4: "Delete"},
    ("Create", "CreateOptions"): {32: "FILE_ATTRIBUTE_ARCHIVE"},
}
# (event, field) -> bits of our value that TraceEvent shows in this field
PART = {
    ("Create", "CreateOptions"): 0xFFFFFF,  # the rest is the disposition
    ("DiskIO/Read", "IrpFlags"): 0xFFFF,  # the rest is the priority
    ("DiskIO/Write", "IrpFlags"): 0xFFFF,
    ("DiskIO/FlushBuffers", "IrpFlags"): 0xFFFF,
}
IO_PRIORITIES = ("Notset", "Verylow", "Low", "Normal", "High", "Critical")
DISPOSITIONS = {1: "OPEN_EXISTING"}

# Kernel paths that TraceEvent rewrites; in all other fields paths stand as they are.
PATHS = {"FileName"}
# Where pid and tid stand when the record header has none, or those of another process.
IDS_OF_PAYLOAD = ("ProcessId", "PID"), ("TThreadId", "ThreadId", "IssuingThreadId")
# TraceEvent shows HighResResponseTime as thread id here.
IDS_MISREAD = {("DiskIO/FlushBuffers", "tid")}


class Trace:
    """A converted file, and what values are derived from."""

    def __init__(self, db, start_time):
        self.db = db
        self.start_time = start_time
        self.source = db.execute("SELECT frequency, first_raw_time FROM source").fetchone()
        self.first_ts = db.execute("SELECT ts FROM event WHERE raw_time=?",
                                   (self.source["first_raw_time"],)).fetchone()["ts"]
        self.volumes = [(row["NtPath"], row["DosPath"]) for row in
                        self.rows("SystemConfigEx_VolumeMapping", "NtPath, DosPath") if
                        row["NtPath"].startswith("\\") and len(row["NtPath"]) > 2]
        self.names = {row["FileObject"]: row["FileName"] for table in
                      ("FileIo_FileCreate", "FileIo_FileDelete", "FileIo_FileRundown")
                      for row in self.rows(table, "FileObject, FileName")}
        self.maps = collections.defaultdict(list)
        for row in db.execute("SELECT * FROM map_value ORDER BY value"):
            self.maps[row["event_type_id"], row["column_name"]].append(row)
        self.types = {row["name"]: row["id"] for row in
                      db.execute("SELECT id, name FROM event_type")}
        self.disk_ends = collections.defaultdict(list)
        for kind in ("Read", "Write"):
            for row in self.rows("DiskIo_" + kind, "DiskNumber, raw_time"):
                self.disk_ends[row["DiskNumber"]].append(row["raw_time"])
        self.type_names = {}
        for row in self.rows("Microsoft_Windows_DotNETRuntime_15", "process_id, [Values]"):
            for item in json.loads(row["Values"]):
                self.type_names[row["process_id"], item["TypeID"]] = item["Name"]

    def rows(self, name, columns):
        """Columns (also of the header) of all events of a type."""
        found = self.db.execute("SELECT table_name FROM event_type WHERE name=?",
                                (name,)).fetchone()
        if found is None or found["table_name"] is None:
            return []
        return self.db.execute(f'SELECT {columns} FROM "{found["table_name"]}" d JOIN event e ON'
                               " e.id=d.event_id").fetchall()

    def path(self, path):
        """With drive letters, by the mapping that the trace itself holds."""
        for kernel, user in self.volumes:
            if path.lower().startswith(kernel.lower()):
                return user + path[len(kernel):]
        if path.startswith("\\Windows\\"):
            return "C:" + path  # relative to the volume of the system
        return path

    def milliseconds(self, ticks):
        """With three digits, halves rounded up."""
        microseconds = (ticks * 2 * 10**6 // self.source["frequency"] + 1) // 2
        return f"{microseconds // 1000:,}.{microseconds % 1000:03}"


def irp_priority(trace, event, data):
    return IO_PRIORITIES[data["IrpFlags"] >> 17 & 7]


def response_time(trace, event, data):
    return trace.milliseconds(data["HighResResponseTime"])


def service_time(trace, event, data):
    """From the end of the disk's previous operation, if that was after the begin of this one."""
    before = [end for end in trace.disk_ends[data["DiskNumber"]] if end < event["raw_time"]]
    begin = max([event["raw_time"] - data["HighResResponseTime"]] + before)
    return trace.milliseconds(event["raw_time"] - begin)


def file_name(trace, event, data):
    return trace.path(trace.names.get(data["FileObject"], ""))


def build_time(trace, event, data):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=data["TimeDateStamp"])
    return moment.strftime("%y/%m/%d %H:%M:%S.%f")


def total(pattern):
    return lambda trace, event, data: sum(
        data[column] or 0 for column in data.keys() if re.fullmatch(pattern, column))


def type_name(trace, event, data):
    return trace.type_names.get((event["process_id"], data["TypeID"]), "")


def first_type(member):
    return lambda trace, event, data: json.loads(data["Values"])[0][member]


# (event, field) -> what TraceEvent must print: a text, or a number for any notation of it
DERIVED = {
    ("*", "BuildTime"): build_time,
    ("*", "ModuleILFileName"): lambda trace, event, data:
        data["ModuleILPath"].split("\\")[-1],
    ("DiskIO/Read", "Priority"): irp_priority,
    ("DiskIO/Write", "Priority"): irp_priority,
    ("DiskIO/Read", "ElapsedTimeMSec"): response_time,
    ("DiskIO/Write", "ElapsedTimeMSec"): response_time,
    ("DiskIO/FlushBuffers", "ElapsedTimeMSec"): response_time,
    ("DiskIO/Read", "DiskServiceTimeMSec"): service_time,
    ("DiskIO/Write", "DiskServiceTimeMSec"): service_time,
    ("DiskIO/Read", "FileName"): file_name,
    ("DiskIO/Write", "FileName"): file_name,
    ("Memory/HardFault", "FileName"): file_name,
    ("Memory/HardFault", "ElapsedTimeMSec"): lambda trace, event, data:
        trace.milliseconds(event["raw_time"] - data["InitialTime"]),
    ("Create", "CreateDisposition"): lambda trace, event, data:
        DISPOSITIONS[data["CreateOptions"] >> 24],
    ("GC/HeapStats", "TotalHeapSize"): total(r"GenerationSize\d"),
    ("GC/HeapStats", "TotalPromoted"): total(r"TotalPromotedSize\d"),
    ("GC/FinalizeObject", "TypeName"): type_name,
    ("Type/BulkType", "TypeID_0"): first_type("TypeID"),
    ("Type/BulkType", "TypeName_0"): first_type("Name"),
    ("ManifestData", "PayloadLength"): lambda trace, event, data:
        8 + len(data["Data"].encode()),  # with the fields in front
    ("PerfInfo/Sample", "ProcessorNumber"): lambda trace, event, data: event["cpu"],
    ("PerfInfo/Sample", "ExecutingDPC"): lambda trace, event, data: str(bool(data["Reserved"] & 1)),
    ("PerfInfo/Sample", "ExecutingISR"): lambda trace, event, data: str(bool(data["Reserved"] & 2)),
    ("PerfInfo/Sample", "Priority"): lambda trace, event, data: data["Reserved"] >> 3 & 31,
    ("PerfInfo/Sample", "Rank"): lambda trace, event, data: data["Reserved"] >> 8,
    ("Thread/Start", "ParentProcessID"): lambda trace, event, data: event["process_id"],
    ("Thread/Start", "ParentThreadID"): lambda trace, event, data: event["thread_id"],
    # eight bytes at the place of PID and size
    ("UdpIp/Recv", "context"): lambda trace, event, data: data["size"] << 32 | data["PID"],
    ("UdpIp/Send", "context"): lambda trace, event, data: data["size"] << 32 | data["PID"],
}


def same_text(want, cut, have):
    return have.startswith(want) if cut else have == want


def same_number(want, cut, have):
    """A printed number: with separators or in hex, signed or not."""
    if cut:
        return f"{have:,}".startswith(want) or f"{have & (1 << 64) - 1:,}".startswith(want)
    plain = want.replace(",", "")
    if re.fullmatch(r"-?\d+", plain):
        value = int(plain)
    elif re.fullmatch(r"0x[0-9a-f]+", plain):
        value = int(plain, 16)
    else:
        return False
    signed = have - (1 << 32) if 1 << 31 <= have < 1 << 32 else have
    return value in (have, signed, have + (1 << 64) if have < 0 else have)


def filetime_text(value):
    """Truncated to microseconds."""
    moment = datetime.datetime(1601, 1, 1) + datetime.timedelta(microseconds=value // 10)
    return moment.strftime("%y/%m/%d %H:%M:%S.%f")


def squeeze(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def names_of(trace, key, event, column, value):
    """Names that stand for a value; by the maps of the database, or by the tables above."""
    result = []
    rows = trace.maps[trace.types[event["name"]], column]
    result.extend(row["text"] for row in rows if row["kind"] == "value" and row["value"] == value)
    bits = [row["text"] for row in rows if row["kind"] == "bits" and row["value"]
            and value & row["value"] == row["value"]]
    result.append(", ".join(bits))
    result.append(VALUES.get(key, {}).get(value, ""))
    result.append(", ".join(name for mask, name in BITS.get(key, {}).items()
                            if value & mask == mask))
    if value == 0:
        result.append("None")
    return [squeeze(text) for text in result if text]


def same(trace, key, event, column, want, cut, have):
    """Whether TraceEvent's text stands for our value."""
    if isinstance(have, bytes):
        return same_text(want.replace("-", "").lower(), cut, have.hex())
    if isinstance(have, float):
        try:
            return abs(float(want.replace(",", "")) - have) <= 1e-5 * max(1.0, abs(have))
        except ValueError:
            return False
    if isinstance(have, int):
        have &= PART.get(key, -1)
        if re.match(r"-?\d[\d,]*$|0x[0-9a-f]+$", want):
            return same_number(want, cut, have)
        if want in ("True", "False"):
            return have == (want == "True")
        if re.match(r"\d\d/\d\d/\d\d ", want):
            return same_text(want, cut, filetime_text(have))
        return any(same_text(squeeze(want), cut, name)
                   for name in names_of(trace, key, event, column, have))
    if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z?", have) and re.match(r"\d\d/\d\d/\d\d ", want):
        # TraceEvent takes a wrong fraction of a SYSTEMTIME: compared to the second.
        return have[2:19].replace("-", "/").replace("T", " ") == want[:17]
    if key[1] == "char_type":
        return want == str(ord(have))
    if want.startswith("[") and column == "Address":
        return same_text(want, cut, f"[{have}]:0")
    if column == "Address":
        return same_text(want, cut, f"{have}:0")
    return same_text(want, cut, trace.path(have) if key[1] in PATHS else have)


def column_of(key, data):
    """Name of our column for a field of TraceEvent, or None."""
    keys = {name.lower(): name for name in data.keys()}
    names = [RENAMED_IN[key]] if key in RENAMED_IN else [key[1]] + RENAMED.get(key[1], [])
    return next((keys[name.lower()] for name in names if name.lower() in keys), None)


class Result:
    def __init__(self):
        self.problems = []
        self.counts = collections.Counter()
        self.skipped = collections.Counter()


def compare_fields(trace, row, event, data, result):
    for field, want, cut in json.loads(row["fields"]):
        key = (row["event"], field)
        shown = f"{want!r}{'...' if cut else ''}"
        if key in SKIPPED:
            result.skipped[SKIPPED[key]] += 1
            continue
        derive = DERIVED.get(key) or DERIVED.get(("*", field))
        if data is None:
            result.problems.append(f"{field} is {shown}, no row in the data table")
        elif (row["raw_key"], field) in ABSENT:
            column = column_of(key, data)
            have = None if column is None else data[column]
            result.counts["absent"] += 1
            if have is not None or want != ABSENT[row["raw_key"], field]:
                result.problems.append(f"{field}: {have!r} should be absent, oracle {shown}")
        elif derive:
            have = derive(trace, event, data)
            equal = same_text(want, cut, have) if isinstance(have, str) else same_number(
                want, cut, have)
            result.counts["derived"] += 1
            if not equal:
                result.problems.append(f"{field}: derived {have!r}, oracle {shown}")
        else:
            column = column_of(key, data)
            have = None if column is None else data[column]
            result.counts["compared"] += 1
            if have is None or not same(trace, key, event, column, want, cut, have):
                result.problems.append(f"{field}: column {column} {have!r}, oracle {shown}")


def compare_header(trace, row, event, data, result):
    """Time, processor and ids; TraceEvent's ids can come from the payload (remark)."""
    delta = (event["raw_time"] - trace.source["first_raw_time"]) * 10**7
    filetime = trace.start_time + delta // trace.source["frequency"]
    if event["ts"] != (filetime - 116444736000000000) * 100:
        result.problems.append(f"ts {event['ts']}")
    # rel_ms has three digits
    if abs((event["ts"] - trace.first_ts) / 1e6 - float(row["rel_ms"].replace(",", ""))) > 0.00065:
        result.problems.append(f"ts {event['ts']}, oracle {row['rel_ms']} ms")
    if str(event["cpu"]) != row["proc"]:
        result.problems.append(f"cpu {event['cpu']}, oracle {row['proc']}")
    ids = [event["process_id"], event["thread_id"]]
    header = re.fullmatch(r"header pid=(\d+) tid=(\d+)", row["remark"])
    if row["remark"].startswith("record has no pid/tid"):
        wanted = [None, None]
    elif header:
        wanted = [int(header[1]), int(header[2])]
    else:
        wanted = [None if row[name] == "-1" else int(row[name]) for name in ("pid", "tid")]
    if ids != wanted:
        result.problems.append(f"pid and tid {ids}, oracle {wanted}")
    result.counts["of headers"] += 5
    if data is None or not (header or wanted == [None, None]):
        return
    for name, columns in zip(("pid", "tid"), IDS_OF_PAYLOAD):
        column = next((c for c in columns if c in data.keys()), None)
        if column is None or row[name] == "-1" or (row["event"], name) in IDS_MISREAD:
            continue
        result.counts["ids of payloads"] += 1
        if data[column] != int(row[name]):
            result.problems.append(f"{name}: column {column} {data[column]}, oracle {row[name]}")


def parse_key(raw_key, guids):
    """(guid, id or class type, version, opcode) of a raw key; version and opcode can be None."""
    event = re.fullmatch(r"evt:([0-9a-f-]+)/(\d+)(?:/v(\d+)/op(\d+))?", raw_key)
    if event:
        return ("event", event[1], int(event[2])) + tuple(
            None if part is None else int(part) for part in event.groups()[2:])
    classic = re.fullmatch(r"mof:([0-9a-f-]+)/(\d+)(?:/v(\d+))?", raw_key)
    if classic:
        guid, kind, version = classic.groups()
    else:
        group, kind, version = re.fullmatch(r"(?:sys|perf|hook):0x([0-9a-f]+)/(\d+)(?:/v(\d+))?",
                                            raw_key).groups()
        group = int(group, 16)
        guid = IMAGE_GUID if (group, int(kind)) == (3, 10) else guids[group]
    return ("classic", guid, int(kind), None if version is None else int(version), None)


def candidates(db, row, guids):
    """Ids of the events with the time and the key of an oracle row."""
    kind, guid, number, version, opcode = parse_key(row["raw_key"], guids)
    ids = []
    for event in db.execute("SELECT e.id, e.version, e.opcode, t.event_id, t.kind, p.guid"
                            " FROM event e JOIN event_type t ON t.id=e.event_type_id"
                            " JOIN provider p ON p.id=t.provider_id WHERE e.raw_time=?",
                            (int(row["raw_timestamp"]),)):
        if event["guid"] != guid or event["version"] != version:
            continue
        if kind == "classic" and event["kind"] == "classic" and event["opcode"] == number:
            ids.append(event["id"])
        if (kind == "event" and event["kind"] != "classic" and event["event_id"] == number
                and event["opcode"] == opcode):
            ids.append(event["id"])
    return ids


def load(db, event_id):
    event = db.execute("SELECT e.*, t.name, t.table_name FROM event e JOIN event_type t ON"
                       " t.id=e.event_type_id WHERE e.id=?", (event_id,)).fetchone()
    if not event["table_name"]:
        return event, None
    return event, db.execute(f'SELECT * FROM "{event["table_name"]}" WHERE event_id=?',
                             (event_id,)).fetchone()


def compare_count(db, row, guids):
    """Number of our events with the key of a COUNT row; the version does not matter."""
    kind, guid, number = parse_key(row["raw_key"], guids)[:3]
    where = "t.kind='classic' AND e.opcode=?" if kind == "classic" else (
        "t.kind<>'classic' AND t.event_id=?")
    return db.execute("SELECT count(*) FROM event e JOIN event_type t ON t.id=e.event_type_id JOIN"
                      f" provider p ON p.id=t.provider_id WHERE p.guid=? AND {where}",
                      (guid, number)).fetchone()[0]


def suite(dbs, table, _view_rows, fail):
    guids = group_guids()
    starts = {row["file"]: int(row["start_time"]) for row in table("counts.tsv")
              if row["start_time"]}
    totals = Result()
    events = counts = 0
    traces, used = {}, set()
    for row in table("perfview-baselines.tsv"):
        db = dbs.get(row["file"])
        if db is None:
            continue
        where = f"{row['file']}:{row['line']} {row['event']}"
        if row["kind"] == "COUNT":
            counts += 1
            count = compare_count(db, row, guids)
            if count != int(row["raw_count"]):
                fail(f"{where}: {count} events, oracle {row['raw_count']}")
            continue
        if row["file"] not in traces:
            db.execute("CREATE INDEX IF NOT EXISTS temp_raw_time ON event(raw_time)")
            traces[row["file"]] = Trace(db, starts[row["file"]])
        best = None
        for event_id in candidates(db, row, guids):
            if (row["file"], event_id) in used:
                continue  # every row is a record of its own
            result = Result()
            event, data = load(db, event_id)
            compare_header(traces[row["file"]], row, event, data, result)
            compare_fields(traces[row["file"]], row, event, data, result)
            if best is None or len(result.problems) < len(best[1].problems):
                best = (event_id, result)
        if best is None:
            fail(f"{where}: no event at {row['raw_timestamp']}")
            continue
        events += 1
        used.add((row["file"], best[0]))
        for problem in best[1].problems:
            fail(f"{where}: {problem}")
        totals.counts += best[1].counts
        totals.skipped += best[1].skipped
    if events != 563 or counts != 185:
        fail(f"{events} events and {counts} counts compared, there are 563 and 185")
    print(f"baselines: {events} events, {counts} counts of events")
    for kind, count in totals.counts.most_common():
        print(f"  {count} values {kind}")
    for reason, count in totals.skipped.most_common():
        print(f"  {count} values skipped: {reason}")
