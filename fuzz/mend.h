// Checksums of a run file put right.
//
// A changed byte fails its checksum, and behind checksums nothing would ever be reached. Targets
// that read run files try each input twice: as it is, and mended.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Whatever is no run file, or is cut, is mended as far as it goes.
void mend_run_file(uint8_t *bytes, size_t size);
