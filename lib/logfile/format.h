/* Offsets of the on-disk structures of the container. Names are those of Microsoft's headers. */
#ifndef ETL_LOGFILE_FORMAT_H
#define ETL_LOGFILE_FORMAT_H

/* WMI_BUFFER_HEADER (ntwmi.h of phnt), 72 bytes for 32- and 64-bit writers alike. Before
   Windows 6.0 the sequence number stands where SavedOffset is now, and the words at BUFFER_FLAG and
   BUFFER_TYPE mean something else. */
enum {
    BUFFER_SIZE = 0x00,           /* u32 bytes on disk */
    BUFFER_SAVED_OFFSET = 0x04,   /* u32 */
    BUFFER_CURRENT_OFFSET = 0x08, /* u32, overshoots */
    BUFFER_TIMESTAMP = 0x10,      /* s64 */
    BUFFER_SEQUENCE = 0x18,       /* s64 */
    BUFFER_PROCESSOR = 0x28,      /* u16 index, or u8 number and u8 alignment */
    BUFFER_LOGGER_ID = 0x2A,      /* u16 */
    BUFFER_STATE = 0x2C,          /* u32; in the header buffer of a compressed log: the algorithm */
    BUFFER_OFFSET = 0x30,         /* u32 valid bytes, header included, after decompression */
    BUFFER_FLAG = 0x34,           /* u16 */
    BUFFER_TYPE = 0x36,           /* u16 */
    BUFFER_END = 0x48
};
/* Values that a header can have: WMI_BUFFER_HEADER of all Windows versions. */
enum { BUFFER_FLAGS_ALL = 0x7F, BUFFER_TYPE_COUNT = 8, BUFFER_STATE_COUNT = 8 };

/* SYSTEM_TRACE_HEADER of the first record (ntwmi.h). */
enum {
    FIRST_MARKER = 0x00,    /* u32: version, header type 1 (32-bit) or 2 (64-bit), flags 0xC0 */
    FIRST_SIZE = 0x04,      /* u16 */
    FIRST_HOOK = 0x06,      /* u16, 0 */
    FIRST_TIMESTAMP = 0x10, /* s64 */
    FIRST_PAYLOAD = 0x20
};

/* TRACE_LOGFILE_HEADER (evntrace.h): common part; what follows the two pointers moves with their
   size. */
enum {
    LOG_BUFFER_SIZE = 0x00,
    LOG_VERSION = 0x04, /* u8 major, minor, layout major, layout minor */
    LOG_BUILD = 0x08,
    LOG_PROCESSORS = 0x0C,
    LOG_END_TIME = 0x10,
    LOG_TIMER_RESOLUTION = 0x18,
    LOG_MAXIMUM_FILE_SIZE = 0x1C,
    LOG_MODE = 0x20,
    LOG_BUFFERS_WRITTEN = 0x24,
    LOG_START_BUFFERS = 0x28,
    LOG_POINTER_SIZE = 0x2C,
    LOG_EVENTS_LOST = 0x30,
    LOG_CPU_SPEED = 0x34,
    LOG_POINTERS = 0x38,
    TIME_ZONE_SIZE = 172,
    ZONE_BIAS = 0,
    ZONE_STANDARD_NAME = 4, /* wchar[32] */
    ZONE_STANDARD_BIAS = 84,
    ZONE_DAYLIGHT_NAME = 88, /* wchar[32] */
    ZONE_DAYLIGHT_BIAS = 168,
    ZONE_NAME_UNITS = 32
};

/* Algorithm ids in the State word of the header buffer of a compressed log. */
enum { COMPRESSION_LZNT1 = 2, COMPRESSION_XPRESS = 3, COMPRESSION_XPRESS_HUFFMAN = 4 };

/* TRACE_LOGFILE_HEADER.LogFileMode, the bits that change how a file is read. */
enum {
    MODE_CIRCULAR = 0x2,
    MODE_APPEND = 0x4,
    MODE_PRIVATE_LOGGER = 0x800,
    MODE_RELOG = 0x10000,
    MODE_PRIVATE_IN_PROC = 0x20000,
    MODE_COMPRESSED = 0x04000000
};

#endif
