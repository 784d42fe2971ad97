# The signal, electrical and rotational models in one go. Translational and HeatTransfer are
# included on their own where they are needed.

include("Blocks.jl")
include("Electric.jl")
include("Rotational.jl")
