"""The language of declarations: names, numbers, expressions, and the errors that they meet."""
