// What travels between a process and its helper. Packets keep their bounds (SOCK_SEQPACKET), so a
// helper that is killed in the middle of one leaves a whole one or none.
//
// Two pairs of sockets: bytes go through the first, to and from the process that serves a request.
// On the second the helper itself says how that process ended; whoever serves does not have it, so
// it cannot pretend its own end and answer the next request as well.
#pragma once

#include "segue/helper.h"

#include <stdint.h>
#include <sys/types.h>

typedef enum sg_packet_kind {
    SG_PACKET_BEGIN = 1, // of a request: its length; always the first packet of it
    SG_PACKET_BYTES,     // of a request or an answer
    SG_PACKET_STATUS,    // end of an answer: what `serve` returned
} sg_packet_kind;

enum { SG_PACKET_BYTES_MOST = 32768 };

typedef struct sg_packet {
    uint32_t kind;   // sg_packet_kind
    uint32_t status; // of SG_PACKET_STATUS
    uint64_t length; // of SG_PACKET_BEGIN: the whole request; else of `bytes`
    char bytes[SG_PACKET_BYTES_MOST];
} sg_packet;

#define SG_PACKET_HEAD offsetof(sg_packet, bytes)

// How a request ended, on the second pair.
typedef enum sg_end_kind { SG_END_EXIT = 1, SG_END_SIGNAL, SG_END_TIME, SG_END_FORK } sg_end_kind;

typedef struct sg_end {
    uint32_t kind;   // sg_end_kind
    uint32_t number; // exit status, or signal
} sg_end;

// False where the other side is gone.
bool sg_packet_send(int fd, const sg_packet *packet);
// The length of a packet, 0 where the other side is gone, -1 with errno set.
ssize_t sg_packet_receive(int fd, sg_packet *packet);

// What a request begins with: the helper itself reads this much and nothing else.
typedef struct sg_packet_head {
    uint32_t kind, status;
    uint64_t length;
} sg_packet_head;

// The life of the helper process; does not return.
_Noreturn void sg_helper_live(const sg_helper_service *service, int data, int control);
