/* Minimal <netinet/in.h>: numbers in the order of networks. */
#pragma once
#include <arpa/inet.h>
