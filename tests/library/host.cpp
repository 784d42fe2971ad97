// The same in C++.
#include "run.h"

#include <segue/version.h>

#include <string>

int main()
{
    return std::string(sg_version(nullptr, nullptr, nullptr)) != SG_VERSION_TEXT || run_decay("IDA");
}
