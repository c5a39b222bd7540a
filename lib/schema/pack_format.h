/* pack_format: bytes of a pack, for its writer and its reader. All numbers are little-endian.

   Header:
      0  8  magic "ETLPACK\n"
      8  u32 version
     12  u32 providers
     16  u32 names
     20  u32 hooks
     24  u64 bytes of the strings
     32  u64 bytes of the file
     40  u64 XXH3 of the index: everything from the header's end to the first section
     48  u64 zero
     56  u64 XXH3 of the header before this field
   Index: the provider entries, name entries, hook entries, strings. A string is given by its offset
   in the strings.
     provider  16 GUID, u64 offset of the section, u32 bytes stored, u32 bytes unpacked,
               u64 XXH3 of the stored bytes
     name      16 GUID, u32 string
     hook      u8 group, u8 type, u16 zero, u32 group name, u32 name, 16 GUID

   Section, unpacked; a string is given by its offset + 1, 0 is none:
     u32 provider name, u32 bytes of strings, u32 maps, u32 layouts, u32 schemas
     strings
     map       u32 name, u32 kind, u32 entries, then entries of u64 value, u32 text
     layout    u16 properties, u16 top-level ones, then the properties:
               u32 name, u16 in-type, u16 out-type, u16 flags, u16 struct start, u16 members,
               u16 count, u16 length, u32 map + 1
     schema    u16 id, u8 version, u8 opcode, u8 level, u8 channel, u8 classic, u8 zero, u16 task,
               u16 first build, u16 last build, u16 zero, u64 keyword, u32 provider name, event,
               task, opcode, level, channel, keyword names, u32 layout + 1 */
#ifndef ETL_SCHEMA_PACK_FORMAT_H
#define ETL_SCHEMA_PACK_FORMAT_H

#define ETL_PACK_MAGIC "ETLPACK\n"

enum {
    ETL_PACK_VERSION = 1,
    ETL_PACK_HEADER_SIZE = 64,
    ETL_PACK_PROVIDER_SIZE = 40,
    ETL_PACK_NAME_SIZE = 20,
    ETL_PACK_HOOK_SIZE = 28,
    ETL_PACK_SECTION_HEADER_SIZE = 20,
    ETL_PACK_MAP_SIZE = 12,
    ETL_PACK_ENTRY_SIZE = 12,
    ETL_PACK_LAYOUT_SIZE = 4,
    ETL_PACK_PROPERTY_SIZE = 22,
    ETL_PACK_SCHEMA_SIZE = 56,
    ETL_PACK_SECTION_MAX = 64 << 20 /* bytes of a section, unpacked */
};

#endif
