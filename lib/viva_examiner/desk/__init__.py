"""The desk: one web application for a TA's evening, as an extension of jupyter_server.

`app` is the extension, `handlers` what every page shares, `layout` the templates,
`remembered` what is kept between two looks, and `rooms` the pages: a room is one module and its
template. What a page says is computed by the packages below; the desk only shows it. Imports
everything but demo and cli.
"""


def _jupyter_server_extension_points() -> list[dict]:
    """What jupyter_server asks a package that it is told to load."""
    from viva_examiner.desk.app import Desk

    return [{"module": "viva_examiner.desk.app", "app": Desk}]
