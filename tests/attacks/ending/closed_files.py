# Tries: to close every file it has
# Told: left with exit code
import os
os.closerange(0, 256)
