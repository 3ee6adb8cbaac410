"""A slip of the course's authors, told in one sentence instead of a traceback."""

from viva.seam import is_staff_fault


def authors_slip(error: Exception) -> str:
    """What is wrong in the course's own files, in one sentence with its place; else empty."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}: {error.msg} ({(error.text or '').strip()})"
    return str(error) if is_staff_fault(error) else ""
