"""What the lesson gradient_estimators states."""
