// Where the resources of an FMU lie: FMI 2 says it by a URI.
#pragma once

// The path of a file: URI (or a path, which many importers hand over), to be freed; null for
// another kind of URI, or without memory.
char *sg_adapter_path_of(const char *uri);
