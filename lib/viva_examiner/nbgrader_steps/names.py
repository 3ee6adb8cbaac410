"""A student's name and id in formgrader, which writes both into its page as they are."""

import html

from nbconvert.preprocessors import Preprocessor

WRITTEN = ("student", "first_name", "last_name", "notebook_path")


class EscapeNames(Preprocessor):
    """`HTMLExporter.preprocessors`: a name is shown to the letter, whatever stands in it."""

    def preprocess(self, nb, resources):
        for key in WRITTEN:
            if isinstance(resources.get(key), str):
                resources[key] = html.escape(resources[key])
        return nb, resources
