open(".env", "w").write("x=1\n")
