/* Minimal <arpa/inet.h>: numbers in the order of networks. */
#pragma once
#include <byteswap.h>
#include <stdint.h>
#define htons(v) bswap_16(v)
#define ntohs(v) bswap_16(v)
#define htonl(v) bswap_32(v)
#define ntohl(v) bswap_32(v)
