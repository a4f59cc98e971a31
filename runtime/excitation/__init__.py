"""What drives a model, and the checks of the laws that users give."""
