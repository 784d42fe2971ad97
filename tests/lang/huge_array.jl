# An array that cannot exist is refused at once.
zeros(10^14)    # expect error E0004
