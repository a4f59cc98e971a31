"""Which body hangs on which: spanning tree, joints that close loops, order of the branches."""
