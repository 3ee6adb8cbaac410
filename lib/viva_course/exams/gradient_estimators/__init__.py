"""The exam of `gradient_estimators`, a module per section of the notebook."""
