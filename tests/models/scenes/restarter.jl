# Beats: a component that ends the segment every `restart_period` seconds, which the including file sets before.
mutable struct Restarter
    next
    Restarter() = new(restart_period)
end
buildRestarter!(model, modelModule, FloatType, TimeType, options, ID, path) =
    (model | Model(beat = Var(hideResult = true), equations = :[beat = restartNow!(instantiatedModel, $ID, time)]), Restarter())
function initRestarter!(instantiatedModel, path, ID, parameters; log = false)
    if Modia.isFirstInitialOfAllSegments(instantiatedModel)
        Modia.get_instantiatedSubmodel(instantiatedModel, ID).next = restart_period
    end
    return nothing
end
function restartNow!(instantiatedModel, ID, time)
    r = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    if Modia.isEvent(instantiatedModel)
        if time >= r.next - 1e-9 && !Modia.isInitial(instantiatedModel)
            r.next = r.next + restart_period
            Modia.setFullRestartEvent!(instantiatedModel)
        else
            Modia.setNextEvent!(instantiatedModel, r.next)
        end
    end
    return 1.0
end
Beats = Model(_buildFunction = Par(functionName = :(buildRestarter!)), _initSegmentFunction = Par(functionName = :(initRestarter!)))
