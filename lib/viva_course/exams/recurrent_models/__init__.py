"""The exam of `recurrent_models`, a module per section of the notebook."""
