# Tries: a cell that never ends and catches what should end it
# Limits: cell_seconds=1, submission_seconds=60
# Told: ignored the interrupt
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
