println(10000||.0)
