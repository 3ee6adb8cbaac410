"""What `make lab` serves beside JupyterLab and formgrader: the desk, at /desk.

The Makefile names this folder in $JUPYTER_CONFIG_PATH, since Jupyter reads no configuration of the
folder that it is started in.
"""
c = get_config()
c.ServerApp.jpserver_extensions = {"viva_examiner.desk": True}
