// write_sample FOLDER: the sample result of the unit tests in every format, for other readers.
#include "result/load.h"
#include "result/sample_test.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static const sg_result_format formats[] = {SG_FORMAT_RUN, SG_FORMAT_JSON, SG_FORMAT_CSV,
                                               SG_FORMAT_MAT, SG_FORMAT_ARROW};
    if (argc != 2)
        return 1;
    sg_diags diags;
    sg_diags_init(&diags, sg_allocator_default());
    sg_result *result = sample_result(NULL, &diags);
    int failed = result == NULL;
    for (size_t i = 0; result && i < sizeof formats / sizeof *formats; i++) {
        char path[4096];
        sg_save_options options = {0};
        snprintf(path, sizeof path, "%s/sample%s", argv[1], sg_format_suffix(formats[i]));
        if (sg_result_save(result, path, formats[i], &options, &diags) != SG_OK) {
            fprintf(stderr, "%s was not written\n", path);
            failed = 1;
        }
    }
    sg_result_destroy(result);
    sg_diags_destroy(&diags);
    return failed;
}
