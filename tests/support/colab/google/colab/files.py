"""Files between the session and the browser."""


def download(filename):
    """The browser would save the file; here it is told."""
    open(filename, "rb").close()  # as there: an error if it is not there
    print(f"downloads {filename}")
