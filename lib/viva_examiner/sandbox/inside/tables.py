"""pandas' tables as plain data: columns of numbers, of times, of categories or of plain values.

Used on both sides of the sandbox; pandas is imported only where such a table arrives. What does not
fit (a time zone, intervals, a class derived from DataFrame) is not written, and stays a stand-in.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from viva import plain

NULLABLE = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32",
            "Float64", "boolean")


def writer(value: Any) -> Callable[[Any], dict] | None:
    """How a value of pandas is written; None if it is not."""
    import pandas as pd

    return {pd.DataFrame: _write_frame, pd.Series: _write_series, pd.Timestamp: _write_timestamp,
            pd.Timedelta: lambda v: {"t": "pandas", "is": "Timedelta", "v": v.value},
            type(pd.NaT): lambda v: {"t": "pandas", "is": "NaT"},
            type(pd.NA): lambda v: {"t": "pandas", "is": "NA"}}.get(type(value)) or (
        _write_an_index if isinstance(value, pd.Index) else None)


def _write_timestamp(value: Any) -> dict:
    if value.tz is not None:
        raise TypeError("a time zone")
    return {"t": "pandas", "is": "Timestamp", "v": value.value}


def _write_frame(value: Any) -> dict:
    return {"t": "pandas", "is": "DataFrame", "columns": _index(value.columns),
            "index": _index(value.index),
            "v": [_column(value.iloc[:, i]) for i in range(value.shape[1])]}


def _write_series(value: Any) -> dict:
    return {"t": "pandas", "is": "Series", "index": _index(value.index), "name": value.name,
            "v": _column(value)}


def _write_an_index(value: Any) -> dict:
    return {"t": "pandas", "is": "Index", "v": _index(value)}


def _index(index: Any) -> dict:
    import pandas as pd

    if isinstance(index, pd.RangeIndex):
        return {"is": "range", "v": [index.start, index.stop, index.step], "name": index.name}
    if isinstance(index, pd.MultiIndex):
        return {"is": "many", "levels": [_index(level) for level in index.levels],
                "codes": [np.asarray(codes, np.int64) for codes in index.codes],
                "names": list(index.names)}
    freq = getattr(index, "freqstr", None)
    return {"is": "one", "v": _column(index), "name": index.name, "freq": freq}


def _column(series: Any) -> dict:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        cat = series.cat if isinstance(series, pd.Series) else series
        return {"is": "category", "codes": np.asarray(cat.codes, np.int64),
                "categories": _index(dtype.categories), "ordered": bool(dtype.ordered)}
    if isinstance(dtype, np.dtype) and dtype.kind in "biufc":
        return {"is": "numbers", "v": np.asarray(series)}
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return {"is": "times", "v": np.asarray(series).view(np.int64), "dtype": dtype.str}
    if str(dtype) in NULLABLE:
        gone = np.asarray(series.isna())
        return {"is": "nullable", "v": np.asarray(series.fillna(0)).astype(dtype.numpy_dtype),
                "gone": gone, "dtype": str(dtype)}
    if str(dtype) == "object" or isinstance(dtype, pd.StringDtype):
        values = [_scalar(value) for value in series.tolist()]
        return {"is": "objects", "v": values, "dtype": str(dtype)}
    raise TypeError(f"a column of {dtype}")


def _scalar(value: Any) -> Any:
    """A value of a column of objects; what pandas has of its own is wrapped."""
    import pandas as pd

    if value is pd.NA:
        return {"pandas": "NA"}
    if value is pd.NaT:
        return {"pandas": "NaT"}
    if type(value) is pd.Timestamp and value.tz is None:
        return {"pandas": "Timestamp", "v": value.value}
    return value


def read(note: dict) -> Any:
    """The table that a note describes."""
    import pandas as pd

    kind = note["is"]
    if kind == "DataFrame":
        index, columns = _read_index(note["index"]), _read_index(note["columns"])
        found = {i: pd.Series(_read_column(each), index=index) for i, each in enumerate(note["v"])}
        frame = pd.DataFrame(found, index=index, columns=range(len(found)))
        frame.columns = columns
        return frame
    if kind == "Series":
        return pd.Series(_read_column(note["v"]), index=_read_index(note["index"]),
                         name=note["name"])
    if kind == "Index":
        return _read_index(note["v"])
    return _read_scalar({"pandas": kind, "v": note.get("v")})


def _read_index(note: dict) -> Any:
    import pandas as pd

    if note["is"] == "range":
        start, stop, step = map(int, note["v"])
        return pd.RangeIndex(start, stop, step, name=note["name"])
    if note["is"] == "many":
        return pd.MultiIndex(levels=[_read_index(level) for level in note["levels"]],
                             codes=[np.asarray(codes, np.int64) for codes in note["codes"]],
                             names=note["names"])
    found = pd.Index(_read_column(note["v"]), name=note["name"])
    if note["freq"] is not None and isinstance(found, pd.DatetimeIndex | pd.TimedeltaIndex):
        found.freq = str(note["freq"])[:40]  # raises if the times do not follow it
    return found


def _read_column(note: dict) -> Any:
    """An array that pandas takes as it is."""
    import pandas as pd

    kind = note["is"]
    if kind == "numbers":
        return np.asarray(note["v"])
    if kind == "times":
        dtype = np.dtype(str(note["dtype"]))
        if dtype.kind not in "mM":
            raise plain.Malformed("not a dtype of times")
        return np.asarray(note["v"], np.int64).view(dtype)
    if kind == "category":
        dtype = pd.CategoricalDtype(_read_index(note["categories"]), note["ordered"] is True)
        return pd.Categorical.from_codes(np.asarray(note["codes"], np.int64), dtype=dtype)
    if kind == "nullable" and note["dtype"] in NULLABLE:
        found = pd.array(np.asarray(note["v"]), dtype=note["dtype"])
        found[np.asarray(note["gone"], bool)] = pd.NA
        return found
    values = np.empty(len(note["v"]), dtype=object)
    for i, each in enumerate(note["v"]):
        values[i] = _read_scalar(each)
    return values if note["dtype"] == "object" else pd.array(values, dtype=_text(note["dtype"]))


def _text(name: str) -> str:
    if name not in ("str", "string"):
        raise plain.Malformed("not a dtype of text")
    return name


def _read_scalar(value: Any) -> Any:
    import pandas as pd

    if type(value) is not dict or "pandas" not in value:
        return value
    kind = value["pandas"]
    if kind == "Timestamp":
        return pd.Timestamp(int(value["v"]))
    if kind == "Timedelta":
        return pd.Timedelta(int(value["v"]))
    return {"NA": pd.NA, "NaT": pd.NaT}[kind]
