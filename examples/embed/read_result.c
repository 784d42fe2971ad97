// Opens a result that `segue run -o` wrote and prints least and greatest value of every signal:
//     segue run -o out model.jl && read_result out/Model.segue
// Without an argument there is nothing to open, and that is not an error.
#include <segue/result.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("usage: read_result FILE\n");
        return 0;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *result;
    if (!diags || sg_result_open(NULL, argv[1], diags, &result) != SG_OK) {
        for (size_t i = 0; diags && i < sg_diags_count(diags); i++)
            fprintf(stderr, "%s\n", sg_diags_get(diags, i)->message);
        sg_diags_destroy(diags);
        return 1;
    }
    sg_result_info info = sg_result_describe(result);
    printf("%s: %llu points from %g s to %g s\n", info.model, (unsigned long long)info.n_points,
           info.start, info.stop);
    for (size_t i = 0; i < info.n_signals; i++) {
        const sg_signal *signal = sg_result_signal(result, i);
        for (uint32_t k = 0; k < sg_signal_count(signal); k++) {
            char name[256];
            sg_extent extent;
            sg_element_name(signal, k, name, sizeof name);
            if (sg_result_extent(result, i, k, &extent, diags) == SG_OK)
                printf("%-24s %12g %12g  %s\n", name, extent.min, extent.max, signal->unit);
        }
    }
    sg_result_destroy(result);
    sg_diags_destroy(diags);
    return 0;
}
