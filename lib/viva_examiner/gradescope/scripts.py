"""The two scripts that Gradescope calls, as text."""

SETUP = r"""#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder's image.
set -euo pipefail
ROOT="${VIVA_AUTOGRADER:-/autograder}"
SOURCE="$ROOT/source"

# The interpreter: $VIVA_PYTHON, or a new environment of Python @PYTHON@.
if [ -z "${VIVA_PYTHON:-}" ]; then
    if ! command -v python@PYTHON@ >/dev/null; then
        apt-get update
        apt-get install -y --no-install-recommends python@PYTHON@ python@PYTHON@-venv
    fi
    python@PYTHON@ -m venv "$ROOT/venv"
    VIVA_PYTHON="$ROOT/venv/bin/python"
fi

# Libraries at their exact versions: from the zip's wheels if they are all there, else from the
# package registry as well. Ours only from the zip.
PIP="$VIVA_PYTHON -m pip --disable-pip-version-check --no-input"
NEEDS="--find-links $SOURCE/wheels -r $SOURCE/requirements.txt -c $SOURCE/constraints.txt"
$PIP install --no-index $NEEDS || $PIP install $NEEDS
$PIP install --no-index --no-deps --find-links "$SOURCE/wheels" --target "$ROOT/site" \
    --upgrade "@PACKAGE@"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$VIVA_PYTHON" > "$ROOT/python"
chmod 755 "$ROOT/python"

# The student's code runs as another user: the exam is for root alone.
chmod 755 "$ROOT" "$ROOT/site"
chmod -R go-rwx "$SOURCE" "$ROOT/site/viva_course" "$ROOT/site/viva_examiner"
echo "The autograder of @HOMEWORK@ is ready."
"""

RUN = """#!/usr/bin/env bash
# Gradescope runs this for every submission. Whatever happens, results.json is there: it says "not
# graded" until there are marks, so that not even a killed container leaves none.
ROOT="${VIVA_AUTOGRADER:-/autograder}"
RESULTS="$ROOT/results/results.json"
mkdir -p "$ROOT/results"
cat > "$RESULTS" <<'JSON'
{"score": 0, "visibility": "visible", "stdout_visibility": "hidden",
 "output": "Not graded: the autograder itself failed. This is not your mark; tell the staff.",
 "extra_data": {"status": "not graded"}}
JSON

chmod 700 "$ROOT/source" "$ROOT/submission" "$ROOT/results"
chmod 600 "$ROOT/submission_metadata.json" 2>/dev/null
cd /
PYTHONPATH="$ROOT/site" OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 \\
    "$ROOT/python" -P -m viva_examiner.gradescope.run "$ROOT"
"""
