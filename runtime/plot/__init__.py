"""Pictures by matplotlib, which is imported when one is drawn."""
