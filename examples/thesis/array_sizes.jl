# Arrays whose sizes change after translation (thesis, chapter 9).
#
# Shows: array equations as one symbol, static and dynamic arrays, new sizes by merge.
# Expect: both systems decay; the second run has five states instead of four.
module ArraySizes

using Modia

LinearODEs = Model(
    # static: the size is part of the model
    A1 = parameter | SMatrix{2,2}([-1.0  0.0
                                    0.0 -2.0]),
    y1 = Var(init = SVector{2}(1.0, 2.0)),
    # dynamic: the size belongs to the values
    A2 = parameter | [-1.0  0.0
                       0.0 -2.0],
    y2 = Var(init = [1.0, 2.0]),
    equations = :[
        der(y1) = A1*y1
        der(y2) = A2*y2
    ]
)

linearODEs = @instantiateModel(LinearODEs)
decay(x0, rates, t) = [x0[i]*exp(-rates[i]*t) for i in 1:length(x0)]

simulate!(linearODEs, stopTime = 2,
          requiredFinalStates = [decay([1.0, 2.0], [1, 2], 2); decay([1.0, 2.0], [1, 2], 2)])

simulate!(linearODEs, stopTime = 2,
          merge = Map(A2 = [-1.0  0.0  0.0
                             0.0 -2.0  0.0
                             0.0  0.0 -3.0],
                      y2 = [1.1, 2.1, 3.1]),
          requiredFinalStates = [decay([1.0, 2.0], [1, 2], 2); decay([1.1, 2.1, 3.1], [1, 2, 3], 2)])

end
