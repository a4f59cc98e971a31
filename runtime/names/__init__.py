"""Names that users give and see: of displacements, and those near to a mistyped one."""
