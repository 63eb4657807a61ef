/* Minimal <endian.h>: the order of bytes, of x86-64. */
#pragma once
#include <byteswap.h>
#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define PDP_ENDIAN 3412
#define BYTE_ORDER LITTLE_ENDIAN
#define __LITTLE_ENDIAN LITTLE_ENDIAN
#define __BIG_ENDIAN BIG_ENDIAN
#define __BYTE_ORDER BYTE_ORDER
#define htobe16(v) bswap_16(v)
#define be16toh(v) bswap_16(v)
#define htole16(v) ((unsigned short)(v))
#define le16toh(v) ((unsigned short)(v))
#define htobe32(v) bswap_32(v)
#define be32toh(v) bswap_32(v)
#define htole32(v) ((unsigned int)(v))
#define le32toh(v) ((unsigned int)(v))
#define htobe64(v) bswap_64(v)
#define be64toh(v) bswap_64(v)
#define htole64(v) ((unsigned long)(v))
#define le64toh(v) ((unsigned long)(v))
